/** A run with the date of another year: later runs are refused, until it is taken back. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { keysOf } from '../night/folder.ts';
import { look } from '../night/reader.ts';
import { momentOf, onlyMacs, openSite, pastSlots, type Site } from './site.ts';

const [first, second] = pastSlots;
const ahead = '2026-06-01';
let site: Site;

beforeAll(async () => {
  site = await openSite({ devices: 30 });
});
afterAll(() => site.close());

test('is taken back with who, when and why, and the nights go on', async () => {
  const { settings, store } = await site.settingsFor('ahead', onlyMacs);
  const run = (slot: string) => {
    site.sandbox.setMoment(momentOf(slot));
    return site.run(settings, 'run', '--slot', slot);
  };
  expect((await run(first)).code).toBe(0);
  const stood = await look(store);
  expect((await run(ahead)).code).toBe(0);
  expect(await run(second)).toMatchObject({ code: 2, err: expect.stringContaining('[slot-refused]') });

  expect(await site.run(settings, 'retract', first)).toMatchObject({
    code: 2,
    err: expect.stringContaining('[retract-refused]'),
  });
  const why = 'the clock was a year ahead';
  expect(await site.run(settings, 'retract', ahead, '--why', why)).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      new RegExp(`^The run of ${ahead} is retracted \\(by .+: ${why}\\)\\.\nThe run of ${first} stands again`),
    ),
  });
  expect(await look(store)).toEqual(stood);
  const pointer = JSON.parse(await readFile(join(store, 'latest.json'), 'utf8'));
  expect(pointer).toMatchObject({ slot: first, generation: 3, retracted: [{ slot: ahead, why }] });
  const keys = await keysOf(createFolderStore(store));
  expect(keys.filter((key) => key.includes(`date=${ahead}/`))).toEqual([]);
  expect(keys.filter((key) => key.startsWith(`runs/${ahead}/`)).length).toBeGreaterThan(10);

  const said = expect.stringContaining(`The run of ${ahead} is retracted`);
  expect(await site.run(settings, 'verify')).toMatchObject({ code: 0, out: said });
  expect(await site.run(settings, 'verify', ahead)).toMatchObject({ code: 0, out: said });
  // Asked again, it is done already.
  expect(await site.run(settings, 'retract', ahead)).toMatchObject({
    code: 0,
    out: expect.stringContaining('Already done.'),
  });

  expect((await run(second)).code).toBe(0);
  expect((await run(ahead)).code).toBe(0);
  expect(await site.run(settings, 'verify')).toMatchObject({ code: 0, out: said });
  expect(await look(store)).toMatchObject({ slot: ahead, exit: 0 });
});
