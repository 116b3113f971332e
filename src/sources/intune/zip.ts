/** Reads the only CSV in a zip archive, in memory: checks sizes and CRC, and writes nothing to disk. */
import { promisify } from 'node:util';
import { crc32, inflateRaw } from 'node:zlib';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { MusterError } from '../../errors.ts';

const largestMember = 256 * 1024 * 1024;
const storedMethod = 0;
const deflatedMethod = 8;

const inflate = promisify<Buffer, { maxOutputLength: number; chunkSize: number }, Buffer>(inflateRaw);
const smallestChunk = 64;

export async function readZippedCsv(archive: Buffer, who: string): Promise<Buffer> {
  try {
    const zip = await fromBufferPromise(archive, { lazyEntries: true, autoClose: false, validateEntrySizes: true });
    return await readMember(archive, zip, await findOnlyMember(zip));
  } catch (error) {
    // Other errors are of the packages: theirs quote file names, which may contain anything.
    const why = error instanceof ArchiveError ? error.message : 'it cannot be unpacked';
    throw new MusterError('zip-broken', `The report archive of ${who} is damaged: ${why}. Run again later.`);
  }
}

/** Its message is a sentence of ours. */
class ArchiveError extends Error {}

async function findOnlyMember(zip: ZipFile): Promise<Entry> {
  if (zip.entryCount !== 1) {
    throw new ArchiveError(`it has ${zip.entryCount} files where one was expected`);
  }
  for await (const entry of zip.eachEntry()) {
    if (!entry.fileName.toLowerCase().endsWith('.csv')) {
      throw new ArchiveError('its file is not a CSV file');
    }
    if (entry.isEncrypted()) {
      throw new ArchiveError('its file is encrypted');
    }
    if (entry.uncompressedSize > largestMember) {
      throw new ArchiveError('its file is larger than 256 MiB');
    }
    return entry;
  }
  throw new ArchiveError('its directory is empty');
}

async function readMember(archive: Buffer, zip: ZipFile, entry: Entry): Promise<Buffer> {
  const { fileDataStart: start } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
  const raw = archive.subarray(start, start + entry.compressedSize);
  const content = await expandMember(raw, entry);
  if (content.length !== entry.uncompressedSize) {
    throw new ArchiveError('its file differs in size from what the archive declares');
  }
  // Neither yauzl nor deflate detects a flipped bit; the archive's own checksum does.
  if (crc32(content) !== entry.crc32) {
    throw new ArchiveError('its file does not match its checksum');
  }
  return content;
}

async function expandMember(raw: Buffer, entry: Entry): Promise<Buffer> {
  if (entry.compressionMethod === storedMethod) {
    return raw;
  }
  if (entry.compressionMethod !== deflatedMethod) {
    throw new ArchiveError(`unknown compression method ${entry.compressionMethod}`);
  }
  const { uncompressedSize } = entry;
  // One piece: many would be in memory twice when they are joined.
  return inflate(raw, {
    maxOutputLength: Math.max(1, uncompressedSize),
    chunkSize: Math.max(smallestChunk, uncompressedSize),
  });
}
