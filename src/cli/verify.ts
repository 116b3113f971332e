/** `muster verify [SLOT]`: compares every published file, copy and manifest with what was published. */

import { loadSettings } from '../compose/load-settings.ts';
import { openStores } from '../compose/parts.ts';
import { pluralize } from '../core/pluralize.ts';
import { toPrintableText } from '../reports/cell.ts';
import { formatDamage } from '../storage/runs/verification/damage.ts';
import { type Verification, verifyRuns } from '../storage/runs/verify.ts';
import type { Store } from '../storage/store.ts';
import { formatRetraction } from './retract.ts';
import { formatCount } from './summary.ts';

export interface VerifyCommandOptions {
  readonly settings?: string;
  readonly slot?: string;
}

export async function verifyStore(options: VerifyCommandOptions): Promise<number> {
  const { settings, folder } = await loadSettings(options.settings, process.env, false);
  const { store, audit } = await openStores(settings, folder);
  const verification = await verifyRuns(store, { slot: options.slot, audit });
  process.stdout.write(`${formatVerification(verification, store).join('\n')}\n`);
  return isSound(verification) ? 0 : 3;
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
    damage.length === 0 ? `Sound: ${read}.` : `Not sound: ${formatCount(damage.length)} found in ${read}.`,
  ];
}
