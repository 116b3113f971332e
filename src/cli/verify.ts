/** `muster verify [DATE]`: compares every published file, copy and commit with what was published. */

import { openKeptStores, openStore, readNamedKeys, readTrustedKeys } from '../compose/parts.ts';
import { formatCount } from '../core/text/format-count.ts';
import { pluralize } from '../core/text/pluralize.ts';
import { toPrintableText } from '../reports/cell.ts';
import type { Commit } from '../storage/commits/commit.ts';
import { formatDamage } from '../storage/damage.ts';
import { findFirstSigned, type TrustedKeys } from '../storage/signing/trusted-keys.ts';
import type { Store } from '../storage/store.ts';
import { type Verification, verifyRuns } from '../storage/verify/verify.ts';
import { type JsonOptions, printJson, printLines } from './console/session.ts';
import { formatRetraction } from './corrections.ts';
import { emitTaskMetrics } from './run.ts';

export interface VerifyCommandOptions extends JsonOptions {
  readonly slot?: string;
  /** A file of public keys, instead of that in the settings. */
  readonly publicKey?: string;
  /** A store, instead of that in the settings. */
  readonly store?: string;
}

export async function verifyStore(options: VerifyCommandOptions): Promise<number> {
  const { store, audit, keys } = await openVerifiedStores(options);
  const verification = await verifyRuns(store, { slot: options.slot, audit, keys });
  if (options.json) {
    const { nights: runs, files, damage, behind, retracted, head } = verification;
    const slots = retracted.map(({ slot }) => slot);
    printJson({
      sound: isSound(verification),
      runs,
      files,
      damage,
      behind,
      retracted: slots,
      lastCommit: head?.number,
    });
  } else {
    printLines(formatVerification(verification, store, keys));
  }
  const damaged = verification.damage.length;
  await emitTaskMetrics(options.settings, ({ emitVerification }, naming) => emitVerification(damaged, naming));
  return isSound(verification) ? 0 : 3;
}

/** Opens the stores to verify; a copy of a store needs nothing but its folder. */
async function openVerifiedStores({ settings, store, publicKey }: VerifyCommandOptions) {
  const given = publicKey === undefined ? undefined : await readTrustedKeys(publicKey);
  if (store !== undefined) {
    return { store: await openStore(store, process.cwd()), audit: undefined, keys: given };
  }
  const kept = await openKeptStores(settings, process.env);
  return { ...kept, keys: given ?? (await readNamedKeys(kept.settings, kept.folder)) };
}

/** Whether a store is sound; one without published runs proves nothing. */
function isSound({ nights, damage, retracted }: Verification): boolean {
  return damage.length === 0 && nights + retracted.length > 0;
}

function formatVerification(verification: Verification, store: Store, keys: TrustedKeys | undefined): string[] {
  const { nights, files, damage, behind, retracted, head } = verification;
  if (damage.length === 0 && nights + retracted.length === 0) {
    return [`Nothing is published in ${store.name}.`];
  }
  const read = `${formatCount(nights)} ${pluralize(nights, 'run')}, ${formatCount(files)} ${pluralize(files, 'file')} and their copies in ${store.name}`;
  return [
    ...retracted.map(formatRetraction),
    ...damage.map((one) => toPrintableText(formatDamage(one))),
    ...behind.map(toPrintableText),
    ...(keys === undefined || head === undefined ? [] : [formatSignatures(head, keys)]),
    damage.length === 0
      ? `Sound: ${read}.`
      : `Not sound: ${formatCount(damage.length)} ${pluralize(damage.length, 'problem')} found in ${read}.`,
  ];
}

/** A line about signatures: the last number, since a copy that is cut at its end cannot show it, and the store's id. */
function formatSignatures({ number, store }: Commit, keys: TrustedKeys): string {
  const first = findFirstSigned(keys);
  const compared =
    first > number
      ? `No signature was asked for: the first public key counts from commit ${first} on`
      : `Signatures were compared with the public keys from commit ${first} on`;
  return `${compared}. The last commit is number ${number}, of the store ${store}.`;
}
