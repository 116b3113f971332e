/** The file of public keys: its grammar, and which commits must be signed by which key. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readTrustedKeys } from '../../src/compose/parts.ts';
import { parseTrustedKeys } from '../../src/storage/signing/parse-keys.ts';
import { judgeSignature } from '../../src/storage/signing/trusted-keys.ts';

const toPem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();
const one = generateKeyPairSync('ed25519');
const two = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = toPem(one.publicKey);
const otherPem = toPem(two.publicKey);
const id = '0f1e2d3c4b5a69788796a5b4c3d2e1f0';
const parse = (text: string) => parseTrustedKeys(Buffer.from(text), 'keys.pem');

describe('the file of public keys', () => {
  const accepted: Readonly<Record<string, readonly [text: string, from: readonly number[], store?: string]>> = {
    'one key': [`from 1\n${pem}`, [1]],
    'several keys, a store, comments and blank lines': [
      `# All keys of Muster.\nstore ${id}\n\nfrom 1\n${pem}\n# The new one:\nfrom 43\n\n${otherPem} \n`,
      [1, 43],
      id,
    ],
    'lines that end as on Windows': [`from 1\n${pem}`.replaceAll('\n', '\r\n'), [1]],
    'no end of the last line': [`from 1\n${pem}`.trimEnd(), [1]],
    'two keys from one number on': [`from 7\n${pem}from 7\n${otherPem}`, [7, 7]],
  };
  test.each(Object.entries(accepted))('may hold %s', (_, [text, from, store]) => {
    const keys = parse(text);
    expect(keys).toMatchObject({ name: 'keys.pem', keys: from.map((number) => ({ from: number })) });
    expect(keys.store).toBe(store);
  });

  const rsa = toPem(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey);
  const privatePem = one.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const replaced = `from 1\n${pem}`;
  const refused: Readonly<Record<string, readonly [text: string, why: string]>> = {
    'another case': [`${replaced}From 43\n${otherPem}`, 'line 5 is not understood ("From 43").'],
    'a line that is indented': [`${replaced} from 43\n${otherPem}`, 'line 5 is not understood (" from 43").'],
    'a comment behind a line': [`${replaced}from 43 # new\n${otherPem}`, 'line 5 is not understood ("from 43 # new").'],
    'a space behind a line': [`${replaced}from 43 \n${otherPem}`, 'line 5 is not understood ("from 43 ").'],
    'a number with a zero before it': [`from 01\n${pem}`, 'line 1 is not understood ("from 01").'],
    'no commit’s number': [`from 0\n${pem}`, 'line 1 is not understood ("from 0").'],
    'a number of eleven digits': [`from 12345678901\n${pem}`, 'line 1 is not understood ("from 12345678901").'],
    'a byte order mark': [`\ufefffrom 1\n${pem}`, 'line 1 begins with a byte order mark; save the file as UTF-8'],
    'a character that nobody sees': [
      `from 1\n${pem}\u200efrom 43\n${otherPem}`,
      'line 5 is not understood ("\\u200efrom',
    ],
    'a store in another case': [`Store ${id}\n${replaced}`, 'line 1 is not understood ("Store 0f1e'],
    'a store without an id': [`store\n${replaced}`, 'line 1 is not understood ("store").'],
    'a store that is none': [`store 1\n${replaced}`, 'line 1 is not understood ("store 1").'],
    'two stores': [
      `store ${id}\nstore ${id}\n${replaced}`,
      'line 2 names the store, which stands once, above all keys',
    ],
    'a store below a key': [`${replaced}store ${id}\n`, 'line 5 names the store'],
    'text between the keys': [
      `${replaced}the new one:\nfrom 43\n${otherPem}`,
      'line 5 is not understood ("the new one:")',
    ],
    'a key without a number': [pem, 'line 1 begins a key that has no number; write "from"'],
    'a second key below one number': [`${replaced}${otherPem}`, 'line 5 begins a key that has no number'],
    'a number twice': [`from 1\nfrom 2\n${pem}`, 'line 2 gives a second number to one key ("from 2")'],
    'a number without a key': [`${replaced}from 43\n`, 'no key follows the last line "from 43"'],
    'a key of another kind': [`from 1\n${rsa}`, 'line 2 begins a key that is neither Ed25519 nor ECC_NIST_P256'],
    'a private key': [`from 1\n${privatePem}`, 'line 2 is not understood ("-----BEGIN PRIVATE KEY-----").'],
    'a key that is cut off': [
      `from 1\n${pem.replace(/-----END[\s\S]*/, '')}`,
      'line 2 begins a key that is broken in line 4',
    ],
    'a key with a line that is none': [
      `from 1\n${pem.replace('\n', '\nfrom 9\n')}`,
      'line 2 begins a key that is broken in line 3',
    ],
  };
  test.each(Object.entries(refused))('A13: is refused with %s, by its line [R33]', (_, [text, why]) => {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({
        code: 'public-keys-unreadable',
        message: expect.stringMatching(/Allowed are blank lines, comments that begin with #, "store".* as "from 43"/),
      }),
    );
    expect(() => parse(text)).toThrow(`Muster could not read the public keys in keys.pem: ${why}`);
  });

  test('A13: shows no long line, which may be of a private key [R33]', () => {
    const [, secret = ''] = privatePem.split('\n');
    expect(() => parse(`${replaced}${secret}\n`)).toThrow('line 5 is not understood. Allowed');
  });

  test('that is not there, is empty or is no text is named with what to do', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'muster-keys-'));
    const file = join(folder, 'keys.pem');
    const missing = { code: 'public-keys-missing', message: expect.stringContaining('muster check prints the lines') };
    await expect(readTrustedKeys(file)).rejects.toMatchObject(missing);
    await writeFile(file, '# None yet.\n');
    await expect(readTrustedKeys(file)).rejects.toMatchObject(missing);
    await writeFile(file, Buffer.from([0xff, 0xfe]));
    await expect(readTrustedKeys(file)).rejects.toMatchObject({ code: 'public-keys-unreadable' });
    await rm(folder, { recursive: true });
  });
});

test('each number must be signed by the key that began last, and none below the first', () => {
  const trusted = parse(`store ${id}\nfrom 3\n${pem}from 5\n${otherPem}`);
  const text = Buffer.from('a commit');
  const byOne = { value: sign(null, text, one.privateKey).toString('base64') };
  const byTwo = { value: sign('sha256', text, two.privateKey).toString('base64') };
  const judge = (number: number, signature?: { readonly value: string }, of = text, store: string | undefined = id) =>
    judgeSignature(trusted, { number, store, text: of, signature });
  expect([1, 2, 3, 4, 5, 6].map((number) => [judge(number), judge(number, byOne), judge(number, byTwo)])).toEqual([
    ['not-required', 'not-required', 'not-required'],
    ['not-required', 'not-required', 'not-required'],
    ['missing', 'valid', 'invalid'],
    ['missing', 'valid', 'invalid'],
    ['missing', 'invalid', 'valid'],
    ['missing', 'invalid', 'valid'],
  ]);
  expect(judge(3, byOne, Buffer.from('another'))).toBe('invalid');
  expect(judge(3, { value: '' })).toBe('invalid');
  expect(judge(1, undefined, text, '1'.repeat(32))).toBe('other-store');
});
