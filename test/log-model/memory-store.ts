/** A store in memory that meets the contract of the product's stores, as far as runs without damage need it. */
import { MusterError } from '../../src/base/errors.ts';
import { computeSha256 } from '../../src/base/sha256.ts';
import type { Body, BodyDigest, Store } from '../../src/storage/store.ts';

/** A file with its digest, which is computed once however often it is asked for. */
export interface StoredFile {
  readonly body: Buffer;
  readonly sha256: string;
}

export type StoredFiles = ReadonlyMap<string, StoredFile>;

export function createMemoryStore(name: string): { readonly store: Store; readonly files: StoredFiles } {
  const files = new Map<string, StoredFile>();
  const write = async (key: string, body: Body): Promise<BodyDigest> => {
    const bytes = Buffer.isBuffer(body) ? body : Buffer.concat(await Array.fromAsync(body));
    const sha256 = computeSha256(bytes);
    files.set(key, { body: bytes, sha256 });
    return { bytes: bytes.length, sha256 };
  };
  const store: Store = {
    name,
    probe: async () => undefined,
    read: async (key) => files.get(key)?.body,
    async *stream(key) {
      yield requireFile(files, key).body;
    },
    digest: async (key) => files.get(key)?.sha256,
    async *list(prefix, after = '') {
      yield* [...files.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    },
    async create(key, body) {
      if (files.has(key)) {
        throw new MusterError('key-taken', `${key} is taken.`);
      }
      return write(key, body);
    },
    put: write,
    async copy(from, to) {
      files.set(to, requireFile(files, from));
    },
    async remove(key) {
      files.delete(key);
    },
  };
  return { store, files };
}

function requireFile(files: StoredFiles, key: string): StoredFile {
  const file = files.get(key);
  if (file === undefined) {
    throw new MusterError('store-damaged', `${key} is missing.`);
  }
  return file;
}
