/** `muster verify [SLOT]`: is every published byte still what was published? */

import { loadSettings } from '../compose/load-settings.ts';
import { storeOf } from '../compose/parts.ts';
import { pluralize } from '../core/pluralize.ts';
import { verify } from '../storage/runs/verify.ts';
import { number } from './summary.ts';

export async function verifyStore(options: { readonly settings?: string; readonly slot?: string }): Promise<number> {
  const { settings, folder } = await loadSettings(options.settings, process.env, false);
  const store = await storeOf(settings, folder);
  const { nights, files, damage } = await verify(store, options.slot);
  if (nights === 0 && damage.length === 0) {
    process.stdout.write(`Nothing is published in ${store.name}.\n`);
    return 3;
  }
  for (const sentence of damage) process.stdout.write(`${sentence}\n`);
  const read = `${number(nights)} ${pluralize(nights, 'night')}, ${number(files)} ${pluralize(files, 'file')} and their copies in ${store.name}`;
  process.stdout.write(
    damage.length === 0 ? `Sound: ${read}.\n` : `Not sound: ${number(damage.length)} found in ${read}.\n`,
  );
  return damage.length === 0 ? 0 : 3;
}
