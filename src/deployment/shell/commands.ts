/** Every command of a script in the order of its text, words resolved as far as plain assignments reach. */
import { type Command, forEachChild, type SyntaxNode, type Word } from 'unbash';
import { parseShell, shellText } from './parse.ts';
import { resolve } from './words.ts';

/** The words of one command; a word that cannot be known without a shell is undefined. */
export type Line = readonly (string | undefined)[];

/** Undefined where the script cannot be parsed. */
export function commandLines(script: string): readonly Line[] | undefined {
  const tree = parseShell(shellText(script));
  if (tree === undefined) return undefined;
  const variables = new Map<string, string>();
  const lines: Line[] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Command') {
      assign(node, variables);
      const words = [...(node.name === undefined ? [] : [node.name]), ...node.suffix];
      lines.push(words.map((word) => (word.type === 'Word' ? textOf(word, variables) : undefined)));
    }
    forEachChild(node, visit);
  };
  visit(tree);
  return lines.filter((line) => line.length > 0);
}

/** A variable that is set twice is no longer known. */
function assign(node: Command, variables: Map<string, string>): void {
  for (const part of [...node.prefix, ...node.suffix]) {
    if (part.type !== 'Assignment' || part.value.type !== 'Word') continue;
    const value = textOf(part.value, variables);
    if (value === undefined || (variables.get(part.name) ?? value) !== value) variables.delete(part.name);
    else variables.set(part.name, value);
  }
}

/** Unquoted slashes, dots and hyphens are plain; what is not is left open. */
function textOf(word: Word, variables: ReadonlyMap<string, string>): string | undefined {
  return resolve(word, variables)?.text;
}
