/**
 * Reads the payloads of a configuration profile from any form of its property list: XML (Jamf Pro stores it as one
 * string, sometimes with entities escaped twice), binary, or signed.
 */

import { type BaseBlock, Constructed, fromBER, ObjectIdentifier, OctetString } from 'asn1js';
import type { PlistValue } from 'plist';
import { parseBinaryPropertyList } from './binary-property-list.ts';
import { parseXmlPropertyList } from './xml-property-list.ts';

export type Dictionary = Readonly<Record<string, PlistValue>>;

/** A profile is a few kilobytes. */
const longestProfile = 5_000_000;

/** The payload dictionaries; undefined where the text is not a property list. */
export function parsePayloads(text: string): readonly Dictionary[] | undefined {
  const root = text.length > longestProfile ? undefined : parsePropertyList(text.replace(/^\uFEFF/, '').trim());
  const profile = readDictionary(root);
  if (profile === undefined) {
    return undefined;
  }
  return readDictionaries(profile.PayloadContent);
}

export function readDictionaries(value: PlistValue | undefined): readonly Dictionary[] {
  return readArray(value)
    .map(readDictionary)
    .filter((item) => item !== undefined);
}

export function readDictionary(value: PlistValue | undefined): Dictionary | undefined {
  const isPlain =
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date) && !isBytes(value);
  return isPlain ? (value as Dictionary) : undefined;
}

export function readArray(value: PlistValue | undefined): readonly PlistValue[] {
  return Array.isArray(value) ? value : [];
}

function isBytes(value: PlistValue): value is Uint8Array {
  return value instanceof Uint8Array;
}

function parsePropertyList(text: string): PlistValue | undefined {
  try {
    if (text.startsWith('<')) {
      return parseXmlPropertyList(text);
    }
    // Entities escaped twice: stored as received, or saved once more (Jamf's PI-827).
    if (text.startsWith('&lt;')) {
      return parseXmlPropertyList(unescapeEntities(text));
    }
    return parsePropertyListBytes(Buffer.from(text.replace(/-----[A-Z0-9 ]+-----/g, '').replace(/\s+/g, ''), 'base64'));
  } catch {
    return undefined;
  }
}

function parsePropertyListBytes(bytes: Uint8Array): PlistValue | undefined {
  if (hasPrefix(bytes, 'bplist00')) {
    return parseBinaryPropertyList(bytes, longestProfile);
  }
  if (hasPrefix(bytes, '<')) {
    return parseXmlPropertyList(Buffer.from(bytes).toString('utf8').trim());
  }
  const inner = unwrapSignedData(bytes);
  return inner === undefined || hasPrefix(inner, '0') ? undefined : parsePropertyListBytes(inner);
}

function hasPrefix(bytes: Uint8Array, text: string): boolean {
  return Buffer.from(bytes.subarray(0, text.length)).toString('latin1') === text;
}

export function unescapeEntities(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
}

/**
 * A signed profile is a CMS SignedData around the property list (RFC 5652, section 5). Muster unwraps it to
 * read it; the device verifies the signature.
 */
const signedDataType = '1.2.840.113549.1.7.2';

/** The signed content, or undefined where the bytes are not SignedData with content. */
function unwrapSignedData(bytes: Uint8Array): Uint8Array | undefined {
  const { result, offset } = fromBER(new Uint8Array(bytes));
  if (offset === -1) {
    return undefined;
  }
  // ContentInfo { type, [0] SignedData { version, algorithms, { type, [0] OCTET STRING }, … } }
  const [type, content] = listChildBlocks(result);
  if (!(type instanceof ObjectIdentifier) || type.valueBlock.toString() !== signedDataType) {
    return undefined;
  }
  const [data] = listChildBlocks(content);
  const encapsulated = listChildBlocks(data)[2];
  const [octets] = listChildBlocks(listChildBlocks(encapsulated)[1]);
  return octets instanceof OctetString ? new Uint8Array(octets.getValue()) : undefined;
}

function listChildBlocks(block: BaseBlock | undefined): readonly BaseBlock[] {
  return block instanceof Constructed ? block.valueBlock.value : [];
}
