/** Reads files of a folder. Anybody may have put them there, so that kind and size are checked before opening one. */
import { MusterError } from '../../base/errors.ts';
import { computeSha256OfPieces } from '../../base/sha256.ts';
import { describeTooLarge, findLongestRead, findMaximumBytes, findSizeProblem, foreignDigest } from '../bounds.ts';
import { createDamageError } from '../stored-json.ts';
import { describeKind, type Folder, locate } from './atomic-write.ts';

export async function readFile(folder: Folder, key: string, wanted?: number): Promise<Buffer | undefined> {
  const { path, bytes = 0 } = await findFile(folder, key);
  const longest = findLongestRead(key, wanted);
  const requireShort = (length: number) => {
    if (length > longest) {
      throw createDamageError(describeKey(folder, key), describeTooLarge(longest));
    }
  };
  requireShort(bytes);
  const body = await folder.disk.read(path, longest);
  // The file may have grown since its size was checked.
  requireShort(body?.length ?? 0);
  return body;
}

export async function openFile(folder: Folder, key: string, wanted?: number): Promise<AsyncIterable<Buffer>> {
  const { path, bytes } = await findFile(folder, key);
  const problem = bytes === undefined ? undefined : findSizeProblem(key, bytes, wanted);
  if (problem !== undefined) {
    throw createDamageError(describeKey(folder, key), problem);
  }
  const body = await folder.disk.stream(path, bytes ?? findMaximumBytes(key));
  if (body === undefined) {
    throw new MusterError('store-damaged', `${key} is missing in the folder ${folder.path}. Run muster verify.`);
  }
  return body;
}

export async function digestFile(folder: Folder, key: string, wanted?: number): Promise<string | undefined> {
  const { path, found } = await locate(folder, key);
  const isFile = found?.kind === 'file';
  if (found?.kind === 'other' || (isFile && findSizeProblem(key, found.bytes, wanted) !== undefined)) {
    return foreignDigest;
  }
  const body = await folder.disk.stream(path, isFile ? found.bytes : findMaximumBytes(key));
  return body && computeSha256OfPieces(body);
}

interface FoundFile {
  readonly path: string;
  /** Undefined where there is no file. A folder has no contents, so that it counts as absent, as in a bucket. */
  readonly bytes: number | undefined;
}

async function findFile(folder: Folder, key: string): Promise<FoundFile> {
  const { path, found } = await locate(folder, key);
  if (found?.kind === 'other') {
    throw createDamageError(describeKey(folder, key), `it is ${describeKind(found)}`);
  }
  return { path, bytes: found?.kind === 'file' ? found.bytes : undefined };
}

function describeKey({ path }: Folder, key: string): string {
  return `${key} in the folder ${path}`;
}
