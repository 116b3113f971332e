/** `muster verify` beside an audit folder, and behind a lost manifest: codes, sentences and exit codes. */
import { readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { keysOf } from '../night/folder.ts';
import { momentOf, onlyMacs, openSite, pastSlots, type Site } from './site.ts';

const [first, second, third] = pastSlots;
let site: Site;

beforeAll(async () => {
  site = await openSite({ devices: 30 });
});
afterAll(() => site.close());

test('names a manifest that differs from the audit, and goes on behind one that is lost', async () => {
  const { settings, store } = await site.settingsFor('kept', (yaml) => `${onlyMacs(yaml)}audit: ./kept-audit\n`);
  for (const slot of pastSlots) {
    site.sandbox.setMoment(momentOf(slot));
    expect((await site.run(settings, 'run', '--slot', slot)).code).toBe(0);
  }
  const muster = (...words: string[]) => site.run(settings, ...words);
  expect(await muster('verify')).toMatchObject({ code: 0, out: expect.stringMatching(/^Sound: 3 runs, /) });
  const manifests = (await keysOf(createFolderStore(`${store}-audit`))).sort();
  expect(manifests.map((key) => key.split('/')[1])).toEqual([first, second, third]);

  const copy = join(`${store}-audit`, manifests[0] ?? '');
  const body = await readFile(copy, 'utf8');
  await writeFile(copy, body.replace('"exit": 0', '"exit": 3'));
  expect(await muster('verify')).toMatchObject({
    code: 3,
    out: expect.stringMatching(/ differs from its copy .*\[audit-differs\]\n/),
  });
  await writeFile(copy, body);

  await unlink(join(store, manifests[1] ?? ''));
  expect(await muster('verify')).toMatchObject({
    code: 3,
    out: expect.stringMatching(new RegExp(`The run of ${first} is outside the chain[^]*${second}[^]*\\[chain-cut\\]`)),
  });
  expect(await muster('verify', first)).toMatchObject({ code: 0, out: expect.stringContaining('outside the chain') });
  const rebuilt = await muster('rebuild', first, '--to', join(site.folder, 'rebuilt'));
  expect(rebuilt).toMatchObject({ code: 0, out: expect.stringContaining('outside the chain') });
});

test('an audit that is the store itself is refused', async () => {
  const { settings } = await site.settingsFor('same', (yaml) => `${onlyMacs(yaml)}audit: same/\n`);
  expect(await site.run(settings, 'verify')).toMatchObject({
    code: 2,
    err: expect.stringContaining('audit: is the store itself'),
  });
});
