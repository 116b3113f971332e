/**
 * Parses the XML form of a property list (https://www.apple.com/DTDs/PropertyList-1.0.dtd). Strict, and silent: other
 * parsers repair what is broken, and print what they repaired, which may hold anything.
 */
import type { PlistValue } from 'plist';
import { parseString } from 'xml2js';
import { isRecord } from '../../base/is-record.ts';

interface XmlNode {
  readonly name: string;
  readonly text: string;
  readonly children: readonly XmlNode[];
}

/** Undefined where the text is no complete property list. */
export function parseXmlPropertyList(text: string): PlistValue | undefined {
  // What follows the root element is not looked at by the parser.
  if (!/<\/plist>\s*$/.test(text)) {
    return undefined;
  }
  let root: XmlNode | undefined;
  // The callback only stores: xml2js would catch an exception in it and call it again. Its error quotes the text.
  parseString(escapeBareAmpersands(text), xmlOptions, (error, value) => {
    root = error === null ? toNode(value) : undefined;
  });
  const [value, ...others] = root?.name === 'plist' ? root.children : [];
  return value === undefined || others.length > 0 ? undefined : toPropertyValue(value);
}

const xmlOptions = {
  async: false,
  ignoreAttrs: true,
  explicitRoot: false,
  explicitChildren: true,
  preserveChildrenOrder: true,
  includeWhiteChars: true,
};

/** Jamf Pro loses a level of escaping on some saves (PI-827), so that `&amp;` becomes `&`. */
function escapeBareAmpersands(text: string): string {
  return text.replace(/&(?!#?\w+;)/g, '&amp;');
}

function toNode(value: unknown): XmlNode | undefined {
  if (!isRecord(value)) {
    return undefined;
  }
  const { '#name': name, _: text, $$: children } = value;
  return {
    name: String(name),
    text: typeof text === 'string' ? text : '',
    children: (Array.isArray(children) ? children : []).map(toNode).filter((node) => node !== undefined),
  };
}

function toPropertyValue({ name, text, children }: XmlNode): PlistValue {
  switch (name) {
    case 'dict':
      return toPropertyDictionary(children);
    case 'array':
      return children.map(toPropertyValue);
    case 'string':
      return text;
    case 'integer':
    case 'real':
      return toPropertyNumber(text);
    case 'true':
    case 'false':
      return name === 'true';
    case 'data':
      return Buffer.from(text.replace(/\s+/g, ''), 'base64');
    case 'date':
      return new Date(text);
    default:
      throw new TypeError('not an element of a property list');
  }
}

function toPropertyDictionary(children: readonly XmlNode[]): PlistValue {
  const entries: [string, PlistValue][] = [];
  for (let index = 0; index < children.length; index += 2) {
    const [key, value] = [children[index], children[index + 1]];
    if (key?.name !== 'key' || value === undefined || value.name === 'key') {
      throw new TypeError('a dictionary in which keys and values do not alternate');
    }
    entries.push([key.text, toPropertyValue(value)]);
  }
  // Defines every key as its own, `__proto__` too.
  return Object.fromEntries(entries);
}

function toPropertyNumber(text: string): number {
  const number = Number(text.trim());
  if (text.trim() === '' || Number.isNaN(number)) {
    throw new TypeError('a number that is none');
  }
  return number;
}
