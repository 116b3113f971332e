/** Processes of `muster run`, killed or many at once. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
import { contentsOf, look } from '../night/reader.ts';
import { lastLineOf, onlyMacs, openSite, pastSlots, type Site } from './muster.ts';
import { killNights, told } from './sigkill.ts';

const [first] = pastSlots;
let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

test('processes killed at four moments leave a whole run to readers, and running again ends the same [C3]', async () => {
  const killed = await killNights(site, { kills: 4, atOnce: 2, change: onlyMacs });
  process.stdout.write(`${told(killed)}\n`);
  expect(killed.violations).toEqual([]);
  // How many runs end before their kill depends on how busy the machine is.
  expect(killed.tooLate).toBeLessThan(killed.kills);
});

test('three processes of one slot: one publishes, and no other says that it did [S16, C7, C8]', async () => {
  const { settings, store } = await site.settingsFor('rivals', onlyMacs);
  const runs = Array.from({ length: 3 }, () => site.start(settings, 'run', '--slot', first).ended);
  const ends = (await Promise.all(runs)).map((ended) => `${ended.code} ${lastLineOf(ended).event}`);
  // On a busy machine, one may begin when another has published already: it then leaves the slot as it is.
  const others = ends.filter((end) => end !== '0 run.published');
  expect(others).toHaveLength(2);
  expect(others.filter((end) => end !== '4 run.superseded' && end !== '0 run.unchanged')).toEqual([]);
  expect(await look(store)).toMatchObject({ slot: first, exit: 0 });
  expect(await verifyRuns(createFolderStore(store))).toMatchObject({ nights: 1, damage: [] });

  const before = await contentsOf(store, true);
  expect((await site.run(settings, 'run', '--slot', first)).code).toBe(0);
  expect(await contentsOf(store, true)).toEqual(before);
});
