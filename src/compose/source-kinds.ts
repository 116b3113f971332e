/**
 * The registry of source kinds, from which settings, wiring, judgement, checks and reports know them. To add one: its
 * own folder in `sources/` and a line here.
 */
import { MusterError } from '../base/errors.ts';
import type { OperatingSystem } from '../core/facts/device-places.ts';
import type { RulesTable } from '../core/facts/rules.ts';
import type { Reason } from '../core/facts/vocabulary.ts';
import type { Artifact } from '../deployment/artifacts/artifact.ts';
import { intuneKind } from '../sources/intune/kind.ts';
import { jamfKind } from '../sources/jamf/kind.ts';
import type { SourceKind } from '../sources/source-kind.ts';

/** Settings that every kind has. */
export interface SourceSettings {
  readonly name: string;
  readonly platform: string;
}

export type AnySourceKind = SourceKind<string, SourceSettings, OperatingSystem, Reason, never>;

export const sourceKinds: readonly AnySourceKind[] = [jamfKind, intuneKind];

/** Finds a kind; throws where this Muster has none, since a newer one then wrote the facts. */
export function findSourceKind(kind: string, kinds = sourceKinds): AnySourceKind {
  const found = kinds.find((candidate) => candidate.kind === kind);
  if (found !== undefined) {
    return found;
  }
  throw new MusterError(
    'store-newer',
    `The facts name a source of the kind "${kind}", for which this Muster has no rules. Run a newer Muster.`,
  );
}

/** Artifacts of each kind, in the order of the registry, then those of no single kind. */
export async function loadArtifacts(): Promise<readonly Artifact[]> {
  const { commonArtifacts } = await import('../deployment/artifacts/checklist.ts');
  const ofKinds = await Promise.all(sourceKinds.map((kind) => kind.loadArtifacts()));
  return [...ofKinds.flat(), ...commonArtifacts];
}

export function createRulesTable(kinds: readonly AnySourceKind[]): RulesTable {
  return {
    rulesFor: (kind) => findSourceKind(kind, kinds).rules,
    operatingSystemTitles: {
      ...Object.assign({}, ...kinds.map(({ rules }) => rules.operatingSystems)),
      mixed: 'Several',
      all: 'All devices',
    },
  };
}

export const sourceRules = createRulesTable(sourceKinds);
