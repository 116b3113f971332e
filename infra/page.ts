/** Makes `src/reports/page/assets.ts`, the page's script and style as text. Run `npm run page` after changing either. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

const folder = join(import.meta.dirname, '..', 'src', 'reports', 'page');

export async function assets(): Promise<string> {
  const script = await bundle('browser/main.ts');
  const style = await bundle('style.css');
  return `/** Made by \`npm run page\` from browser/ and style.css; do not edit. */
export const script =
  ${JSON.stringify(script)};
export const style =
  ${JSON.stringify(style)};
`;
}

/** A module has no name in common with the page; wrapped, it can be written into it. */
async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(folder, entry)],
    bundle: true,
    write: false,
    minify: true,
    charset: 'ascii',
    target: ['chrome123', 'firefox120', 'safari17.5'],
    format: 'esm',
    legalComments: 'none',
  });
  return outputFiles[0]?.text.trim() ?? '';
}

if (import.meta.main) {
  await writeFile(join(folder, 'assets.ts'), await assets());
}
