/** `muster artifacts`: renders the objects that the deployment interface (docs/coverage.md) requires, from the settings. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MusterError } from '../base/errors.ts';
import { loadSettings } from '../compose/load-settings.ts';
import type { Settings } from '../compose/read-settings.ts';
import { findSourceKind, loadArtifacts } from '../compose/source-kinds.ts';
import { findNearest } from '../core/text/nearest-name.ts';
import { type Artifact, type Company, listMissingSettings, selectOffered } from '../deployment/artifacts/artifact.ts';
import { type CommandOptions, printLines } from './console/session.ts';

export interface ArtifactsOptions extends CommandOptions {
  readonly name?: string;
  readonly to?: string;
}

export async function renderArtifacts({ settings: settingsFile, name, to }: ArtifactsOptions): Promise<number> {
  const artifacts = await loadArtifacts();
  const chosen = name === undefined ? artifacts : [requireArtifact(name, artifacts)];
  const { settings } = await loadSettings(settingsFile, process.env, 'none');
  const company = buildCompany(settings);
  if (name === undefined && to === undefined) {
    return printLines(formatCatalogue(selectOffered(artifacts, company), company));
  }
  for (const artifact of chosen) {
    if (to === undefined) {
      process.stdout.write(artifact.render(company));
    } else {
      const file = join(to, artifact.name);
      await mkdir(to, { recursive: true });
      await writeFile(file, artifact.render(company), { mode: artifact.isProgram ? 0o755 : 0o644 });
      process.stdout.write(`${file}\n`);
    }
    const missing = listMissingSettings(artifact, company);
    if (missing.length > 0) {
      process.stderr.write(`${artifact.name} has placeholders: set ${missing.join(', ')} for it.\n`);
    }
  }
  return 0;
}

function requireArtifact(name: string, artifacts: readonly Artifact[]): Artifact {
  const found = artifacts.find((artifact) => artifact.name === name);
  if (found) {
    return found;
  }
  const names = artifacts.map((artifact) => artifact.name);
  const near = findNearest(name, names);
  const end = near === undefined ? '.' : `; did you mean "${near}"?`;
  throw new MusterError('command-line', `There is no artifact "${name}"${end} There are ${names.join(', ')}.`);
}

function formatCatalogue(artifacts: readonly Artifact[], company: Company): string[] {
  const width = Math.max(...artifacts.map(({ name }) => name.length));
  const lines = artifacts.map((artifact) => {
    const missing = listMissingSettings(artifact, company);
    const note = missing.length === 0 ? '' : `  (placeholders for ${missing.join(', ')})`;
    return `  ${artifact.name.padEnd(width)}  ${artifact.what}${note}`;
  });
  const usage = 'Print one with `muster artifacts NAME`, write all with `muster artifacts --to DIR`.';
  return ['What can be rendered from the settings:', '', ...lines, '', usage];
}

/** The company, with names from the first source whose kind has any; reads no secret. */
export function buildCompany(settings: Pick<Settings, 'agent' | 'deployment' | 'sources'>): Company {
  const { agent, deployment, sources } = settings;
  const [server] = sources.flatMap((source) => findSourceKind(source.platform).listServerNames?.(source) ?? []);
  return { agent: agent.name, deployment, server };
}
