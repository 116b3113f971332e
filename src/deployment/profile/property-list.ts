/**
 * Parses the XML form of a property list (https://www.apple.com/DTDs/PropertyList-1.0.dtd). Strict, and silent: other
 * parsers repair what is broken, and print what they repaired, which may hold anything.
 */
import { parseString } from 'xml2js';

/** An element as xml2js gives it with these options. */
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

/** Undefined where the text is no complete property list. */
export function parsePropertyList(text: string): unknown {
  // What follows the root element is not looked at by the parser.
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

/** Jamf Pro loses a level of escaping on some saves (PI-827), so that `&amp;` becomes `&`. */
function escapeBareAmpersands(text: string): string {
  return text.replace(/&(?!#?\w+;)/g, '&amp;');
}

/** Data and dates stay text: no check asks for them. */
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
  // Defines every key as its own, `__proto__` too.
  return Object.fromEntries(entries);
}

function toPropertyNumber(text: string): number {
  const number = Number(text);
  if (text === '' || Number.isNaN(number)) {
    throw new TypeError('a number that is none');
  }
  return number;
}
