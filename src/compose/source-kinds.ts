/**
 * The registry of source kinds. A kind that stands here is known to the settings, the wiring, the judgement, the checks
 * and the reports; adding one is its own folder in `sources/` and a line here.
 */
import { MusterError } from '../base/errors.ts';
import type { OperatingSystem } from '../core/facts/device-places.ts';
import type { RulesTable } from '../core/facts/rules.ts';
import type { Reason } from '../core/facts/vocabulary.ts';
import type { Artifact } from '../deployment/artifacts/artifact.ts';
import { intuneKind } from '../sources/intune/kind.ts';
import { jamfKind } from '../sources/jamf/kind.ts';
import type { SourceKind } from '../sources/source-kind.ts';

/** What the settings of every kind have. */
export interface SourceSettings {
  readonly name: string;
  readonly platform: string;
}

export type AnySourceKind = SourceKind<string, SourceSettings, OperatingSystem, Reason, never>;

export const sourceKinds: readonly AnySourceKind[] = [jamfKind, intuneKind];

/** Throws where this Muster has no such kind: the facts were then written by a newer one. */
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

/** Those of each kind, in the order of the registry, then those that belong to none. */
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
