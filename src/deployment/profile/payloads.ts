/**
 * Reads the payloads of a configuration profile from its property list. Jamf Pro stores it as one string: XML, sometimes
 * with entities escaped twice, or a signed message.
 */
import { type BaseBlock, Constructed, fromBER, ObjectIdentifier, OctetString } from 'asn1js';
import { parseString } from 'xml2js';
import { isRecord } from '../../base/is-record.ts';

export type Dictionary = Readonly<Record<string, unknown>>;

/** Characters of a profile; most have a few thousand. */
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
 * The type of a CMS SignedData, which a signed profile wraps around the property list (RFC 5652, section 5). Muster
 * unwraps it to read it; the device verifies the signature.
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

/** An element in the form that xml2js gives with these options. */
interface XmlNode {
  readonly '#name': string;
  readonly _?: string;
  readonly $$?: readonly XmlNode[];
}

const xmlOptions = {
  async: false,
  ignoreAttrs: true,
  explicitRoot: false,
  explicitChildren: true,
  preserveChildrenOrder: true,
  includeWhiteChars: true,
};

/**
 * Parses the XML form of a property list (https://www.apple.com/DTDs/PropertyList-1.0.dtd); undefined where the text is
 * not a complete one. Strict and silent: other parsers repair broken input and print it, whatever it contains.
 */
function parsePropertyList(text: string): unknown {
  // The parser ignores text after the root element.
  if (!/<\/plist>\s*$/.test(text)) {
    return undefined;
  }
  let root: XmlNode | undefined;
  // The callback only stores: xml2js would catch an exception in it and call it again. Its error quotes the text.
  parseString(escapeBareAmpersands(text), xmlOptions, (error, value) => {
    root = error === null ? value : undefined;
  });
  const [value, ...others] = root?.['#name'] === 'plist' ? (root.$$ ?? []) : [];
  return value === undefined || others.length > 0 ? undefined : toPropertyValue(value);
}

/** Escapes bare ampersands: Jamf Pro loses a level of escaping on some saves (PI-827), so that `&amp;` becomes `&`. */
function escapeBareAmpersands(text: string): string {
  return text.replace(/&(?!#?\w+;)/g, '&amp;');
}

/** Converts an element; data and dates stay text, since no check needs them. */
function toPropertyValue({ '#name': name, _: text = '', $$: children = [] }: XmlNode): unknown {
  switch (name) {
    case 'dict':
      return toPropertyDictionary(children);
    case 'array':
      return children.map(toPropertyValue);
    case 'string':
    case 'data':
    case 'date':
      return text;
    case 'integer':
    case 'real':
      return toPropertyNumber(text.trim());
    case 'true':
    case 'false':
      return name === 'true';
    default:
      throw new TypeError('not an element of a property list');
  }
}

function toPropertyDictionary(children: readonly XmlNode[]): unknown {
  const entries: [string, unknown][] = [];
  for (let index = 0; index < children.length; index += 2) {
    const [key, value] = [children[index], children[index + 1]];
    if (key?.['#name'] !== 'key' || value === undefined || value['#name'] === 'key') {
      throw new TypeError('a dictionary in which keys and values do not alternate');
    }
    entries.push([key._ ?? '', toPropertyValue(value)]);
  }
  // Defines every key as an own property, also `__proto__`.
  return Object.fromEntries(entries);
}

function toPropertyNumber(text: string): number {
  const number = Number(text);
  if (text === '' || Number.isNaN(number)) {
    throw new TypeError('a number that is none');
  }
  return number;
}
