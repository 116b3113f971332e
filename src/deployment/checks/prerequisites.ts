/** The prerequisites of the identity mode: section 1.1. Proved where the platform shows it, otherwise attested. */
import type { Finding } from '../../core/facts.ts';
import { listPrerequisites, type Prerequisite } from '../definition.ts';
import type { DeploymentSettings } from '../deployment-settings.ts';
import { fail, pass, reportNotChecked } from '../finding.ts';
import { judgeAttestation } from './attestation.ts';
import type { SlotTime } from './statement.ts';

/** What the platform showed tonight, by prerequisite id, in a sentence. */
export type PrerequisiteProofs = Readonly<Record<string, string | undefined>>;

export function checkPrerequisites(asked: DeploymentSettings, proofs: PrerequisiteProofs, at: SlotTime): Finding[] {
  return listPrerequisites(asked.identity).map((prerequisite) =>
    judgePrerequisite(prerequisite, asked, proofs[prerequisite.id], at),
  );
}

function judgePrerequisite(
  { id }: Prerequisite,
  asked: DeploymentSettings,
  proof: string | undefined,
  at: SlotTime,
): Finding {
  const check = `prerequisite.${id}` as const;
  if (asked.identity === undefined) {
    return reportNotChecked(check, 'deployment.identity');
  }
  if (proof !== undefined) {
    return pass(check, proof);
  }
  const words = judgeAttestation({ on: asked.attested[id], at });
  if (words.is === 'none') {
    return reportNotChecked(check, `deployment.attested.${id}`);
  }
  if (words.is === 'held') {
    return pass(check, words.found);
  }
  return fail(check, words.found, `Look at it again, then renew the date in deployment.attested.${id}.`);
}
