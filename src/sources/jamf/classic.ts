/**
 * Parses the Classic API's XML. Only known elements are read, every list is an array however many children it has, and
 * all values stay text: the parser does not guess which are numbers.
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
  const wrapped = `<document>${text.replace(/^\uFEFF?\s*<\?xml[^>]*\?>/, '')}</document>`;
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
