/**
 * The payloads of a configuration profile, whichever way its property list was written: XML (as Jamf Pro stores it, one
 * string with perhaps a layer of entities too many), binary, or signed.
 */
import { type PlistValue, parse, parseBinary } from 'plist';
import { unwrap } from './signed.ts';

export type Dictionary = Readonly<Record<string, PlistValue>>;

/** A profile is a few kilobytes. */
const longestProfile = 5_000_000;

/** The payload dictionaries; undefined where the text is no property list. */
export function payloadsOf(text: string): readonly Dictionary[] | undefined {
  const root = text.length > longestProfile ? undefined : read(text.replace(/^\uFEFF/, '').trim());
  const profile = dictionaryOf(root);
  if (profile === undefined) return undefined;
  return dictionariesIn(profile.PayloadContent);
}

export function dictionariesIn(value: PlistValue | undefined): readonly Dictionary[] {
  return listOf(value)
    .map(dictionaryOf)
    .filter((item) => item !== undefined);
}

export function dictionaryOf(value: PlistValue | undefined): Dictionary | undefined {
  const isPlain =
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date) && !isBytes(value);
  return isPlain ? (value as Dictionary) : undefined;
}

export function listOf(value: PlistValue | undefined): readonly PlistValue[] {
  return Array.isArray(value) ? value : [];
}

function isBytes(value: PlistValue): value is Uint8Array {
  return value instanceof Uint8Array;
}

function read(text: string): PlistValue | undefined {
  try {
    if (text.startsWith('<')) return fromXml(text);
    // One layer of entities too many: stored verbatim, or saved once too often (PI-827).
    if (text.startsWith('&lt;')) return fromXml(unescaped(text));
    return fromBytes(Buffer.from(text.replace(/-----[A-Z0-9 ]+-----/g, '').replace(/\s+/g, ''), 'base64'));
  } catch {
    return undefined;
  }
}

/** xmldom repairs what it can and only warns; a document that does not end is not one to judge by. */
function fromXml(text: string): PlistValue | undefined {
  return /<\/plist>\s*$/.test(text) ? parse(text) : undefined;
}

function fromBytes(bytes: Uint8Array): PlistValue | undefined {
  if (startsWith(bytes, 'bplist00')) return parseBinary(bytes);
  if (startsWith(bytes, '<')) return fromXml(Buffer.from(bytes).toString('utf8').trim());
  const inner = unwrap(bytes);
  return inner === undefined || startsWith(inner, '0') ? undefined : fromBytes(inner);
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return Buffer.from(bytes.subarray(0, text.length)).toString('latin1') === text;
}

function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
}
