/** Checks signing for `muster check`: whether the next commit will be signed as the public keys require, and the lines to add. */
import type { Parts } from '../../run/parts.ts';
import { listCommitNumbers, readCommit } from '../../storage/commits/log.ts';
import { type Signing, trySigning } from '../../storage/signing/signing.ts';
import { ignoreDamage } from '../../storage/stored-json.ts';
import { type CheckReport, tryOut } from './check-report.ts';

export function checkSigning(signing: Signing, { store }: Pick<Parts, 'store'>): Promise<CheckReport> {
  const { signer } = signing;
  return tryOut(`Signing${signer === undefined ? '' : ` with ${signer.name}`}`, async () => {
    const newest = (await listCommitNumbers(store)).at(-1);
    const head = newest === undefined ? undefined : await ignoreDamage(() => readCommit(store, newest));
    const next = (newest ?? 0) + 1;
    const { problem, lines } = await trySigning(signing, { number: next, store: head?.commit.store });
    if (problem === undefined) {
      return { facts: signer === undefined ? [] : [`commit ${next} will be signed with ${signer.name}`] };
    }
    const advice = lines.length === 0 ? '' : ' The lines for this key, as the file needs them, stand below.';
    return { problems: [`${problem}${advice}`], lines };
  });
}
