/**
 * Parses the Classic API's XML. Only known elements are read, every list is an array however many children it has, and
 * all values stay text, so that the parser guesses no types.
 */
import { parseString } from 'xml2js';
import { createUnreadableAnswerError } from '../../http/body.ts';
import { readRecord } from '../reading/fields.ts';

/** An element as xml2js gives it: text, or children by name. */
export type XmlElement = unknown;

/** The root element of a document, which must be `name`. */
export function parseRoot(text: string, name: string, who: string): XmlElement {
  // xml2js stops after the first root. Inside a wrapper it reports a second root, stray text and a DOCTYPE as errors,
  // and a truncated document does not close the wrapper.
  const content = replaceForbiddenReferences(text.replace(/^\uFEFF?\s*<\?xml[^>]*\?>/, ''));
  const wrapped = `<document>${content}</document>`;
  let failed = text.includes('</document');
  let result: unknown;
  // The callback only stores its arguments: xml2js would catch an exception in it and call it again.
  parseString(wrapped, { ignoreAttrs: true, explicitRoot: false, async: false }, (error, value) => {
    if (error !== null) {
      failed = true;
    } else {
      result = value;
    }
  });
  const wrapper = readRecord(result);
  const roots = wrapper === undefined ? [] : Object.keys(wrapper);
  const found = listChildren(result, name);
  if (failed || roots.length !== 1 || found.length !== 1) {
    throw createUnreadableAnswerError(who, `something other than one complete XML document <${name}>`);
  }
  return found[0];
}

/**
 * Replaces references to characters that XML forbids by U+FFFD: servers write them for control characters, and one in
 * any object's name would make the whole list unreadable.
 */
function replaceForbiddenReferences(text: string): string {
  return text.replace(/&#(?:x([0-9a-f]+)|([0-9]+));/gi, (reference, hexadecimal?: string, decimal = '') => {
    const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
    return isXmlCharacter(code) ? reference : '\uFFFD';
  });
}

/** Whether XML allows the character: https://www.w3.org/TR/xml/#charsets */
function isXmlCharacter(code: number): boolean {
  const isText = code >= 0x20 && code <= 0x10_ff_ff && code !== 0xff_fe && code !== 0xff_ff;
  return [0x9, 0xa, 0xd].includes(code) || (isText && (code < 0xd8_00 || code > 0xdf_ff));
}

export function listChildren(element: XmlElement, name: string): readonly XmlElement[] {
  const found = readRecord(element)?.[name];
  return Array.isArray(found) ? found : [];
}

export function findChild(element: XmlElement, name: string): XmlElement {
  return listChildren(element, name)[0];
}

/** The text of a child element, or undefined where there is none; an empty element is empty text. */
export function readChildText(element: XmlElement, name: string): string | undefined {
  const found = findChild(element, name);
  return typeof found === 'string' ? found : undefined;
}
