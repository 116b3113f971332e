/**
 * Reads the payloads of a configuration profile from its property list. Jamf Pro stores it as one string: XML, sometimes
 * with entities escaped twice, or a signed message.
 */
import { type BaseBlock, Constructed, fromBER, ObjectIdentifier, OctetString } from 'asn1js';
import { isRecord } from '../../base/is-record.ts';
import { parsePropertyList } from './property-list.ts';

export type Dictionary = Readonly<Record<string, unknown>>;

/** A profile is a few kilobytes. */
const longestProfile = 5_000_000;

/** The payload dictionaries; undefined where the text is not a property list. */
export function parsePayloads(text: string): readonly Dictionary[] | undefined {
  const profile = text.length > longestProfile ? undefined : parseProfile(text.replace(/^\uFEFF/, '').trim());
  return isRecord(profile) ? readArray(profile.PayloadContent).filter(isRecord) : undefined;
}

export function readArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function parseProfile(text: string): unknown {
  try {
    if (text.startsWith('<')) {
      return parsePropertyList(text);
    }
    // Entities escaped twice: stored as received, or saved once more (Jamf's PI-827).
    const isEscaped = text.startsWith('&lt;');
    return parsePropertyList(isEscaped ? unescapeEntities(text) : unwrapSignedData(text));
  } catch {
    return undefined;
  }
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

/** The signed text; empty where the message is not SignedData with content. */
function unwrapSignedData(message: string): string {
  const bytes = Buffer.from(message.replace(/-----[A-Z0-9 ]+-----/g, ''), 'base64');
  const { result, offset } = fromBER(new Uint8Array(bytes));
  // ContentInfo { type, [0] SignedData { version, algorithms, { type, [0] OCTET STRING }, … } }
  const [type, content] = offset === -1 ? [] : listChildBlocks(result);
  if (!(type instanceof ObjectIdentifier) || type.valueBlock.toString() !== signedDataType) {
    return '';
  }
  const [data] = listChildBlocks(content);
  const encapsulated = listChildBlocks(data)[2];
  const [octets] = listChildBlocks(listChildBlocks(encapsulated)[1]);
  return octets instanceof OctetString ? Buffer.from(octets.getValue()).toString('utf8').trim() : '';
}

function listChildBlocks(block: BaseBlock | undefined): readonly BaseBlock[] {
  return block instanceof Constructed ? block.valueBlock.value : [];
}
