/** The prerequisites of the identity mode: section 1.1. Proved where the platform shows it, otherwise attested. */
import type { Finding } from '../../core/facts.ts';
import { type Prerequisite, prerequisitesOf } from '../definition.ts';
import type { Deployment } from '../deployment-settings.ts';
import { fail, notChecked, pass } from '../finding.ts';
import { attestedWords } from './attested.ts';
import type { SlotTime } from './statement.ts';

/** What the platform showed tonight, by prerequisite id, in a sentence. */
export type Proofs = Readonly<Record<string, string | undefined>>;

export function checkPrerequisites(asked: Deployment, proofs: Proofs, at: SlotTime): Finding[] {
  return prerequisitesOf(asked.identity).map((prerequisite) => judge(prerequisite, asked, proofs[prerequisite.id], at));
}

function judge({ id }: Prerequisite, asked: Deployment, proof: string | undefined, at: SlotTime): Finding {
  const check = `prerequisite.${id}` as const;
  if (asked.identity === undefined) return notChecked(check, 'deployment.identity');
  if (proof !== undefined) return pass(check, proof);
  const words = attestedWords({ on: asked.attested[id], at });
  if (words.is === 'none') return notChecked(check, `deployment.attested.${id}`);
  if (words.is === 'held') return pass(check, words.found);
  return fail(check, words.found, `Look at it again, then renew the date in deployment.attested.${id}.`);
}
