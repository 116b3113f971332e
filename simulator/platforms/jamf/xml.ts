/** Writes XML as the Classic API does: elements only, lists with a size, empty elements closed at once. */

type XmlValue = string | number | boolean | null | undefined | XmlNode | readonly (XmlNode | string)[];
export interface XmlNode {
  readonly [element: string]: XmlValue;
}

/** A list in the Classic API's form: its size, then one element for each item. */
export function createXmlList(itemName: string, items: readonly XmlNode[]): XmlNode {
  return { size: items.length, [itemName]: items };
}

export function renderXmlDocument(root: string, node: XmlNode): string {
  return `<?xml version="1.0" encoding="UTF-8"?>${renderElement(root, node)}`;
}

function renderElement(name: string, value: XmlValue): string {
  if (value === undefined) {
    return '';
  }
  if (value === null || value === '') {
    return `<${name}/>`;
  }
  if (Array.isArray(value)) {
    return value.map((item) => renderElement(name, item)).join('');
  }
  if (typeof value === 'object') {
    const inner = Object.entries(value).map(([child, inside]) => renderElement(child, inside));
    return inner.join('') === '' ? `<${name}/>` : `<${name}>${inner.join('')}</${name}>`;
  }
  return `<${name}>${escapeXml(String(value))}</${name}>`;
}

function escapeXml(value: string): string {
  return (
    value
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('\r', '&#13;')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 forbids these references, and servers write them
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, (character) => `&#${character.charCodeAt(0)};`)
  );
}
