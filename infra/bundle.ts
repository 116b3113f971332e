/**
 * `npm run build`: the function as Lambda runs it, in `dist/`. What a night does not need at once (a keeper of
 * secrets, a report that nobody asked for) lies in pieces of its own that are loaded when they are used. Built twice
 * it is the same, byte by byte. Source maps lie beside it and are not part of the package.
 */
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { makePageAssets } from './page.ts';

const root = resolve(import.meta.dirname, '..');

/** Packages that are not ES modules ask for Node's own with `require`, which modules do not have. */
const banner =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);";

/** The command line as the container image runs it, with every command. */
export const commandLineEntry = { cli: 'src/bin.ts' };

export async function bundle(
  folder: string,
  entryPoints: Readonly<Record<string, string>> = { lambda: 'src/lambda.ts' },
): Promise<Metafile> {
  await makePageAssets();
  // A piece of an earlier build would be packaged with the new ones.
  await rm(folder, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { ...entryPoints },
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: 'node',
    // The SDK's own modules can be shaken; what it publishes for `require` cannot.
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
