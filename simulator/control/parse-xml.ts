/** Reads XML that was uploaded. */
import { parseString } from 'xml2js';
import { toText } from '../platforms/request.ts';

type XmlElement = Readonly<Record<string, unknown>>;

/** The root element, which must have this name. */
export function parseUploadedXml(text: string, root: string): unknown {
  let value: unknown;
  parseString(text, { explicitRoot: true }, (error, result: unknown) => {
    if (error !== null) {
      throw error;
    }
    value = result;
  });
  const found = typeof value === 'object' && value !== null ? (value as XmlElement)[root] : undefined;
  if (found === undefined) {
    throw new Error(`no <${root}>`);
  }
  return found;
}

export function readDescendantText(parent: unknown, ...names: string[]): string {
  return toText(findDescendant(parent, ...names)).trim();
}

export function findDescendant(parent: unknown, ...names: string[]): unknown {
  return names.reduce<unknown>((inner, name) => listChildElements(inner, name)[0], parent);
}

export function listChildElements(parent: unknown, name: string): unknown[] {
  const found = typeof parent === 'object' && parent !== null ? (parent as XmlElement)[name] : undefined;
  return Array.isArray(found) ? found : [];
}
