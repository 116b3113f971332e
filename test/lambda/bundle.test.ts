/** The package: the same each time it is built, with what a night needs, and quick to load. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Metafile } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundle } from '../../infra/bundle.ts';
import { openFunction } from '../infra/packaged.ts';

let folder: string;
let built: Metafile;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-bundle-'));
  built = await bundle(join(folder, 'dist'));
});

afterAll(() => rm(folder, { recursive: true }));

async function readCode(place: string): Promise<Map<string, string>> {
  const names = (await readdir(join(place, 'dist'))).filter((name) => name.endsWith('.mjs')).sort();
  const read = names.map(async (name) => [name, await readFile(join(place, 'dist', name), 'latin1')] as const);
  return new Map(await Promise.all(read));
}

test('built twice, in two places, and packaged, it is the same byte by byte', async () => {
  expect(await readCode(folder)).toEqual(await readCode(await openFunction()));
  const kinds = (await readdir(join(folder, 'dist'))).map((name) => name.replace(/^[^.]+/, ''));
  expect(new Set(kinds)).toEqual(new Set(['.mjs', '.mjs.map']));
});

test('no source map, and no place on the building machine, is in what is packaged', async () => {
  for (const text of (await readCode(folder)).values()) {
    expect(text).not.toContain('sourceMappingURL');
    expect(text).not.toContain(folder);
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
  const foreign = /src\/(cli|simulator)\b|commander|oidc-provider|vitest|fast-check|esbuild|osls/;
  expect(all.filter((file) => foreign.test(file))).toEqual([]);
});
