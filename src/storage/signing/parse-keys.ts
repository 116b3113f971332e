/**
 * Parses the file of public keys, line by line: blank lines, `#` comments, at most one `store ID` above all keys, and
 * each key in PEM below its `from NUMBER`. Any other line is refused with its number: ignoring it could let a replaced
 * key go on signing, or another store take this one's place. docs/keeping.md describes the file.
 */
import { isUtf8 } from 'node:buffer';
import { createPublicKey, type KeyObject } from 'node:crypto';
import { MusterError } from '../../base/errors.ts';
import { escapeUnsafeCharacters } from '../../base/log.ts';
import type { TrustedKey, TrustedKeys } from './trusted-keys.ts';

const begin = '-----BEGIN PUBLIC KEY-----';
const end = '-----END PUBLIC KEY-----';
const base64Line = /^[A-Za-z0-9+/]{1,76}={0,2}$/;

/** Characters of a line that an error shows: a longer line may belong to a private key. */
const longestShown = 40;

/** Position of the next line; a PEM block takes several lines. */
interface Reader {
  readonly lines: readonly string[];
  /** Index of the next line, from 0. */
  next: number;
}

/** Throws `public-keys-missing` where the file has no key, and `public-keys-unreadable` where it has anything else. */
export function parseTrustedKeys(body: Buffer, name: string): TrustedKeys {
  if (!isUtf8(body)) {
    throw createUnreadableError(name, 'it is not UTF-8 text');
  }
  const reader: Reader = { lines: body.toString('utf8').split(/\r?\n/), next: 0 };
  const keys: TrustedKey[] = [];
  let store: string | undefined;
  let from: number | undefined;
  while (reader.next < reader.lines.length) {
    const place = reader.next + 1;
    const line = reader.lines[reader.next] ?? '';
    reader.next += 1;
    const refuse = (why: string) => createUnreadableError(name, `line ${place} ${why}`);
    const [, number] = /^from ([1-9]\d{0,9})$/.exec(line) ?? [];
    const [, id] = /^store ([0-9a-f]{32})$/.exec(line) ?? [];
    if (line === begin) {
      if (from === undefined) {
        throw refuse('begins a key that has no number; write "from" and its number in a line above it');
      }
      keys.push({ key: readKey(reader, refuse), from });
      from = undefined;
    } else if (number !== undefined) {
      if (from !== undefined) {
        throw refuse(`gives a second number to one key (${showLine(line)})`);
      }
      from = Number(number);
    } else if (id !== undefined) {
      if (store !== undefined || from !== undefined || keys.length > 0) {
        throw refuse('names the store, which stands once, above all keys');
      }
      store = id;
    } else if (!/^[ \t]*$|^#/.test(line)) {
      throw refuse(describeLine(line));
    }
  }
  if (from !== undefined) {
    throw createUnreadableError(name, `no key follows the last line "from ${from}"`);
  }
  if (keys.length === 0) {
    throw createMissingError(name, 'holds none');
  }
  return { name, store, keys };
}

/** Reads the key whose block has begun. Checks its base64 strictly, since `createPublicKey` ignores many errors. */
function readKey(reader: Reader, refuse: (why: string) => MusterError): KeyObject {
  const block: string[] = [];
  for (; reader.lines[reader.next] !== end; reader.next += 1) {
    const line = reader.lines[reader.next];
    if (line === undefined || !base64Line.test(line)) {
      throw refuse(`begins a key that is broken in line ${reader.next + 1}; copy it again, up to ${end}`);
    }
    block.push(line);
  }
  reader.next += 1;
  const key = createKey([begin, ...block, end, ''].join('\n'));
  if (key === undefined) {
    throw refuse('begins a key that is neither Ed25519 nor ECC_NIST_P256');
  }
  return key;
}

function createKey(pem: string): KeyObject | undefined {
  try {
    const key = createPublicKey(pem);
    const isP256 = key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
    return key.asymmetricKeyType === 'ed25519' || isP256 ? key : undefined;
  } catch {
    return undefined;
  }
}

function describeLine(line: string): string {
  if (line.startsWith('\ufeff')) {
    return 'begins with a byte order mark; save the file as UTF-8 without one';
  }
  return `is not understood${line.length > longestShown ? '' : ` (${showLine(line)})`}`;
}

function showLine(line: string): string {
  return escapeUnsafeCharacters(JSON.stringify(line));
}

const allowed =
  `Allowed are blank lines, comments that begin with #, "store" and the store's id in one line above all keys, and keys: ` +
  `a line "from" and the number of the first commit that the key signs, as "from 43", then the key from ${begin} to ` +
  `${end}. Nothing was checked, signed or published; correct the file.`;

function createUnreadableError(name: string, why: string): MusterError {
  return new MusterError(
    'public-keys-unreadable',
    `Muster could not read the public keys in ${name}: ${why}. ${allowed}`,
  );
}

/** The error for a file of keys that is empty or cannot be read. */
export function createMissingError(name: string, why: string, cause?: unknown): MusterError {
  const sentence = `The public keys that commits are checked with should stand in ${name}, and it ${why}.`;
  const advice = 'Nothing was checked, signed or published; muster check prints the lines to write there.';
  return new MusterError('public-keys-missing', `${sentence} ${advice}`, { cause });
}
