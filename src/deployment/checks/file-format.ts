/** What is wrong with a file, from its first bytes and its length; undefined where it is what it should be. */
import { constants, gunzipSync, inflateSync } from 'node:zlib';

/** Enough for the table of contents of a package, and for the first file's name in a bundle. */
export const wantedBytes = 256 * 1024;

const xarHeaderBytes = 28;
const tarBlockBytes = 512;
/** What is needed of a bundle expands at most a thousandfold. */
const firstCompressedBytes = 16 * 1024;
const largestExpanded = 32 * 1024 * 1024;

/**
 * A macOS installer package is a xar archive: a header, a compressed table of contents in XML, then the files' data.
 * https://en.wikipedia.org/wiki/Xar_(archiver)
 */
export function packageProblem(first: Buffer, length: number): string | undefined {
  if (first.length < xarHeaderBytes || first.toString('latin1', 0, 4) !== 'xar!') {
    return 'it is no installer archive (xar)';
  }
  const [header, version, compressed] = [first.readUInt16BE(4), first.readUInt16BE(6), first.readBigUInt64BE(8)];
  if (header < xarHeaderBytes || version !== 1 || compressed === 0n) {
    return 'the header of its archive makes no sense';
  }
  const end = header + Number(compressed);
  if (end > length) {
    return 'its table of contents is cut short';
  }
  // A longer table is not read to its end; that the file holds it whole is known.
  if (end > first.length) {
    return undefined;
  }
  const contents = expand(() => inflateSync(first.subarray(header, end), { maxOutputLength: largestExpanded }));
  if (contents === undefined) {
    return 'its table of contents cannot be read';
  }
  return end + lengthOfData(contents.toString('utf8')) > length ? 'it is cut short' : undefined;
}

/** How far the files' data reach behind the table of contents, as it says itself. */
function lengthOfData(contents: string): number {
  const ends = contents
    .split('<data>')
    .slice(1)
    .map((text) => numberIn(text, 'offset') + numberIn(text, 'length'));
  return ends.reduce((longest, end) => Math.max(longest, end), 0);
}

function numberIn(text: string, element: string): number {
  const [data = ''] = text.split('</data>', 1);
  return Number(new RegExp(`<${element}>(\\d+)</${element}>`).exec(data)?.[1] ?? 0);
}

/** A gzip file whose first block is the header of a file in a tar archive. */
export function bundleProblem(first: Buffer): string | undefined {
  if (first.length < 3 || first.readUIntBE(0, 3) !== 0x1f8b08) {
    return 'it is no gzip file';
  }
  const start = first.subarray(0, firstCompressedBytes);
  // Cut off on purpose, so that its end is not waited for.
  const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: largestExpanded };
  const block = expand(() => gunzipSync(start, options));
  if (block === undefined) {
    return 'it is a gzip file that cannot be unpacked';
  }
  return isTarHeader(block.subarray(0, tarBlockBytes)) ? undefined : 'it is gzip, but no tar archive with a file';
}

/** Every dialect of tar has the sum of the header's bytes at 148, counted with spaces in its own place. */
function isTarHeader(block: Buffer): boolean {
  if (block.length < tarBlockBytes) {
    return false;
  }
  const stated = /^ *([0-7]+)/.exec(block.toString('latin1', 148, 156))?.[1] ?? '';
  const sum = block.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 0x20 : byte), 0);
  return Number.parseInt(stated, 8) === sum;
}

/** What is broken or grows beyond all bounds is undefined. */
function expand(unpack: () => Buffer): Buffer | undefined {
  try {
    return unpack();
  } catch {
    return undefined;
  }
}
