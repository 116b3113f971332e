/** Checks the prerequisites of the identity mode: docs/coverage.md, section 1.1. Proved where the platform shows it, otherwise attested. */
import type { Finding } from '../../core/facts.ts';
import { listPrerequisites, type Prerequisite } from '../definition.ts';
import type { DeploymentSettings } from '../deployment-settings.ts';
import { fail, pass, reportNotChecked } from '../finding.ts';
import { judgeAttestation } from './attestation.ts';
import type { SlotTime } from './statement.ts';

/** What the platform showed in this run, by prerequisite id, as a sentence. */
export type PrerequisiteProofs = Readonly<Record<string, string | undefined>>;

export function checkPrerequisites(settings: DeploymentSettings, proofs: PrerequisiteProofs, at: SlotTime): Finding[] {
  return listPrerequisites(settings.identity).map((prerequisite) =>
    judgePrerequisite(prerequisite, settings, proofs[prerequisite.id], at),
  );
}

function judgePrerequisite(
  { id }: Prerequisite,
  settings: DeploymentSettings,
  proof: string | undefined,
  at: SlotTime,
): Finding {
  const check = `prerequisite.${id}` as const;
  if (settings.identity === undefined) {
    return reportNotChecked(check, 'deployment.identity');
  }
  if (proof !== undefined) {
    return pass(check, proof);
  }
  const words = judgeAttestation({ on: settings.attested[id], at });
  if (words.is === 'none') {
    return reportNotChecked(check, `deployment.attested.${id}`);
  }
  if (words.is === 'valid') {
    return pass(check, words.found);
  }
  return fail(check, words.found, `Verify it again, then update the date in deployment.attested.${id}.`);
}
