/** A store changed as only a writer of it could: hashes that lead from the pointer to the changed file are made anew. */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

/** `name` is a file of the standing run, such as `state.json.gz`. */
export async function rewriteFile(folder: string, name: string, change: (body: Buffer) => Buffer): Promise<void> {
  const { manifest: key } = JSON.parse(await readFile(join(folder, 'latest.json'), 'utf8'));
  const file = key.replace('manifest.json', name);
  const body = change(await readFile(join(folder, file)));
  await writeFile(join(folder, file), body);
  await rewriteManifest(folder, (manifest) => {
    const files = manifest.files as { key: string }[];
    const entry = files.find((candidate) => candidate.key === file);
    Object.assign(entry ?? {}, { bytes: body.length, sha256: sha256(body) });
    return manifest;
  });
}

export async function rewriteManifest(
  folder: string,
  change: (manifest: Record<string, unknown>) => unknown,
): Promise<void> {
  const pointer = JSON.parse(await readFile(join(folder, 'latest.json'), 'utf8'));
  const path = join(folder, pointer.manifest);
  const body = Buffer.from(JSON.stringify(change(JSON.parse(await readFile(path, 'utf8')))));
  await writeFile(path, body);
  await writeFile(join(folder, 'latest/manifest.json'), body);
  await writeFile(join(folder, 'latest.json'), JSON.stringify({ ...pointer, sha256: sha256(body) }));
}

/** Changes the JSON in a gzipped file. */
export function packed(change: (value: Record<string, unknown>) => unknown): (body: Buffer) => Buffer {
  return (body) => gzipSync(JSON.stringify(change(JSON.parse(gunzipSync(body).toString()))));
}

function sha256(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}
