/** What a word of a script is once its quotes and plain variables are resolved; undefined where it is anything else. */
import type { DoubleQuotedChild, Word, WordPart } from 'unbash';

export type Variables = ReadonlyMap<string, string>;

export interface Resolved {
  readonly text: string;
  /** The variables it was made with. */
  readonly variables: readonly string[];
  /** A variable outside quotes: a shell splits its value at spaces and expands patterns in it. */
  readonly bare: boolean;
}

export function resolve(word: Word, variables: Variables): Resolved | undefined {
  const parts = word.parts ?? [literal(word)];
  const used: string[] = [];
  let text = '';
  let bare = false;
  for (const part of parts) {
    if (part.type === 'DoubleQuoted') {
      for (const inner of part.parts) {
        const piece = pieceOf(inner, variables, used, true);
        if (piece === undefined || /\\[$`"\\\n]/.test(inner.text)) return undefined;
        text += piece;
      }
      continue;
    }
    const before = used.length;
    const piece = pieceOf(part, variables, used);
    if (piece === undefined) return undefined;
    bare ||= used.length > before;
    text += piece;
  }
  return { text, variables: used, bare };
}

function literal(word: Word): WordPart {
  return { type: 'Literal', pos: word.pos, end: word.end, text: word.text, value: word.value };
}

/** Outside quotes a backslash, a tilde or a pattern would change the text: such words are not plain. */
const unplain = /[\\~*?[\]{}`$]/;

function pieceOf(
  part: WordPart | DoubleQuotedChild,
  variables: Variables,
  used: string[],
  isQuoted = false,
): string | undefined {
  switch (part.type) {
    case 'Literal':
      return isQuoted || !unplain.test(part.text) ? part.value : undefined;
    case 'SingleQuoted':
      return part.value;
    case 'SimpleExpansion':
      return given(part.text.slice(1), variables, used);
    case 'ParameterExpansion':
      return part.text === `\${${part.parameter}}` ? given(part.parameter, variables, used) : undefined;
    default:
      return undefined;
  }
}

function given(name: string, variables: Variables, used: string[]): string | undefined {
  used.push(name);
  return variables.get(name);
}
