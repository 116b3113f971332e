/** What a person does with a store afterwards: verify, accept, rebuild, prune, retract; each with its exit code. */
import { generateKeyPairSync } from 'node:crypto';
import { access, cp, readdir, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toCommitKey } from '../../src/storage/keys.ts';
import { contentsOf, look } from '../night/reader.ts';
import { packed, rewriteFile } from '../night/tamper.ts';
import { momentOf, onlyMacs, openSite, pastSlots, type Site } from './muster.ts';

const [first, second, third] = pastSlots;
let site: Site;
beforeAll(async () => {
  site = await openSite({ devices: 80 });
  const { run } = await openStore('three');
  for (const slot of pastSlots) {
    expect((await run(slot)).code).toBe(0);
  }
});
afterAll(() => site.close());

/** A store, and a command about it. A run is at the moment of its slot. */
async function openStore(name: string, lines = '') {
  const { settings, store } = await site.settingsFor(name, (yaml) => onlyMacs(yaml) + lines);
  const muster = (...words: string[]) => site.run(settings, ...words);
  const run = (slot: string, ...words: string[]) => {
    site.simulator.setMoment(momentOf(slot));
    return muster('run', '--slot', slot, ...words);
  };
  return { store, muster, run };
}

/** A copy of a store with three nights, and a command about it. */
async function openThreeNights(name: string) {
  const opened = await openStore(name);
  await cp(join(site.folder, 'three'), opened.store, { recursive: true });
  return opened;
}

test('a suspect run is verified, accepted and rebuilt, and damage to it is named', async () => {
  const { store, muster, run } = await openStore('store');

  expect(await muster('verify')).toMatchObject({ code: 3, output: expect.stringContaining('Nothing is published') });
  expect((await run(first, '--dry-run')).code).toBe(0);
  await expect(access(store)).rejects.toThrow();

  expect((await run(first)).code).toBe(0);
  site.simulator.setMoment(momentOf(second));
  site.simulator.removeShareOfDevices(60, 'macs');
  expect(await run(second)).toMatchObject({
    code: 3,
    output: expect.stringContaining('"suspect"'),
  });
  expect(await muster('verify')).toMatchObject({ code: 0, output: expect.stringMatching(/^Sound: 2 runs, /) });

  expect(await muster('accept', first)).toMatchObject({ code: 2, errors: expect.stringContaining('not-suspect') });
  expect((await muster('accept', second)).code).toBe(0);
  expect(await muster('accept', second)).toMatchObject({ code: 2, errors: expect.stringContaining('not-suspect') });
  const seen = await look(store);
  expect(seen).toMatchObject({ slot: second, exit: 0 });
  expect(await muster('verify', second)).toMatchObject({ code: 0, output: expect.stringMatching(/^Sound: 1 run, /) });

  const difference = await muster('diff', second, first);
  expect(difference).toMatchObject({
    code: 0,
    output: expect.stringContaining(`from the run of ${first} to the run of ${second}`),
  });
  expect(difference.output).toMatch(/^ +needs action +\d+ +\d+$/m);
  expect(difference.output).toContain('removed');
  expect(await muster('diff', second, third)).toMatchObject({ code: 2, errors: expect.stringContaining(third) });

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
    output: expect.stringMatching(
      new RegExp(`devices/date=${second}/devices\\.csv is damaged.*\nNot sound: 1 problem found in 2 runs, `),
    ),
  });
  // The next start puts it right.
  expect((await run(second)).code).toBe(0);

  // The commit before the newest one, which a run reads.
  await rm(join(store, toCommitKey(2)));
  const before = await contentsOf(store, true);
  expect(await run(second)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('log-damaged'),
  });
  expect(await contentsOf(store, true)).toEqual(before);
  expect(await muster('verify')).toMatchObject({
    code: 3,
    output: expect.stringContaining('commits/0000000002.json is missing'),
  });
});

test('signatures are checked with the key alone, and a commit that differs from the audit is named', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  await writeFile(join(site.folder, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const lines = 'audit: ./kept-audit\nsigning: file:key.pem\n';
  const unlisted = await openStore('kept', lines);
  expect(await unlisted.muster('check')).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/publicKeys: is missing beside signing; .*muster check prints the lines/),
  });
  const { store, muster, run } = await openStore('kept', `${lines}publicKeys: public.pem\n`);
  expect(await run(first)).toMatchObject({ code: 2, errors: expect.stringContaining('[public-keys-missing]') });
  // As a person does it: what check prints becomes the file.
  const { output } = await muster('check');
  const [printed = ''] = /^from 1\n-----BEGIN[\s\S]+?-----END PUBLIC KEY-----\n/m.exec(output) ?? [];
  expect(printed).toBe(`from 1\n${pem}`);
  await writeFile(join(site.folder, 'public.pem'), printed);
  expect((await muster('check')).output).toContain('  commit 1 will be signed with file:');
  expect((await run(first)).code).toBe(0);
  await cp(store, join(site.folder, 'copy'), { recursive: true });
  const nowhere = join(site.folder, 'no-settings.yaml');
  expect(await site.run(nowhere, 'verify', '--public-key', 'public.pem', '--store', 'copy')).toMatchObject({
    code: 0,
    output: expect.stringMatching(
      /^Signatures were compared with the public keys from commit 1 on\. The last commit is number 1, of the store \w{32}\.\nSound: 1 run, /,
    ),
  });

  const kept = join(`${store}-audit`, toCommitKey(1));
  await writeFile(kept, (await readFile(kept, 'utf8')).replace('"exit": 0', '"exit": 3'));
  expect(await muster('verify')).toMatchObject({
    code: 3,
    output: expect.stringMatching(/ differs from its copy .*\[audit-differs\]\n/),
  });
});

test('a commit that is lost is named, and what the log still names can be made again', async () => {
  const { store, muster } = await openThreeNights('lost');
  await unlink(join(store, toCommitKey(2)));
  expect(await muster('verify')).toMatchObject({
    code: 3,
    output: expect.stringMatching(/commits\/0000000002\.json is missing, [\s\S]*\[log-damaged\]/),
  });
  expect((await muster('rebuild', first, '--to', join(site.folder, 'rebuilt-first'))).code).toBe(0);
});

test('as a container task, damage is counted in the metric of the function', async () => {
  const { store, muster } = await openThreeNights('counted');
  await writeFile(join(store, 'latest/devices.csv'), 'slot\n');
  const naming = { POWERTOOLS_METRICS_NAMESPACE: 'Muster', POWERTOOLS_SERVICE_NAME: 'muster-test' };
  Object.assign(site.environment, naming);
  const { code, output } = await muster('verify');
  for (const name of Object.keys(naming)) {
    delete site.environment[name];
  }
  expect(code).toBe(3);
  const metrics = output.split('\n').filter((line) => line.startsWith('{'));
  expect(Object.assign({}, ...metrics.map((line) => JSON.parse(line)))).toMatchObject({
    service: 'muster-test',
    Damaged: 1,
    MemoryUsed: expect.any(Number),
  });
});

test.each([
  ['an audit that is the store itself', 'audit: same/', 'audit: is the store itself or lies below it'],
  ['a key that is none', 'signing: secret', 'signing: must be kms:KEY_ARN'],
  ['a key without public keys', 'signing: file:key.pem', 'publicKeys: is missing beside signing'],
])('%s is refused', async (_, line, sentence) => {
  const { muster } = await openStore('same', `${line}\n`);
  expect(await muster('verify')).toMatchObject({ code: 2, errors: expect.stringContaining(sentence) });
});

test('a rebuild by another version says so', async () => {
  const { store, muster } = await openThreeNights('versions');
  await rewriteFile(
    store,
    'facts/night.json.gz',
    packed((night) => ({ ...night, muster: '0.0.9' })),
  );
  expect(await muster('rebuild', third, '--to', join(site.folder, 'other'))).toMatchObject({
    code: 0,
    output: expect.stringContaining('0.0.9'),
  });
});

test('a store that cannot be written is a sentence and exit 1', async () => {
  const { store, run } = await openStore('file');
  await writeFile(store, 'a file');
  expect(await run(first)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('store-unreachable'),
  });
});

test('retention.nights typed as 1: said by check, shown by prune, and done by prune --confirm', async () => {
  const { store, muster: whole, run } = await openThreeNights('pruned');
  const { settings } = await site.settingsFor(
    'mistyped',
    (yaml) => `${onlyMacs(yaml).replace('./muster-data', './pruned')}retention: { nights: 1 }\n`,
  );
  const muster = (...words: string[]) => site.run(settings, ...words);
  const before = await contentsOf(store, true);
  expect(await muster('check')).toMatchObject({
    code: 3,
    output: expect.stringMatching(/3 runs are older than retention\.nights \(1\)/),
  });
  expect(await whole('prune')).toMatchObject({ code: 0, output: expect.stringMatching(/^Nothing to remove/) });
  expect(await muster('prune')).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^2 runs, 2025-06-01 to 2025-06-02: older .*\nNothing was changed\..*--confirm\n$/),
  });
  expect(await contentsOf(store, true)).toEqual(before);

  expect(await muster('prune', '--confirm')).toMatchObject({
    code: 0,
    output: expect.stringContaining('Removed: 2 runs, 2025-06-01 to 2025-06-02.'),
  });
  expect(await readdir(join(store, 'runs'))).toEqual([third]);
  // Also with the old limit, nothing is missing: what was removed was removed on purpose.
  expect((await run('2025-06-04')).code).toBe(0);
  expect((await whole('verify')).code).toBe(0);
});

test('a run with the date of another year is taken back with who, when and why, and the nights go on', async () => {
  const ahead = '2026-06-01';
  // So much changes in a year that it would be suspect.
  const { store, muster, run } = await openStore('ahead', 'policy: { breaker: { minimumDevices: 1000 } }\n');
  expect((await run(first)).code).toBe(0);
  const stood = await look(store);
  expect((await run(ahead)).code).toBe(0);
  expect(await run(second)).toMatchObject({ code: 2, errors: expect.stringContaining('[slot-refused]') });
  expect(await muster('retract', first)).toMatchObject({
    code: 2,
    errors: expect.stringContaining('[retract-refused]'),
  });
  const why = 'the clock was a year ahead';
  expect(await muster('retract', ahead, '--why', why)).toMatchObject({
    code: 0,
    output: expect.stringMatching(
      new RegExp(
        `^The run of ${ahead} is retracted \\(by .+: ${why}\\)\\.\nThe run of ${first} is the current one again`,
      ),
    ),
  });
  const manifest = toCommitKey(3);
  const replaces = stood?.attempt;
  expect(await look(store)).toEqual({ ...stood, attempt: expect.any(String), manifest, replaces });
  expect(await muster('retract', ahead)).toMatchObject({
    code: 2,
    errors: expect.stringContaining('it is retracted already'),
  });
  expect((await run(second)).code).toBe(0);
  expect(await muster('verify', ahead)).toMatchObject({
    code: 0,
    output: expect.stringContaining(`The run of ${ahead} is retracted`),
  });
});
