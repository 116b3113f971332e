/** The artifacts of a company as texts. */
import { buildCompany } from '../../src/cli/artifacts.ts';
import { readSettings } from '../../src/compose/read-settings.ts';
import { loadArtifacts } from '../../src/compose/source-kinds.ts';
import type { Company } from '../../src/deployment/artifacts/artifact.ts';
import { type Ground, named } from './ground.ts';

export const artifacts = await loadArtifacts();

export function makeCompany({ simulator }: Ground, change = (text: string) => text): Company {
  const { settings } = readSettings(change(simulator.settings()));
  if (settings === undefined) {
    throw new Error('the simulator has no settings');
  }
  return buildCompany(settings);
}

export function renderArtifact(name: string, company: Company): string {
  return named(artifacts, name).render(company);
}
