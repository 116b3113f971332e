/** The size and the language of the house: small files and functions, and comments that are sentences. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

interface SourceText {
  readonly file: string;
  readonly text: string;
}

const sources: readonly SourceText[] = ['src', 'simulator']
  .flatMap((house) =>
    readdirSync(join(root, house), { recursive: true, encoding: 'utf8' }).map((file) => `${house}/${file}`),
  )
  .filter((file) => file.endsWith('.ts') && !file.endsWith('page/assets.ts'))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

/** Where the parts of a file stand that `choose` takes, with their lines. */
function findNodes({ file, text }: SourceText, choose: (node: ts.Node) => boolean) {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: { readonly place: string; readonly lines: number }[] = [];
  const visit = (node: ts.Node): void => {
    if (choose(node)) {
      const first = tree.getLineAndCharacterOfPosition(node.getStart()).line;
      const last = tree.getLineAndCharacterOfPosition(node.end).line;
      found.push({ place: `${file}:${first + 1}`, lines: last - first + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

it('has at most 20 files of more than 200 lines', () => {
  const long = sources.filter(({ file, text }) => file.startsWith('src/') && text.split('\n').length > 201);
  expect(long.map(({ file }) => file).slice(20)).toEqual([]);
});

it('has no function of more than 90 lines', () => {
  const functions = sources.flatMap((source) => findNodes(source, ts.isFunctionLike));
  expect(functions.length).toBeGreaterThan(1000);
  expect(functions.filter(({ lines }) => lines > 90)).toEqual([]);
});

it('has no folder of more than 15 files', () => {
  const folders = Map.groupBy(sources, ({ file }) => dirname(file));
  expect([...folders].flatMap(([folder, files]) => (files.length > 15 ? [folder] : []))).toEqual([]);
});

it('spreads no object that stands at the same place', () => {
  const isFormatting = (node: ts.Node) =>
    ts.isSpreadAssignment(node) &&
    ts.isObjectLiteralExpression(node.expression) &&
    node.expression.properties.length > 0;
  expect(sources.flatMap((source) => findNodes(source, isFormatting))).toEqual([]);
});

it('begins no comment with What or a preposition, since a comment is a sentence', () => {
  const beginnings = sources.flatMap(({ file, text }) =>
    [...text.matchAll(commentBeginning)].map(([, word, sentence]) => ({ file, word, sentence })),
  );
  expect(beginnings.length).toBeGreaterThan(3000);
  expect(beginnings.filter(({ word = '' }) => ['What', 'Of', 'By', 'For'].includes(word))).toEqual([]);
});

/** Matches the first word of a comment, and the rest of its line; further lines of `//` belong to the comment before. */
const commentBeginning = /(?:\/\*\*?[\s*]*|(?<!\/\/[^\n]*\n *)(?<=^|\s)\/\/ ?)(\w+)([^\n]*)/gm;
