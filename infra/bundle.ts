/**
 * `npm run build`: bundles the function for Lambda into `dist/`. Parts that a night may not need (a secret store, a
 * report that is off) are in pieces of their own, loaded on use. Two builds are equal, byte by byte. Source maps are
 * beside the bundle and not part of the package.
 */
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { makePageAssets } from './page.ts';

const root = resolve(import.meta.dirname, '..');

/** Defines `require`, which modules do not have, for packages that are not ES modules. */
const banner =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);";

/** The entry of the command line for the container image, with every command. */
export const commandLineEntry = { cli: 'src/bin.ts' };

export async function bundle(
  folder: string,
  entryPoints: Readonly<Record<string, string>> = { lambda: 'src/lambda.ts' },
): Promise<Metafile> {
  await makePageAssets();
  // Pieces of an earlier build would be packaged with the new ones.
  await rm(folder, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { ...entryPoints },
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: 'node',
    // Prefers the SDK's own modules, because its CommonJS files cannot be tree-shaken.
    mainFields: ['module', 'main'],
    target: 'node24',
    format: 'esm',
    minify: true,
    sourcemap: 'external',
    legalComments: 'none',
    metafile: true,
    outExtension: { '.js': '.mjs' },
    chunkNames: '[name]-[hash]',
    banner: { js: banner },
    logLevel: 'warning',
  });
  return metafile;
}

if (process.argv[1] === import.meta.filename) {
  const isCommandLine = process.argv[2] === 'cli';
  const folder = join(root, isCommandLine ? 'dist-cli' : 'dist');
  await (isCommandLine ? bundle(folder, commandLineEntry) : bundle(folder));
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.mjs'))) {
    const { size } = await stat(join(folder, name));
    process.stdout.write(`${String(Math.ceil(size / 1024)).padStart(6)} kB  ${basename(folder)}/${name}\n`);
  }
}
