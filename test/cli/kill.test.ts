/** Processes of `muster run`, killed or many at once. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import type { Manifest } from '../../src/storage/runs/records.ts';
import { verifyRuns } from '../../src/storage/runs/verify.ts';
import { contentsOf, look } from '../night/reader.ts';
import { killNights, told } from './sigkill.ts';
import { onlyMacs, openSite, pastSlots, type Site } from './site.ts';

const [first, second] = pastSlots;
let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

test('processes killed at ten moments leave a whole run to readers, and running again ends the same [C3]', async () => {
  const killed = await killNights(site, { kills: 10, atOnce: 2, change: onlyMacs });
  process.stdout.write(`${told(killed)}\n`);
  expect(killed.violations).toEqual([]);
  // How many runs end before their kill depends on how busy the machine is.
  expect(killed.tooLate).toBeLessThan(killed.kills);
});

test.each([2, 5])('%i processes of one slot: one exits 0, the others 4 [S16, C7, C8]', async (count) => {
  const { settings, store } = await site.settingsFor(`rivals-${count}`, onlyMacs);
  const runs = Array.from({ length: count }, () => site.run(settings, 'run', '--slot', first));
  const ends = await Promise.all(runs);
  const lines = ends.map(({ code, out, err }) => `${code} ${out.split('\n').at(-2)} ${err}`).join('\n');
  expect(ends.map(({ code }) => code).sort(), lines).toEqual([0, ...Array<number>(count - 1).fill(4)]);
  expect(await look(store)).toMatchObject({ slot: first, exit: 0 });
  expect(await verifyRuns(createFolderStore(store))).toMatchObject({ nights: 1, damage: [] });

  const before = await contentsOf(store, true);
  expect((await site.run(settings, 'run', '--slot', first)).code).toBe(0);
  expect(await contentsOf(store, true)).toEqual(before);
});

test('a partial night exits 3, again 3 while nothing is better, and 0 when it is healed', async () => {
  const { settings, store } = await site.settingsFor('partial');
  expect((await site.run(settings, 'run', '--slot', first)).code).toBe(0);
  const away = await site.settingsFor('away', (yaml) =>
    yaml.replace('./muster-data', './partial').replace(/app: .*/, 'app: An app that is not there'),
  );
  expect((await site.run(away.settings, 'run', '--slot', second)).code).toBe(3);
  const partial = await look(store);
  const before = await contentsOf(store, true);
  expect((await site.run(away.settings, 'run', '--slot', second)).code).toBe(3);
  expect(await contentsOf(store, true)).toEqual(before);

  const healed = await site.run(settings, 'run', '--slot', second);
  expect(healed.code).toBe(0);
  const seen = await look(store);
  expect(seen).toMatchObject({ slot: second, exit: 0, replaces: partial?.attempt });
  // Only windows is read again, and its log line has the receipt that is published.
  const { sources } = JSON.parse(await readFile(join(store, seen?.manifest ?? ''), 'utf8')) as Manifest;
  const published = sources.find(({ name }) => name === 'windows');
  expect(published?.receipt).toMatchObject({ received: expect.any(Number), pages: expect.any(Number) });
  expect(linesOf(healed.out).filter(({ event }) => event === 'source.read')).toMatchObject([
    { level: 'info', source: 'windows', reading: 'complete', receipt: published?.receipt },
  ]);

  const older = await site.run(settings, 'run', '--slot', first);
  expect(older).toMatchObject({ code: 2, err: expect.stringContaining('slot-refused') });
  expect((await site.run(settings, 'run', '--slot', '2999-01-01')).code).toBe(2);
});

function linesOf(output: string): Readonly<Record<string, unknown>>[] {
  const lines = output.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
}
