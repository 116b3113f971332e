/** Signed manifests: what is forged, moved, cut off or not signed at all is named, with nothing but the public key. */
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkStore } from '../../src/cli/check-store.ts';
import type { Session } from '../../src/cli/session.ts';
import { MusterError } from '../../src/errors.ts';
import { runNight } from '../../src/night.ts';
import { retractRun } from '../../src/run/retract.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { verifyRuns } from '../../src/storage/runs/verify.ts';
import { createLocalSigner } from '../../src/storage/signing/local-key.ts';
import { readPublicKeys } from '../../src/storage/signing/public-keys.ts';
import type { Signer } from '../../src/storage/signing/signer.ts';
import { needProgram } from '../needs.ts';
import { place } from '../night/folder.ts';
import { companyOfTwoTables, slots } from '../night/small.ts';
import { rewriteManifest } from '../night/tamper.ts';

const [first = '', second = '', third = '', fourth = ''] = slots;
const here = place();
let keys: readonly KeyObject[] = [];

let folder = '';
const keyFile = () => join(folder, 'key.pem');
const publicKeyFile = () => join(folder, 'public.pem');
const signer = () => createLocalSigner(keyFile());
const broken: Signer = {
  name: 'kms:away',
  sign: () => Promise.reject(new MusterError('signing-failed', 'AWS KMS did not sign (AccessDenied).')),
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-keys-'));
  const pair = generateKeyPairSync('ed25519');
  await writeFile(keyFile(), pair.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await writeFile(publicKeyFile(), pair.publicKey.export({ type: 'spki', format: 'pem' }));
  keys = await readPublicKeys(publicKeyFile());
});
afterAll(() => rm(folder, { recursive: true }));

const made = companyOfTwoTables();
const run = (slot: string, by: Signer | undefined = signer()) =>
  runNight(made.order(slot), { ...made.parts(here.store), ...(by && { signer: by }) });
const runUnsigned = (slot: string) => runNight(made.order(slot), made.parts(here.store));

async function codes(publicKeys: readonly KeyObject[] | undefined = keys): Promise<string[]> {
  return (await verifyRuns(here.store, { publicKeys })).damage.map(({ code }) => code);
}

async function readPointer() {
  return JSON.parse(await readFile(join(here.path, 'latest.json'), 'utf8'));
}

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
      expect(await verifyRuns(store, { publicKeys: keys })).toMatchObject({
        damage: [],
        signatures: { signed: 3, earlier: 0 },
        generation: 3,
      });
    }
  });

  test('is nothing under another key, and something again under both', async () => {
    const { publicKey } = generateKeyPairSync('ed25519');
    expect(await codes([publicKey])).toEqual(['signature-invalid', 'signature-invalid', 'signature-invalid']);
    const { damage } = await verifyRuns(here.store, { publicKeys: [publicKey] });
    expect(damage[0]?.message).toMatch(/^runs\/.*\/manifest\.json is not what was signed, or not by these keys\.$/);
    expect(await codes([publicKey, ...keys])).toEqual([]);
  });

  const forgeries: Readonly<Record<string, (manifest: Record<string, unknown>) => unknown>> = {
    'a number that was changed': (manifest) => ({ ...manifest, exit: 3 }),
    'a field that was added': (manifest) => ({ ...manifest, note: 'mine' }),
    'a signature of another manifest': ({ signature: _, ...manifest }) => ({
      ...manifest,
      signature: { algorithm: 'Ed25519', value: Buffer.alloc(64).toString('base64') },
    }),
  };
  test.each(Object.entries(forgeries))('names %s, though every SHA-256 was made to agree', async (_, forge) => {
    await rewriteManifest(here.path, forge);
    expect(await codes([])).toHaveLength(3);
    expect(await codes(undefined)).toEqual(['signature-invalid']);
    expect((await verifyRuns(here.store)).damage).toEqual([]);
  });

  test('names a signature that was taken away', async () => {
    await rewriteManifest(here.path, ({ signature: _, ...manifest }) => manifest);
    expect(await codes()).toEqual(['signature-missing']);
  });

  test('names a chain that was put in another order', async () => {
    await rewriteManifest(here.path, (manifest) => ({ ...manifest, generation: 1 }));
    expect(await codes()).toEqual(
      expect.arrayContaining(['chain-reordered', 'generation-differs', 'signature-invalid']),
    );
  });

  test('names a manifest that was put in the place of another', async () => {
    const { manifest } = await readPointer();
    const earlier = (
      JSON.parse(await readFile(join(here.path, manifest), 'utf8')) as { previous: { manifest: string } }
    ).previous.manifest;
    const body = JSON.parse(await readFile(join(here.path, earlier), 'utf8'));
    const { slot, attempt } = await readPointer();
    await rewriteManifest(here.path, () => ({ ...body, slot, attempt }));
    expect(await codes()).toContain('signature-invalid');
  });

  test('names a chain that was cut, at its beginning and in the middle', async () => {
    await rewriteManifest(here.path, (manifest) => ({ ...manifest, previous: null }));
    expect(await codes()).toEqual(expect.arrayContaining(['chain-cut', 'signature-invalid']));
  });

  test('names older runs that were removed, though all that is left is signed', async () => {
    await rm(join(here.path, 'runs', first), { recursive: true });
    expect(await codes()).toContain('chain-cut');
    expect(await codes()).not.toContain('signature-invalid');
  });

  test('names a retraction that nobody signed, or that says something else', async () => {
    const parts = { ...made.parts(here.store), signer: signer() };
    await retractRun({ slot: third, by: 'somebody', why: 'a wrong clock' }, parts);
    expect(await codes()).toEqual([]);
    const pointer = await readPointer();
    const [{ signature: _, ...unsigned }] = pointer.retracted;
    const write = (retraction: object) =>
      writeFile(join(here.path, 'latest.json'), JSON.stringify({ ...pointer, retracted: [retraction] }));
    await write(unsigned);
    expect(await codes()).toEqual(['signature-missing']);
    await write({ ...pointer.retracted[0], by: 'somebody else' });
    expect(await codes()).toEqual(['signature-invalid']);
    await writeFile(join(here.path, 'latest.json'), JSON.stringify(pointer));
    await run(fourth);
    expect(await codes()).toEqual([]);
  });

  test('is checked by anybody with jq and openssl', async ({ skip }) => {
    needProgram(skip, 'jq');
    needProgram(skip, 'openssl');
    const { manifest } = await readPointer();
    const page = await readFile(join(import.meta.dirname, '../../docs/keeping.md'), 'utf8');
    const [, script = ''] = /```sh\n(manifest=[\s\S]*?)```/.exec(page) ?? [];
    const work = { cwd: here.path, env: { ...process.env, MANIFEST: manifest, PUBLIC_KEY: publicKeyFile() } };
    const command = script.replace(/manifest=.*/, 'manifest=$MANIFEST').replace('public.pem', '$PUBLIC_KEY');
    expect(execFileSync('bash', ['-euc', command], work).toString()).toContain('Signature Verified Successfully');
    await rewriteManifest(here.path, (written) => ({ ...written, exit: 3 }));
    expect(() => execFileSync('bash', ['-euc', command], { ...work, stdio: 'pipe' })).toThrow();
  });
});

test('runs from before the first signed one need no signature, and one after it does', async () => {
  await runUnsigned(first);
  expect(await codes()).toEqual(['signature-missing']);
  await run(second);
  expect(await verifyRuns(here.store, { publicKeys: keys })).toMatchObject({
    damage: [],
    signatures: { signed: 1, earlier: 1 },
  });
  await runUnsigned(third);
  await run(fourth);
  expect(await verifyRuns(here.store, { publicKeys: keys })).toMatchObject({
    damage: [{ code: 'signature-missing', message: expect.stringContaining(third) }],
  });
  expect((await verifyRuns(here.store, { slot: third, publicKeys: keys })).damage).toHaveLength(1);
  expect((await verifyRuns(here.store, { slot: fourth, publicKeys: keys })).damage).toEqual([]);
});

test('a key that does not sign stops no run: exit 3, one alert with the cause, resolved when it signs again', async () => {
  await run(first);
  const alertsOf = ({ night }: Awaited<ReturnType<typeof run>>) =>
    (night?.events ?? [])
      .filter(({ key }) => key === 'housekeeping:signing')
      .map(({ phase, text }) => `${phase} ${text}`);
  const failed = await run(second, broken);
  expect(failed).toMatchObject({
    exit: 3,
    did: 'published',
    unfinished: [{ step: 'signing', code: 'signing-failed' }],
  });
  expect(alertsOf(failed)).toEqual([expect.stringMatching(/^first .*AccessDenied/)]);
  expect(alertsOf(await run(third, broken))).toEqual([]);
  const signed = await run(fourth);
  expect(signed).toMatchObject({ exit: 0, did: 'published' });
  expect(alertsOf(signed)).toEqual([expect.stringMatching(/^over .*stays unsigned/)]);
  expect(await codes()).toEqual(['signature-missing', 'signature-missing']);
});

test('muster check tries the key, and says what to do where it does not sign', async () => {
  await run(first);
  const settings = { retention: { nights: 400 }, store: './muster-data' } as Session['settings'];
  const check = (by: Signer) =>
    checkStore({ parts: { ...made.parts(here.store), signer: by }, settings, folder: here.path });
  expect(await check(signer())).toMatchObject({
    facts: [expect.stringContaining(first), `manifests are signed with file:${keyFile()}`],
    problems: [],
  });
  expect(await check(broken)).toMatchObject({ problems: ['AWS KMS did not sign (AccessDenied).'] });
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
  expect(await readPublicKeys(path)).toHaveLength(2);
  const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ type: 'spki', format: 'pem' });
  for (const text of ['', 'hello', await readFile(keyFile(), 'utf8'), `${pem}${rsa}`]) {
    await writeFile(path, text);
    await expect(readPublicKeys(path)).rejects.toMatchObject({ code: 'command-line' });
  }
  await expect(readPublicKeys('nowhere.pem')).rejects.toMatchObject({ message: expect.stringContaining('ENOENT') });
});
