/** The field's words in what people read: one table, over the sentences of the code, the help and the documents. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { pageReport } from '../../src/compose/parts.ts';
import { musterHere } from '../cli/muster.ts';
import { picture } from '../reports/picture.ts';
import { documents } from './documents.ts';

const root = join(import.meta.dirname, '..', '..');

/** Words of the code and of the files, and the field's words that people read in their place. */
const fieldWords: readonly (readonly [words: string, instead: string])[] = [
  ['instruments?', 'detection method'],
  ['carried', 'last known'],
  ['silent', 'not checking in'],
  ['walks?', 'reading'],
  ['heal|heals|healed|healing', 'retry'],
  ['slots?', 'date of the run'],
  ['tonight|the night of', 'this run, the run of'],
  ['(low|high) figure', 'certainly, at most'],
];

/** A name in code marks, or with a mark of a program before or behind it, is a name. */
function findCodeWords(shown: string): string[] {
  const text = shown.replace(/(?<!`)`[^`\n]+`(?!`)/g, '');
  return fieldWords.flatMap(([words, instead]) =>
    [...text.matchAll(new RegExp(`(?<![\\w"{<[./=-])(?:${words})(?![\\w"}>\\]/=-]|\\.[a-z])`, 'gi'))].map(
      ({ 0: found, index }) => `"${found}" (${text.slice(Math.max(0, index - 30), index + 30)}): write "${instead}"`,
    ),
  );
}

it('finds a word whatever its case, and no name', () => {
  expect(findCodeWords('The INSTRUMENT of this Slot')).toHaveLength(2);
  expect(findCodeWords('`slot`, --slot, "slot", <slot>, {slot}, source.carried, silently')).toEqual([]);
});

it('the sentences of the code have the field’s words', () => {
  const folder = join(root, 'src');
  // Scripts that run on devices have options of their own.
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/(assets|script-templates)\.ts$/.test(file),
  );
  const sentences = files.flatMap((file) => listSentences(join(folder, file)).map((sentence) => ({ file, sentence })));
  expect(sentences.length).toBeGreaterThan(500);
  expect(
    sentences.flatMap(({ file, sentence }) => findCodeWords(sentence).map((found) => `${file}: ${found}`)),
  ).toEqual([]);
});

/** The texts between quotes that have several words. */
function listSentences(file: string): string[] {
  const sentences: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      sentences.push(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest));
  return sentences.filter((sentence) => sentence.trim().includes(' '));
}

it('the help of every command has the field’s words', async () => {
  const everything = await musterHere(['help', '--all'], { folder: root });
  const below = listCommands(await readHelp(['alerts'])).map((name) => ['alerts', name]);
  const commands = [[], ...listCommands(everything.output).map((name) => [name]), ...below];
  expect(commands.length).toBeGreaterThan(12);
  for (const command of commands) {
    expect(findCodeWords(await readHelp(command)), command.join(' ')).toEqual([]);
  }
});

async function readHelp(command: readonly string[]): Promise<string> {
  const { code, output } = await musterHere([...command, '--help'], { folder: root });
  expect(code).toBe(0);
  return output;
}

function listCommands(help: string): string[] {
  const [, commands = ''] = help.split('Commands:\n');
  return [...commands.matchAll(/^ {2}([a-z]+)\b/gm)].flatMap(([, name]) => (name === 'help' ? [] : (name ?? [])));
}

/** Its readers write programs: it describes files by the names in them. */
const contracts: ReadonlySet<string> = new Set(['docs/store.md']);
const pages = documents.filter((file) => /^(README|docs\/[^/]*)\.md$/.test(file) && !contracts.has(file));

it.each(pages)('%s has the field’s words', (file) => {
  const written = readFileSync(join(root, file), 'utf8').replace(/^```[\s\S]*?^```|<!--.*?-->/gm, '');
  expect(findCodeWords(written)).toEqual([]);
});

it('the page has a heading for each name of its navigation', async () => {
  const html = await text(pageReport.render(picture()));
  const navigation = /<nav[^>]*>(.*?)<\/nav>/s.exec(html)?.[1] ?? '';
  const names = [...navigation.matchAll(/<a href="#([^"]+)">([^<]+)</g)].map(([, id, name]) => [id, name]);
  expect(names).toEqual([
    ['overview', 'Overview'],
    ['trend', 'Trend'],
    ['needs-action', 'Needs action'],
    ['breakdown', 'Breakdown'],
    ['changes', 'What changed'],
    ['groups', 'Groups'],
    ['all-devices', 'All devices'],
    ['data-quality', 'Data quality'],
    ['glossary', 'Glossary'],
  ]);
  for (const [id] of names) {
    expect(html).toContain(`<section id="${id}"`);
  }
});
