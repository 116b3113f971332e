/** `muster verify [SLOT]`: compares every published file, copy and manifest with what was published. */

import { loadSettings } from '../compose/load-settings.ts';
import { openStore, openStores } from '../compose/parts.ts';
import { pluralize } from '../core/pluralize.ts';
import type { Parts } from '../night.ts';
import { toPrintableText } from '../reports/cell.ts';
import { formatDamage } from '../storage/runs/verification/damage.ts';
import { type Verification, verifyRuns } from '../storage/runs/verify.ts';
import { readPublicKeys } from '../storage/signing/public-keys.ts';
import type { Store } from '../storage/store.ts';
import { formatRetraction } from './retract.ts';
import { formatCount } from './summary.ts';
import { emitTaskMetrics } from './task-metrics.ts';

export interface VerifyCommandOptions {
  readonly settings?: string;
  readonly slot?: string;
  /** A file with the public keys that manifests are signed with. */
  readonly publicKey?: string;
  /** Instead of the store in the settings. */
  readonly store?: string;
}

export async function verifyStore(options: VerifyCommandOptions): Promise<number> {
  const publicKeys = options.publicKey === undefined ? undefined : await readPublicKeys(options.publicKey);
  const { store, audit } = await openVerifiedStores(options);
  const verification = await verifyRuns(store, { slot: options.slot, audit, publicKeys });
  process.stdout.write(`${formatVerification(verification, store).join('\n')}\n`);
  const damaged = verification.damage.length;
  await emitTaskMetrics(options.settings, ({ emitVerification }, naming) => emitVerification(damaged, naming));
  return isSound(verification) ? 0 : 3;
}

/** A copy of a store stands by itself: nothing but the folder is needed. */
async function openVerifiedStores({
  settings: file,
  store,
}: VerifyCommandOptions): Promise<Pick<Parts, 'store' | 'audit'>> {
  if (store !== undefined) {
    return { store: await openStore({ store }, process.cwd()) };
  }
  const { settings, folder } = await loadSettings(file, process.env, false);
  return openStores(settings, folder);
}

/** A store in which nothing is published proves nothing. */
function isSound({ nights, damage, retracted }: Verification): boolean {
  return damage.length === 0 && nights + retracted.length > 0;
}

function formatVerification(verification: Verification, store: Store): string[] {
  const { nights, files, damage, outside, retracted } = verification;
  if (damage.length === 0 && nights + retracted.length === 0) {
    return [`Nothing is published in ${store.name}.`];
  }
  const read = `${formatCount(nights)} ${pluralize(nights, 'run')}, ${formatCount(files)} ${pluralize(files, 'file')} and their copies in ${store.name}`;
  return [
    ...retracted.map(formatRetraction),
    ...outside.map((slot) => `The run of ${slot} is outside the chain: it was verified by itself.`),
    ...damage.map((one) => toPrintableText(formatDamage(one))),
    ...formatSignatures(verification),
    damage.length === 0 ? `Sound: ${read}.` : `Not sound: ${formatCount(damage.length)} found in ${read}.`,
  ];
}

/** The number of the last publication, since a copy that is cut at its end cannot know what came after it. */
function formatSignatures({ signatures, generation = 0 }: Verification): string[] {
  if (signatures === undefined) {
    return [];
  }
  const { signed, earlier } = signatures;
  const older = `; ${formatCount(earlier)} older ${pluralize(earlier, 'one is', 'ones are')} from before manifests were signed`;
  const runs = `${formatCount(signed)} ${pluralize(signed, 'run')}${earlier === 0 ? '' : older}`;
  return [`Signed by these keys: ${runs}. The last publication is number ${generation}.`];
}
