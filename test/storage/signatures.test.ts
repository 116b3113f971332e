/** Signed commits: what is forged, moved or not signed at all is named with nothing but the public key, and not built on. */
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MusterError } from '../../src/base/errors.ts';
import { checkStore } from '../../src/cli/check/check-store.ts';
import { openSigning } from '../../src/compose/parts.ts';
import type { PreparedRun } from '../../src/compose/start.ts';
import { systemClock } from '../../src/http/clock.ts';
import { runNight } from '../../src/night.ts';
import { retractRun } from '../../src/run/corrections/retract.ts';
import { verifyAndReport } from '../../src/run/reporting/with-heartbeat.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { createLocalSigner } from '../../src/storage/signing/local-key.ts';
import { parseTrustedKeys } from '../../src/storage/signing/parse-keys.ts';
import type { Signer } from '../../src/storage/signing/signer.ts';
import type { Signing } from '../../src/storage/signing/signing.ts';
import type { TrustedKeys } from '../../src/storage/signing/trusted-keys.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
import { needProgram } from '../needs.ts';
import { place } from '../night/folder.ts';
import { readStandingCommit } from '../night/reader.ts';
import { company, slots } from '../night/small.ts';
import { rewriteCommit } from '../night/tamper.ts';

const [first = '', second = '', third = '', fourth = ''] = slots;
const here = place();
let folder = '';
const keyFile = () => join(folder, 'key.pem');
const publicKeyFile = () => join(folder, 'public.pem');
const signer = () => createLocalSigner(keyFile());
const refuse = () => Promise.reject(new MusterError('signing-failed', 'AWS KMS did not sign (AccessDenied).'));
const broken = (): Signer => ({ ...signer(), name: 'kms:away', sign: refuse });
const trust = (file: string): TrustedKeys => parseTrustedKeys(Buffer.from(file), 'keys.pem');
/** A key that signs, and the file of public keys that the settings name beside it. */
const signing = (by: Signer | undefined = signer(), file = `from 1\n${publicPem}`): Signing => ({
  signer: by,
  readKeys: async () => trust(file),
});
let publicPem = '';
let keys: TrustedKeys;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-keys-'));
  const { pem, privatePem } = makeKeys();
  publicPem = pem;
  keys = trust(`from 1\n${pem}`);
  await writeFile(keyFile(), privatePem);
  await writeFile(publicKeyFile(), pem);
});
afterAll(() => rm(folder, { recursive: true }));

const made = company();
const run = (slot: string, by: Signing = signing()) =>
  runNight(made.order(slot), { ...made.parts(here.store), signing: by });
const runUnsigned = (slot: string) => runNight(made.order(slot), made.parts(here.store));

async function codes(by: TrustedKeys = keys): Promise<string[]> {
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

const refused = { code: 'log-damaged', message: expect.stringContaining('commits/') };

describe('a signed store', () => {
  let signed = '';
  beforeAll(async () => {
    signed = await mkdtemp(join(tmpdir(), 'muster-signed-'));
    const store = createFolderStore(signed);
    for (const slot of [first, second, third]) {
      expect(await runNight(made.order(slot), { ...made.parts(store), signing: signing() })).toMatchObject({ exit: 0 });
    }
  });
  afterAll(() => rm(signed, { recursive: true }));
  beforeEach(() => cp(signed, here.path, { recursive: true }));

  test('is sound, and so is a copy of it, with the key alone', async () => {
    const copy = join(dirname(here.path), 'copy');
    await cp(here.path, copy, { recursive: true });
    for (const store of [here.store, createFolderStore(copy)]) {
      expect(await verifyRuns(store, { keys })).toMatchObject({ damage: [], head: { number: 3 } });
    }
  });

  test('is nothing under another key, and something again under both', async () => {
    const other = `from 1\n${makeKeys().pem}`;
    expect(await codes(trust(other))).toEqual(['signature-invalid', 'signature-invalid', 'signature-invalid']);
    expect(await codes(trust(`${other}from 1\n${publicPem}`))).toEqual([]);
  });

  test('is checked by the weekly verification with the keys that the settings name', async () => {
    const found: unknown[] = [];
    const verify = (by: Signing) =>
      verifyAndReport(
        { store: here.store, clock: systemClock, signing: by },
        (_level, _event, data) => void found.push(data),
      );
    await verify(signing());
    expect(found).toMatchObject([{ damaged: 0 }]);
    await verify(signing(undefined, `from 1\n${makeKeys().pem}`));
    expect(found.at(-1)).toMatchObject({ damaged: 3 });
  });

  const forgeries: Readonly<Record<string, (commit: Record<string, unknown>) => unknown>> = {
    'a number that was changed': (commit) => ({ ...commit, exit: 3 }),
    'a signature of another commit': (commit) => ({
      ...commit,
      signature: { algorithm: 'Ed25519', value: Buffer.alloc(64).toString('base64') },
    }),
    'a signature that was taken away': ({ signature: _, ...commit }) => commit,
  };
  test.each(Object.entries(forgeries))('names %s, and no run builds on it', async (_, forge) => {
    await rewriteCommit(here.path, forge);
    expect(await codes()).toEqual([expect.stringMatching(/^signature-(invalid|missing)$/)]);
    await expect(run(fourth)).rejects.toMatchObject(refused);
  });

  test('is not gone on with by a run whose settings name public keys, and no key that signs', async () => {
    await expect(run(fourth, { ...signing(), signer: undefined })).rejects.toMatchObject({
      code: 'signing-failed',
      message: expect.stringMatching(/^By keys\.pem, commit 4 must be signed, and the settings name no key/),
    });
    expect(await readStandingCommit(here.path)).toMatchObject({ number: 3 });
  });

  test('is gone on with by another key from the number on that the file of public keys says', async () => {
    const { signer: next, pem } = await makeSigner('next.pem');
    const file = `from 1\n${publicPem}from 4\n${pem}`;
    // The key that will be replaced signs nothing from its successor's number on.
    await expect(run(fourth, signing(signer(), file))).rejects.toMatchObject({ code: 'signing-failed' });
    expect(await run(fourth, signing(next, file))).toMatchObject({ exit: 0, did: 'published' });
    expect(await codes(trust(file))).toEqual([]);
    await expect(run(slots[4] ?? '')).rejects.toMatchObject(refused);
  });

  test('that another one of the same key takes the place of is named, where the file of public keys names its id', async () => {
    const { store: id } = await readStandingCommit(here.path);
    const file = `store ${id}\nfrom 1\n${publicPem}`;
    const named = trust(file);
    expect(await codes(named)).toEqual([]);
    await rm(here.path, { recursive: true });
    expect(await codes(named)).toEqual(['log-damaged']);
    await expect(run(first, signing(signer(), file))).rejects.toMatchObject({ message: expect.stringContaining(id) });
    await run(first);
    expect([await codes(), await codes(named)]).toEqual([[], ['log-damaged']]);
    await expect(run(second, signing(signer(), file))).rejects.toMatchObject({ message: expect.stringContaining(id) });
  });

  test('a retraction is signed like a run', async () => {
    const parts = { ...made.parts(here.store), signing: signing() };
    await retractRun({ slot: third, by: 'somebody', why: 'a wrong clock' }, parts);
    expect(await codes()).toEqual([]);
    const path = join(here.path, 'commits/0000000004.json');
    await writeFile(path, (await readFile(path, 'utf8')).replace('"by": "somebody"', '"by": "nobody"'));
    expect(await codes()).toEqual(['log-damaged', 'signature-invalid', 'copy-differs']);
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
  await expect(run(second)).rejects.toMatchObject(refused);
  const begun = signing(signer(), `from 2\n${publicPem}`);
  expect(await run(second, begun)).toMatchObject({ exit: 0, did: 'published' });
  expect(await run(third, begun)).toMatchObject({ exit: 0, did: 'published' });
  expect(await codes(await begun.readKeys())).toEqual([]);
  expect(await codes()).toEqual(['signature-missing']);
  // The log says nothing of it: without the settings, signing has ended.
  expect(await runUnsigned(fourth)).toMatchObject({ exit: 0, did: 'published' });
  expect(await codes(await begun.readKeys())).toEqual(['signature-missing']);
});

describe('A7: a key that signs, which the public keys do not list for the next commit', () => {
  const files: Readonly<Record<string, () => readonly [file: string, says: string]>> = {
    'at all': () => [`from 2\n${makeKeys().pem}`, 'signed commit 2, and no public key that keys.pem lists'],
    'since it was replaced': () => [
      `from 1\n${publicPem}from 2\n${makeKeys().pem}`,
      'signed commit 2, and no public key that keys.pem lists',
    ],
    yet: () => [`from 3\n${publicPem}`, 'commit 2 need not be signed yet: its first key counts from 3 on'],
  };

  test.each(Object.entries(files))('publishes nothing: not listed %s [R27]', async (_, make) => {
    const [file, says] = make();
    await (file.startsWith('from 1') ? run(first) : runUnsigned(first));
    await expect(run(second, signing(signer(), file))).rejects.toMatchObject({
      code: 'signing-failed',
      message: expect.stringContaining(says),
    });
    expect(await readStandingCommit(here.path)).toMatchObject({ number: 1, slot: first });
    expect(await codes(trust(file))).toEqual([]);
    const corrected = file.startsWith('from 1') ? `from 1\n${publicPem}` : `from 2\n${publicPem}`;
    expect(await run(second, signing(signer(), corrected))).toMatchObject({ exit: 0, did: 'published' });
    expect(await codes(trust(corrected))).toEqual([]);
  });

  const settings = { retention: { nights: 400 }, store: './muster-data' } as PreparedRun['settings'];
  const check = (by: Signing) =>
    checkStore({ parts: { ...made.parts(here.store), signing: by }, settings, folder: here.path });

  test('muster check says so before, with the lines that the file needs, which then hold [R27]', async () => {
    await runUnsigned(first);
    const found = await check(signing(signer(), `from 2\n${makeKeys().pem}`));
    expect(found).toMatchObject({
      facts: [expect.stringContaining(first)],
      problems: [expect.stringMatching(/signed commit 2, and no public key .* stand below\.$/)],
      lines: ['from 2', ...publicPem.trimEnd().split('\n')],
    });
    const added = signing(signer(), `${found.lines?.join('\n')}\n`);
    expect(await check(added)).toEqual({
      facts: [expect.stringContaining(first), `commit 2 will be signed with file:${keyFile()}`],
      problems: [],
    });
    expect(await run(second, added)).toMatchObject({ exit: 0, did: 'published' });
  });

  test('muster check prints the lines for a file that is not there yet, or is empty [R27]', async () => {
    for (const publicKeys of ['nowhere.pem', 'empty.pem']) {
      await writeFile(join(folder, 'empty.pem'), '\n');
      const { signing: opened } = openSigning({ signing: `file:${keyFile()}`, publicKeys }, folder);
      expect(await check(opened ?? signing())).toEqual({
        facts: ['nothing is published yet'],
        problems: [expect.stringMatching(new RegExp(`${publicKeys}, and it (could not|holds none).*stand below\\.$`))],
        lines: ['from 1', ...publicPem.trimEnd().split('\n')],
      });
    }
  });

  test('muster check tries the key, and says what to do where it does not sign', async () => {
    await run(first);
    expect(await check(signing(broken()))).toEqual({
      facts: [expect.stringContaining(first)],
      problems: ['AWS KMS did not sign (AccessDenied).'],
    });
    expect(await check({ ...signing(), signer: undefined })).toMatchObject({
      problems: [expect.stringContaining('the settings name no key that signs (signing)')],
    });
  });
});

test('a key that does not sign publishes nothing, and the next run is as if nothing had been', async () => {
  await run(first);
  await expect(run(second, signing(broken()))).rejects.toMatchObject({ code: 'signing-failed' });
  expect(await readStandingCommit(here.path)).toMatchObject({ slot: first });
  expect(await run(second)).toMatchObject({ exit: 0, did: 'published' });
  expect(await codes()).toEqual([]);
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
