/** `muster verify [SLOT]`: compares every published file with the SHA-256 that was published. */

import { loadSettings } from '../compose/load-settings.ts';
import { openStore } from '../compose/parts.ts';
import { pluralize } from '../core/pluralize.ts';
import { verifyRuns } from '../storage/runs/verify.ts';
import { formatRetraction } from './retract.ts';
import { formatCount } from './summary.ts';

export async function verifyStore(options: { readonly settings?: string; readonly slot?: string }): Promise<number> {
  const { settings, folder } = await loadSettings(options.settings, process.env, false);
  const store = await openStore(settings, folder);
  const { nights, files, damage, retracted } = await verifyRuns(store, options.slot);
  if (nights === 0 && damage.length === 0 && retracted.length === 0) {
    process.stdout.write(`Nothing is published in ${store.name}.\n`);
    return 3;
  }
  for (const sentence of [...retracted.map(formatRetraction), ...damage]) {
    process.stdout.write(`${sentence}\n`);
  }
  const read = `${formatCount(nights)} ${pluralize(nights, 'run')}, ${formatCount(files)} ${pluralize(files, 'file')} and their copies in ${store.name}`;
  process.stdout.write(
    damage.length === 0 ? `Sound: ${read}.\n` : `Not sound: ${formatCount(damage.length)} found in ${read}.\n`,
  );
  return damage.length === 0 ? 0 : 3;
}
