/** The package: the same each time it is built, with what a night needs, and quick to load. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Metafile } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundle } from '../../infra/bundle.ts';

const folders: string[] = [];
let built: Metafile;

beforeAll(async () => {
  for (let count = 0; count < 2; count += 1) {
    folders.push(await mkdtemp(join(tmpdir(), 'muster-bundle-')));
  }
  for (const folder of folders) {
    built = await bundle(join(folder, 'dist'));
  }
});

afterAll(async () => {
  for (const folder of folders) {
    await rm(folder, { recursive: true });
  }
});

async function contents(folder: string): Promise<Map<string, string>> {
  const names = (await readdir(join(folder, 'dist'))).sort();
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, 'dist', name), 'latin1')] as const)),
  );
}

test('built twice, in two places, it is the same byte by byte', async () => {
  const [first, second] = await Promise.all(folders.map(contents));
  expect(first).toEqual(second);
  const kinds = new Set([...(first?.keys() ?? [])].map((name) => name.replace(/^[^.]+/, '')));
  expect(kinds).toEqual(new Set(['.mjs', '.mjs.map']));
});

test('no source map, and no place on the building machine, is in what is packaged', async () => {
  const [first = ''] = folders;
  for (const [name, text] of await contents(first)) {
    if (name.endsWith('.map')) {
      continue;
    }
    expect(text).not.toContain('sourceMappingURL');
    expect(text).not.toContain(first);
    expect(text).not.toContain(join(import.meta.dirname, '..', '..'));
  }
});

/** Sources of the pieces that are loaded with the one named, before anything is asked of it. */
function loadedWith(entry: string): string[] {
  const outputs = new Map(Object.entries(built.outputs).map(([path, output]) => [basename(path), output]));
  const seen = new Set<string>();
  const visit = (name: string): void => {
    if (seen.has(name)) {
      return;
    }
    seen.add(name);
    for (const { path, kind } of outputs.get(name)?.imports ?? []) {
      if (kind === 'import-statement') {
        visit(basename(path));
      }
    }
  };
  visit(entry);
  return [...seen].flatMap((name) => Object.keys(outputs.get(name)?.inputs ?? {}));
}

test('starting it loads neither a platform nor a keeper of secrets, a packer or a parser', () => {
  const loaded = loadedWith('lambda.mjs');
  expect(loaded).toContain('src/lambda.ts');
  const late = /@aws-sdk|@smithy|plist|yazl|yauzl|xml2js|oauth4webapi|src\/sources\/\w+\/source\.ts|src\/storage\/s3/;
  expect(loaded.filter((file) => late.test(file))).toEqual([]);
});

test('what a night never needs is not in it at all', () => {
  const all = Object.values(built.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  const foreign = /src\/(cli|sandbox)\b|commander|oidc-provider|vitest|fast-check|esbuild|osls/;
  expect(all.filter((file) => foreign.test(file))).toEqual([]);
});
