/** The service's two downloads, judged by their first bytes and their length: docs/coverage.md, section 4. */
import { constants, gunzipSync, inflateSync } from 'node:zlib';
import { pluralize } from '../../../core/text/pluralize.ts';
import type { Check } from '../check.ts';
import { fail, pass, quoteText, reportUnknown, reportUnread } from '../verdicts.ts';
import type { JamfReading } from './reading.ts';

/** Bytes that hold the table of contents of a package, and the first file's name in a bundle. */
export const wantedBytes = 256 * 1024;

export const packageCheck = createDownloadCheck(
  'package',
  'the service serves fhfs.pkg, a macOS installer archive',
  findPackageProblem,
);

export const bundleCheck = createDownloadCheck(
  'bundle',
  'the service serves bundle.dat, a gzip tar archive',
  findBundleProblem,
);

function createDownloadCheck(
  name: 'package' | 'bundle',
  expected: string,
  findProblem: (firstBytes: Buffer, length: number) => string | undefined,
): Check<JamfReading> {
  const serviceAdvice = 'Check deployment.service, and that the service serves its downloads.';
  return {
    id: `service.${name}`,
    expected,
    blindSpot: 'whether it is the vendor’s file, and whether it is whole behind its first 256 KiB',
    needs: ['deployment.service'],
    group: 'downloads of the service',
    judge({ [name]: download }) {
      if (download === undefined || download.kind === 'unread') {
        return reportUnread(download);
      }
      if (download.kind === 'refused') {
        return fail(download.why, serviceAdvice);
      }
      const { length, etag, firstBytes } = download.file;
      if (length === undefined) {
        return reportUnknown('the service does not say how long the file is', serviceAdvice);
      }
      const problem = length === 0 ? 'it is empty' : findProblem(firstBytes, length);
      const version = etag === undefined ? 'no ETag' : `ETag ${quoteText(etag.replaceAll('"', ''))}`;
      const found = `${problem ?? 'as expected'}; ${length} ${pluralize(length, 'byte')}, ${version}`;
      const advice = "Put the vendor's file back on the service; devices install whatever it serves.";
      return problem === undefined ? pass(found) : fail(found, advice);
    },
  };
}

const xarHeaderBytes = 28;
const tarBlockBytes = 512;
/** Limits of expanding the first bytes of a bundle. */
const firstCompressedBytes = 16 * 1024;
const largestExpanded = 32 * 1024 * 1024;

/**
 * The problem of a package; undefined where its format is right. It is a xar archive: a header, a compressed table of
 * contents in XML, then the files' data. https://en.wikipedia.org/wiki/Xar_(archiver)
 */
function findPackageProblem(first: Buffer, length: number): string | undefined {
  if (first.length < xarHeaderBytes || first.toString('latin1', 0, 4) !== 'xar!') {
    return 'it is not an installer archive (xar)';
  }
  const [header, version, compressed] = [first.readUInt16BE(4), first.readUInt16BE(6), first.readBigUInt64BE(8)];
  if (header < xarHeaderBytes || version !== 1 || compressed === 0n) {
    return 'its archive header is invalid';
  }
  const end = header + Number(compressed);
  if (end > length) {
    return 'its table of contents is cut off';
  }
  // A table beyond the first bytes is not parsed; the file is long enough to contain it.
  if (end > first.length) {
    return undefined;
  }
  const contents = expand(() => inflateSync(first.subarray(header, end), { maxOutputLength: largestExpanded }));
  if (contents === undefined) {
    return 'its table of contents cannot be read';
  }
  return end + computeDataLength(contents.toString('utf8')) > length ? 'it is cut off' : undefined;
}

/** Bytes of file data that must follow the table of contents, according to the table. */
function computeDataLength(contents: string): number {
  const ends = contents
    .split('<data>')
    .slice(1)
    .map((text) => readNumber(text, 'offset') + readNumber(text, 'length'));
  return ends.reduce((longest, end) => Math.max(longest, end), 0);
}

function readNumber(text: string, element: string): number {
  const [data = ''] = text.split('</data>', 1);
  return Number(new RegExp(`<${element}>(\\d+)</${element}>`).exec(data)?.[1] ?? 0);
}

/** The problem of a bundle: it must be a gzip file whose first block is the header of a file in a tar archive. */
function findBundleProblem(first: Buffer): string | undefined {
  if (first.length < 3 || first.readUIntBE(0, 3) !== 0x1f8b08) {
    return 'it is not a gzip file';
  }
  const start = first.subarray(0, firstCompressedBytes);
  // The input is only the start of the file, so that a missing end is no error.
  const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: largestExpanded };
  const block = expand(() => gunzipSync(start, options));
  if (block === undefined) {
    return 'it is a gzip file that cannot be unpacked';
  }
  return isTarHeader(block.subarray(0, tarBlockBytes))
    ? undefined
    : 'it is a gzip file, but not a tar archive with a file';
}

/** Whether the block has a tar header's checksum: the sum of its bytes at offset 148, computed with spaces in that field. */
function isTarHeader(block: Buffer): boolean {
  if (block.length < tarBlockBytes) {
    return false;
  }
  const stated = /^ *([0-7]+)/.exec(block.toString('latin1', 148, 156))?.[1] ?? '';
  const sum = block.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 0x20 : byte), 0);
  return Number.parseInt(stated, 8) === sum;
}

/** Expands data; undefined where it is damaged or exceeds the limit. */
function expand(unpack: () => Buffer): Buffer | undefined {
  try {
    return unpack();
  } catch {
    return undefined;
  }
}
