/** What a person does with a store afterwards: verify, accept, rebuild; each with its exit code. */
import { access, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contentsOf, look } from '../night/reader.ts';
import { packed, rewriteFile } from '../night/tamper.ts';
import { momentOf, onlyMacs, openSite, pastSlots, type Site } from './site.ts';

const [first, second, third] = pastSlots;
let site: Site;
beforeAll(async () => {
  site = await openSite({ devices: 80 });
});
afterAll(() => site.close());

test('a suspect run is verified, accepted and rebuilt, and damage to it is named', async () => {
  const { settings, store } = await site.settingsFor('store', onlyMacs);
  const muster = (...words: string[]) => site.run(settings, ...words);

  expect(await muster('verify')).toMatchObject({ code: 3, out: expect.stringContaining('Nothing is published') });
  expect((await muster('run', '--slot', first, '--dry-run')).code).toBe(0);
  await expect(access(store)).rejects.toThrow();

  expect((await muster('run', '--slot', first)).code).toBe(0);
  site.sandbox.setMoment(momentOf(second));
  site.sandbox.removeShareOfDevices(60, 'macs');
  expect(await muster('run', '--slot', second)).toMatchObject({ code: 3, out: expect.stringContaining('"suspect"') });
  expect(await muster('verify')).toMatchObject({ code: 0, out: expect.stringMatching(/^Sound: 2 runs, /) });

  expect(await muster('accept', first)).toMatchObject({ code: 2, err: expect.stringContaining('not-suspect') });
  expect((await muster('accept', second)).code).toBe(0);
  expect(await muster('accept', second)).toMatchObject({ code: 2, err: expect.stringContaining('not-suspect') });
  const seen = await look(store);
  expect(seen).toMatchObject({ slot: second, exit: 0 });
  expect(await muster('verify', second)).toMatchObject({ code: 0, out: expect.stringMatching(/^Sound: 1 run, /) });

  const difference = await muster('diff', second, first);
  expect(difference).toMatchObject({
    code: 0,
    out: expect.stringContaining(`from the run of ${first} to the run of ${second}`),
  });
  expect(difference.out).toMatch(/^ +needs action +\d+ +\d+$/m);
  expect(difference.out).toContain('removed');
  expect(await muster('diff', second, third)).toMatchObject({ code: 2, err: expect.stringContaining(third) });

  const target = join(site.folder, 'rebuilt');
  expect((await muster('rebuild', second, '--to', target)).code).toBe(0);
  const reports = Object.entries(seen?.reports ?? {});
  expect(reports.length).toBeGreaterThan(4);
  for (const [file, text] of reports) {
    expect(await readFile(join(target, file), 'utf8')).toBe(text);
  }
  expect((await muster('rebuild', third, '--to', target)).code).toBe(2);

  const copy = join(store, `devices/date=${second}/devices.csv`);
  const body = await readFile(copy);
  await writeFile(copy, body.subarray(1));
  const found = await muster('verify');
  expect(found).toMatchObject({
    code: 3,
    out: expect.stringContaining(`devices/date=${second}/devices.csv is damaged`),
  });
  // The next start puts it right.
  expect((await muster('run', '--slot', second)).code).toBe(0);
  expect((await muster('verify')).code).toBe(0);

  await rm(join(store, 'latest.json'));
  const before = await contentsOf(store, true);
  expect(await muster('run', '--slot', second)).toMatchObject({
    code: 1,
    err: expect.stringContaining('store-pointer-lost'),
  });
  expect(await contentsOf(store, true)).toEqual(before);
  expect(await muster('verify')).toMatchObject({ code: 3, out: expect.stringContaining('latest.json') });
});

test('a rebuild by another version says so', async () => {
  const { settings, store } = await site.settingsFor('versions', onlyMacs);
  expect((await site.run(settings, 'run', '--slot', second)).code).toBe(0);
  await rewriteFile(
    store,
    'facts/night.json.gz',
    packed((night) => ({ ...night, muster: '0.0.9' })),
  );
  const { code, out } = await site.run(settings, 'rebuild', second, '--to', join(site.folder, 'other'));
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('0.0.9') });
});

test('a store that cannot be written is a sentence and exit 1', async () => {
  const { settings, store } = await site.settingsFor('file', onlyMacs);
  await writeFile(store, 'a file');
  expect(await site.run(settings, 'run', '--slot', first)).toMatchObject({
    code: 1,
    err: expect.stringContaining('store-unreachable'),
  });
});
