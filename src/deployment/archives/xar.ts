/**
 * A macOS installer package is a xar archive: a header, a compressed table of contents in XML, then the files' data.
 * https://en.wikipedia.org/wiki/Xar_(archiver)
 */
import { inflateSync } from 'node:zlib';
import { parseString } from 'xml2js';
import type { Inspector } from './inspector.ts';

const headerBytes = 28;
const largestContents = 32 * 1024 * 1024;

/** Keeps the header and the table of contents, and counts the rest. */
export function xarInspector(): Inspector {
  const pieces: Buffer[] = [];
  let kept = 0;
  let bytes = 0;
  let wanted = headerBytes;
  return {
    take(piece) {
      bytes += piece.length;
      if (kept >= wanted) return;
      pieces.push(piece);
      kept += piece.length;
      if (wanted === headerBytes && kept >= headerBytes) wanted = endOfContents(Buffer.concat(pieces)) ?? headerBytes;
    },
    async end() {
      return problemOf(Buffer.concat(pieces), bytes);
    },
  };
}

/** Where the table of contents ends; undefined where this is no xar archive. */
function endOfContents(head: Buffer): number | undefined {
  if (head.length < headerBytes || head.toString('latin1', 0, 4) !== 'xar!') return undefined;
  const [header, compressed] = [head.readUInt16BE(4), head.readBigUInt64BE(8)];
  return header < headerBytes || compressed > largestContents ? undefined : header + Number(compressed);
}

function problemOf(head: Buffer, bytes: number): string | undefined {
  const end = endOfContents(head);
  if (end === undefined) return 'it is no installer archive (xar)';
  const expanded = head.readBigUInt64BE(16);
  if (head.length < end || expanded > largestContents) return 'its table of contents is cut short';
  const contents = contentsOf(head.subarray(head.readUInt16BE(4), end), Number(expanded));
  if (contents === undefined) return 'its table of contents cannot be read';
  if (!contents.names.some((name) => name === 'Distribution' || name === 'PackageInfo')) {
    return 'it is an archive, but no installer';
  }
  return end + contents.dataBytes > bytes ? 'it is cut short' : undefined;
}

interface Contents {
  readonly names: readonly string[];
  /** How far the files' data reach behind the table of contents. */
  readonly dataBytes: number;
}

function contentsOf(compressed: Buffer, expanded: number): Contents | undefined {
  try {
    const xml = inflateSync(compressed, { maxOutputLength: expanded });
    return xml.length === expanded ? readContents(xml.toString('utf8')) : undefined;
  } catch {
    return undefined;
  }
}

function readContents(xml: string): Contents | undefined {
  let root: unknown;
  parseString(xml, { ignoreAttrs: true, async: false }, (error, value: { xar?: unknown } | null) => {
    root = error === null ? value?.xar : undefined;
  });
  const [table] = childrenOf(root, 'toc');
  if (table === undefined) return undefined;
  const names: string[] = [];
  let dataBytes = 0;
  const visit = (element: unknown): void => {
    for (const file of childrenOf(element, 'file')) {
      const [name] = childrenOf(file, 'name');
      if (typeof name === 'string') names.push(name);
      const [data] = childrenOf(file, 'data');
      const [offset, length] = [childrenOf(data, 'offset')[0], childrenOf(data, 'length')[0]].map(Number);
      if (Number.isSafeInteger(offset) && Number.isSafeInteger(length)) {
        dataBytes = Math.max(dataBytes, (offset ?? 0) + (length ?? 0));
      }
      visit(file);
    }
  };
  visit(table);
  return { names, dataBytes };
}

function childrenOf(element: unknown, name: string): readonly unknown[] {
  const found =
    typeof element === 'object' && element !== null ? (element as Record<string, unknown>)[name] : undefined;
  return Array.isArray(found) ? found : [];
}
