/** Reads the only CSV in a zip archive, in pieces: checks size and CRC, and writes nothing to disk. */
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { MusterError } from '../../../base/errors.ts';

const largestMember = 256 * 1024 * 1024;

/**
 * Yields the CSV in pieces. Expands all of it once before the first piece, so that a damaged archive yields none; that
 * takes no memory, and much less time than parsing.
 */
export async function* readZippedCsv(archive: Buffer, who: string): AsyncGenerator<Buffer> {
  const expand = await findCheckedMember(archive, who);
  yield* await expand();
}

async function findCheckedMember(archive: Buffer, who: string): Promise<() => Promise<Readable>> {
  try {
    const zip = await fromBufferPromise(archive, { lazyEntries: true, autoClose: false });
    const entry = await findOnlyMember(zip);
    const expand = () => zip.openReadStreamPromise(entry);
    await checkMember(await expand(), entry);
    return expand;
  } catch (error) {
    // Messages of the packages quote file names, which may contain anything.
    const why = error instanceof ArchiveError ? error.message : 'it cannot be unpacked';
    throw new MusterError('zip-broken', `The report archive of ${who} is damaged: ${why}. Run again later.`);
  }
}

/** An error whose message is our own sentence. */
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
    if (!entry.canDecodeFileData()) {
      throw new ArchiveError(`unknown compression method ${entry.compressionMethod}`);
    }
    if (entry.uncompressedSize > largestMember) {
      throw new ArchiveError('its file is larger than 256 MiB');
    }
    return entry;
  }
  throw new ArchiveError('its directory is empty');
}

/** Compares the checksum; yauzl itself refuses a file that is larger than the archive declares. */
async function checkMember(pieces: AsyncIterable<Buffer>, entry: Entry): Promise<void> {
  let checksum = 0;
  for await (const piece of pieces) {
    checksum = crc32(piece, checksum);
  }
  // Neither yauzl nor deflate detects a flipped bit; the archive's own checksum does.
  if (checksum !== entry.crc32) {
    throw new ArchiveError('its file does not match its checksum');
  }
}
