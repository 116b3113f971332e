/** Signed commits: what is forged, moved or not signed at all is named with nothing but the public key, and not built on. */
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MusterError } from '../../src/base/errors.ts';
import { checkStore } from '../../src/cli/check/check-store.ts';
import type { PreparedRun } from '../../src/compose/start.ts';
import { systemClock } from '../../src/http/clock.ts';
import { runNight } from '../../src/night.ts';
import { retractRun } from '../../src/run/corrections/retract.ts';
import { verifyAndReport } from '../../src/run/reporting/with-heartbeat.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { createLocalSigner } from '../../src/storage/signing/local-key.ts';
import { type DatedKey, parsePublicKeys, readPublicKeys, type Signer } from '../../src/storage/signing/signer.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
import { needProgram } from '../needs.ts';
import { place } from '../night/folder.ts';
import { readStandingCommit } from '../night/reader.ts';
import { company, slots } from '../night/small.ts';
import { rewriteCommit } from '../night/tamper.ts';

const [first = '', second = '', third = '', fourth = ''] = slots;
const here = place();
let keys: readonly DatedKey[] = [];

let folder = '';
const keyFile = () => join(folder, 'key.pem');
const publicKeyFile = () => join(folder, 'public.pem');
const signer = () => createLocalSigner(keyFile());
const refuse = () => Promise.reject(new MusterError('signing-failed', 'AWS KMS did not sign (AccessDenied).'));
const broken = (): Signer => ({ ...signer(), name: 'kms:away', sign: refuse });
/** Another key, which the settings name together with the file of public keys. */
const dated = (by: Signer, file: string): Signer => ({
  ...by,
  readKeys: async () => parsePublicKeys(file, 'keys.pem'),
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-keys-'));
  const pair = generateKeyPairSync('ed25519');
  await writeFile(keyFile(), pair.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await writeFile(publicKeyFile(), pair.publicKey.export({ type: 'spki', format: 'pem' }));
  keys = await readPublicKeys(publicKeyFile());
});
afterAll(() => rm(folder, { recursive: true }));

const made = company();
const run = (slot: string, by: Signer | undefined = signer()) =>
  runNight(made.order(slot), { ...made.parts(here.store), ...(by && { signer: by }) });
const runUnsigned = (slot: string) => runNight(made.order(slot), made.parts(here.store));

async function codes(by: readonly DatedKey[] | undefined = keys): Promise<string[]> {
  return (await verifyRuns(here.store, { keys: by })).damage.map(({ code }) => code);
}

function makeKeys() {
  const pair = generateKeyPairSync('ed25519');
  const pem = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  return { pem, privatePem: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

async function makeSigner(name: string): Promise<{ signer: Signer; pem: string }> {
  const { pem, privatePem } = makeKeys();
  await writeFile(join(folder, name), privatePem);
  return { signer: createLocalSigner(join(folder, name)), pem };
}

const publicPem = () => readFile(publicKeyFile(), 'utf8');
const refused = { code: 'log-damaged', message: expect.stringContaining('commits/') };

describe('a signed store', () => {
  let signed = '';
  beforeAll(async () => {
    signed = await mkdtemp(join(tmpdir(), 'muster-signed-'));
    const store = createFolderStore(signed);
    for (const slot of [first, second, third]) {
      expect(await runNight(made.order(slot), { ...made.parts(store), signer: signer() })).toMatchObject({ exit: 0 });
    }
  });
  afterAll(() => rm(signed, { recursive: true }));
  beforeEach(() => cp(signed, here.path, { recursive: true }));

  test('is sound, and so is a copy of it, with the key alone', async () => {
    const copy = join(dirname(here.path), 'copy');
    await cp(here.path, copy, { recursive: true });
    for (const store of [here.store, createFolderStore(copy)]) {
      expect(await verifyRuns(store, { keys })).toMatchObject({ damage: [], head: { number: 3, signedSince: 1 } });
    }
  });

  test('is nothing under another key, and something again under both', async () => {
    const other = parsePublicKeys(makeKeys().pem, 'other.pem');
    expect(await codes(other)).toEqual(['signature-invalid', 'signature-invalid', 'signature-invalid']);
    expect(await codes([...other, ...keys])).toEqual([]);
  });

  test('is checked by the weekly verification with the keys that the settings name', async () => {
    const found: unknown[] = [];
    const verify = (by: Signer) =>
      verifyAndReport(
        { store: here.store, clock: systemClock, signer: by },
        (_level, _event, data) => void found.push(data),
      );
    await verify(signer());
    expect(found).toMatchObject([{ damaged: 0 }]);
    await verify(dated(signer(), makeKeys().pem));
    expect(found.at(-1)).toMatchObject({ damaged: 3 });
  });

  const forgeries: Readonly<Record<string, (commit: Record<string, unknown>) => unknown>> = {
    'a number that was changed': (commit) => ({ ...commit, exit: 3 }),
    'a signature of another commit': (commit) => ({
      ...commit,
      signature: { algorithm: 'Ed25519', value: Buffer.alloc(64).toString('base64') },
    }),
    'a signature that was taken away': ({ signature: _, ...commit }) => commit,
    'a signature that was taken away with the word that there are any': ({
      signature: _,
      signedSince: __,
      ...commit
    }) => commit,
  };
  test.each(Object.entries(forgeries))('names %s, and no run builds on it', async (_, forge) => {
    await rewriteCommit(here.path, forge);
    expect(await codes()).toEqual([expect.stringMatching(/^signature-(invalid|missing)$/)]);
    await expect(run(fourth)).rejects.toMatchObject(refused);
  });

  test('is not gone on with by a run that has no key, or another', async () => {
    await expect(runUnsigned(fourth)).rejects.toMatchObject({
      message: expect.stringContaining('the settings name no key'),
    });
    const other = await makeSigner('other.pem');
    await expect(run(fourth, other.signer)).rejects.toMatchObject(refused);
  });

  test('is gone on with by another key from the number on that the file of public keys says', async () => {
    const { signer: next, pem } = await makeSigner('next.pem');
    const file = `from 1\n${await publicPem()}from 4\n${pem}`;
    const successor = dated(next, file);
    expect(await run(fourth, successor)).toMatchObject({ exit: 0, did: 'published' });
    expect(await codes(parsePublicKeys(file, 'keys.pem'))).toEqual([]);
    // The key that was replaced signs nothing any more.
    await expect(run(slots[4] ?? '', dated(signer(), file))).resolves.toMatchObject({ exit: 0 });
    expect(await codes(parsePublicKeys(file, 'keys.pem'))).toEqual(['signature-invalid']);
    await expect(run(slots[5] ?? '', successor)).rejects.toMatchObject(refused);
  });

  test('that another one of the same key takes the place of is named, where the file of public keys names its id', async () => {
    const { store: id } = await readStandingCommit(here.path);
    const named = parsePublicKeys(`store ${id}\n${await publicPem()}`, 'keys.pem');
    expect(await codes(named)).toEqual([]);
    await rm(here.path, { recursive: true });
    expect(await codes(named)).toEqual(['log-damaged']);
    await runNight(made.order(first), { ...made.parts(here.store), signer: signer() });
    expect([await codes(), await codes(named)]).toEqual([[], ['log-damaged']]);
    const successor = dated(signer(), `store ${id}\n${await publicPem()}`);
    await expect(run(second, successor)).rejects.toMatchObject({ message: expect.stringContaining(id) });
  });

  test('a retraction is signed like a run', async () => {
    const parts = { ...made.parts(here.store), signer: signer() };
    await retractRun({ slot: third, by: 'somebody', why: 'a wrong clock' }, parts);
    expect(await codes()).toEqual([]);
    const path = join(here.path, 'commits/0000000004.json');
    await writeFile(path, (await readFile(path, 'utf8')).replace('"by": "somebody"', '"by": "nobody"'));
    expect(await codes()).toEqual(['signature-invalid']);
  });

  test('is checked by anybody with jq and openssl', async ({ skip }) => {
    needProgram(skip, 'jq');
    needProgram(skip, 'openssl');
    const page = await readFile(join(import.meta.dirname, '../../docs/keeping.md'), 'utf8');
    const [, script = ''] = /```sh\n(commit=[\s\S]*?)```/.exec(page) ?? [];
    const work = { cwd: here.path, env: { ...process.env, PUBLIC_KEY: publicKeyFile() } };
    const command = script.replace(/commit=.*/, 'commit=commits/0000000003.json').replace('public.pem', '$PUBLIC_KEY');
    expect(execFileSync('bash', ['-euc', command], work).toString()).toContain('Signature Verified Successfully');
    await rewriteCommit(here.path, (commit) => ({ ...commit, exit: 3 }));
    expect(() => execFileSync('bash', ['-euc', command], { ...work, stdio: 'pipe' })).toThrow();
  });
});

test('signing that begins in a store with runs begins at the number that the file of public keys says', async () => {
  await runUnsigned(first);
  await expect(run(second)).rejects.toMatchObject({
    message: expect.stringContaining('write "from 2" above the public key'),
  });
  const file = `from 2\n${await publicPem()}`;
  expect(await run(second, dated(signer(), file))).toMatchObject({ exit: 0, did: 'published' });
  expect(await readStandingCommit(here.path)).toMatchObject({ number: 2, signedSince: 2 });
  // The newest commit now says so itself.
  expect(await run(third)).toMatchObject({ exit: 0, did: 'published' });
  expect(await codes()).toEqual([]);
});

test('a key that does not sign publishes nothing, and the next run is as if nothing had been', async () => {
  await run(first);
  await expect(run(second, broken())).rejects.toMatchObject({ code: 'signing-failed' });
  expect(await readStandingCommit(here.path)).toMatchObject({ slot: first });
  expect(await run(second)).toMatchObject({ exit: 0, did: 'published' });
  expect(await codes()).toEqual([]);
});

test('muster check tries the key, and says what to do where it does not sign', async () => {
  await run(first);
  const settings = { retention: { nights: 400 }, store: './muster-data' } as PreparedRun['settings'];
  const check = (by: Signer) =>
    checkStore({ parts: { ...made.parts(here.store), signer: by }, settings, folder: here.path });
  expect(await check(signer())).toMatchObject({
    facts: [expect.stringContaining(first), `commits are signed with file:${keyFile()}`],
    problems: [],
  });
  expect(await check(broken())).toMatchObject({ problems: ['AWS KMS did not sign (AccessDenied).'] });
});

test.each([
  ['no file', undefined, 'ENOENT'],
  ['no key', 'hello', 'it is not a private key'],
  ['a key of another kind', generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey, 'of the kind ec'],
])('%s is named with what to do', async (_, contents, what) => {
  const path = join(folder, 'another.pem');
  await rm(path, { force: true });
  if (contents !== undefined) {
    const text = typeof contents === 'string' ? contents : contents.export({ type: 'pkcs8', format: 'pem' });
    await writeFile(path, text);
  }
  await expect(createLocalSigner(path).sign(Buffer.from('x'))).rejects.toMatchObject({
    code: 'signing-failed',
    message: expect.stringMatching(new RegExp(`${what}.*openssl genpkey`)),
  });
});

test('a file of public keys may hold several, and nothing else is taken for one', async () => {
  const pem = await readFile(publicKeyFile(), 'utf8');
  const path = join(folder, 'others.pem');
  await writeFile(path, `${pem}${pem}`);
  expect(await readPublicKeys(path)).toMatchObject([{ from: 1, isDated: false }, { from: 1 }]);
  await writeFile(path, `${pem}\n# The new one:\nfrom 43\n${pem}`);
  expect(await readPublicKeys(path)).toMatchObject([{ from: 1 }, { from: 43, isDated: true }]);
  const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ type: 'spki', format: 'pem' });
  for (const text of ['', 'hello', await readFile(keyFile(), 'utf8'), `${pem}${rsa}`, `store 1\n${pem}`]) {
    await writeFile(path, text);
    await expect(readPublicKeys(path)).rejects.toMatchObject({ code: 'command-line' });
  }
  await expect(readPublicKeys('nowhere.pem')).rejects.toMatchObject({ message: expect.stringContaining('ENOENT') });
});
