/** A store changed as only a writer of it could: hashes that lead from the commit to the changed file are made anew. */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { serializeRecord } from '../../src/storage/stored-json.ts';
import { locateRunFile } from './reader.ts';

/** `name` is a file of the standing run, such as `state.json.gz`. */
export async function rewriteFile(folder: string, name: string, change: (body: Buffer) => Buffer): Promise<void> {
  const file = await locateRunFile(folder, name);
  const body = change(await readFile(join(folder, file)));
  await writeFile(join(folder, file), body);
  await rewriteCommit(folder, (commit) => {
    const files = commit.files as { key: string }[];
    const entry = files.find((candidate) => candidate.key === file);
    Object.assign(entry ?? {}, { bytes: body.length, sha256: sha256(body) });
    return commit;
  });
}

/** The commit that stands, which must be the last one. */
export async function rewriteCommit(
  folder: string,
  change: (commit: Record<string, unknown>) => unknown,
): Promise<void> {
  const latest = JSON.parse(await readFile(join(folder, 'latest.json'), 'utf8'));
  const path = join(folder, latest.manifest);
  const body = serializeRecord(change(JSON.parse(await readFile(path, 'utf8'))) as object);
  await writeFile(path, body);
  await writeFile(join(folder, 'latest.json'), serializeRecord({ ...latest, sha256: sha256(body) }));
}

/** Changes the JSON in a gzipped file. */
export function packed(change: (value: Record<string, unknown>) => unknown): (body: Buffer) => Buffer {
  return (body) => gzipSync(JSON.stringify(change(JSON.parse(gunzipSync(body).toString()))));
}

function sha256(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}

/** One bit of the byte at this place is another. */
export function flipped(body: Buffer, at: number): Buffer {
  const copy = Buffer.from(body);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}
