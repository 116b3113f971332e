/** Checks the prerequisites of the identity mode: docs/coverage.md, section 1.1. Proved where a source shows it, otherwise attested. */
import type { DeploymentSettings } from '../../settings/deployment/deployment.ts';
import { type Prerequisite, prerequisites } from '../definition.ts';
import type { Check } from './check.ts';
import { judgeAttestation } from './statements.ts';
import { pass, reportNotChecked } from './verdicts.ts';

/** What a source shows, as a sentence; undefined where it does not show it tonight. */
type Proof<Reading> = (reading: Reading, settings: DeploymentSettings) => string | undefined;

export function createPrerequisiteChecks<Reading>(
  proofs: Readonly<Partial<Record<Prerequisite['id'], Proof<Reading>>>>,
): Check<Reading>[] {
  return prerequisites.map(({ id, text, mode }) => ({
    id: `prerequisite.${id}`,
    expected: text,
    blindSpot: 'what the service knows: where no platform shows it, a person attests it',
    settings: [`deployment.attested.${id}`],
    group: 'prerequisites',
    mode,
    judge(reading, context) {
      const { identity, attested } = context.settings;
      if (identity === undefined) {
        return reportNotChecked('deployment.identity');
      }
      const proof = proofs[id]?.(reading, context.settings);
      if (proof !== undefined) {
        return pass(proof);
      }
      const setting = `deployment.attested.${id}`;
      return attested[id] === undefined
        ? reportNotChecked(setting)
        : judgeAttestation(id, context, `Verify it again, then update the date in ${setting}.`);
    },
  }));
}
