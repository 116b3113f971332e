/** `muster verify`: signatures, an audit folder, a lost manifest: codes, sentences, exit codes and metrics. */
import { generateKeyPairSync } from 'node:crypto';
import { cp, readFile, unlink, writeFile } from 'node:fs/promises';
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

test('checks signatures, names a manifest that differs from the audit, and goes on behind one that is lost', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  await writeFile(join(site.folder, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await writeFile(join(site.folder, 'public.pem'), publicKey.export({ type: 'spki', format: 'pem' }));
  const { settings, store } = await site.settingsFor(
    'kept',
    (yaml) => `${onlyMacs(yaml)}audit: ./kept-audit\nsigning: file:key.pem\n`,
  );
  for (const slot of pastSlots) {
    site.sandbox.setMoment(momentOf(slot));
    expect((await site.run(settings, 'run', '--slot', slot)).code).toBe(0);
  }
  const muster = (...words: string[]) => site.run(settings, ...words);
  expect(await muster('verify')).toMatchObject({ code: 0, out: expect.stringMatching(/^Sound: 3 runs, /) });
  const copy = join(site.folder, 'copy');
  await cp(store, copy, { recursive: true });
  const nowhere = join(site.folder, 'no-settings.yaml');
  expect(await site.run(nowhere, 'verify', '--public-key', 'public.pem', '--store', 'copy')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Signed by these keys: 3 runs\. The last publication is number 3\.\nSound: 3 runs, /),
  });
  const manifests = (await keysOf(createFolderStore(`${store}-audit`))).sort();
  expect(manifests.map((key) => key.split('/')[1])).toEqual([first, second, third]);

  const kept = join(`${store}-audit`, manifests[0] ?? '');
  const body = await readFile(kept, 'utf8');
  await writeFile(kept, body.replace('"exit": 0', '"exit": 3'));
  expect(await muster('verify')).toMatchObject({
    code: 3,
    out: expect.stringMatching(/ differs from its copy .*\[audit-differs\]\n/),
  });
  await writeFile(kept, body);

  await unlink(join(store, manifests[1] ?? ''));
  expect(await muster('verify')).toMatchObject({
    code: 3,
    out: expect.stringMatching(new RegExp(`The run of ${first} is outside the chain[^]*${second}[^]*\\[chain-cut\\]`)),
  });
  expect(await muster('verify', first)).toMatchObject({ code: 0, out: expect.stringContaining('outside the chain') });
  const rebuilt = await muster('rebuild', first, '--to', join(site.folder, 'rebuilt'));
  expect(rebuilt).toMatchObject({ code: 0, out: expect.stringContaining('outside the chain') });
});

test('as a container task, damage is counted in the metric of the function', async () => {
  const { settings, store } = await site.settingsFor('counted', onlyMacs);
  expect((await site.run(settings, 'run', '--slot', first)).code).toBe(0);
  await unlink(join(store, 'latest/devices.csv'));
  const naming = { POWERTOOLS_METRICS_NAMESPACE: 'Muster', POWERTOOLS_SERVICE_NAME: 'muster-test' };
  Object.assign(site.environment, naming);
  const { code, out } = await site.run(settings, 'verify');
  for (const name of Object.keys(naming)) {
    delete site.environment[name];
  }
  expect(code).toBe(3);
  const metrics = out.split('\n').filter((line) => line.startsWith('{'));
  expect(Object.assign({}, ...metrics.map((line) => JSON.parse(line)))).toMatchObject({
    ...{ service: 'muster-test', Damaged: 1 },
    MemoryUsed: expect.any(Number),
  });
});

test.each([
  ['an audit that is the store itself', 'audit: same/', 'audit: is the store itself'],
  ['a key that is none', 'signing: secret', 'signing: must be kms:KEY_ARN'],
])('%s is refused', async (_, line, sentence) => {
  const { settings } = await site.settingsFor('same', (yaml) => `${onlyMacs(yaml)}${line}\n`);
  expect(await site.run(settings, 'verify')).toMatchObject({ code: 2, err: expect.stringContaining(sentence) });
});
