/** Every document of the repository that people read, and where their links lead. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const documents = globSync(['*.md', 'docs/**/*.md'], {
  cwd: join(import.meta.dirname, '../..'),
}).sort();

/** A page with this between the marks of that name. */
export function fillBlock(page: string, name: string, block: string): string {
  const marked = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`);
  if (!marked.test(page)) {
    throw new Error(`The page has no place for ${name}.`);
  }
  return page.replace(marked, (_, before: string, after: string) => `${before}${block}\n${after}`);
}

/** Those to a file or a heading that is not below the root. */
export function findBrokenLinks(root: string, document: string): readonly string[] {
  const text = readFileSync(join(root, document), 'utf8');
  const links = [...stripCode(text).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)#?([^)\s]*)\)/g)];
  const broken = links.filter(([, path = '', heading = '']) => {
    const file = join(root, path === '' ? document : join(dirname(document), path));
    return !existsSync(file) || (heading !== '' && !listAnchors(readFileSync(file, 'utf8')).includes(heading));
  });
  return broken.map(([link]) => link);
}

/** As GitHub makes them of headings, and those that a page sets itself. */
function listAnchors(text: string): string[] {
  const headings = [...stripCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
  return [...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)];
}

function stripCode(text: string): string {
  return text.replace(/^```[\s\S]*?^```/gm, '');
}
