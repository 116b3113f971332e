/**
 * Sentences as templates. `{counted}` is a figure, by the name of its fact; `{source}` and the other words of
 * `wordPatterns` say what it is about; `[is|are]` are alternatives; everything else is as it is written. A figure is
 * about the words `source`, `system` and `where` of its sentence; `{devices:reason}` names others, `{devices:}` none,
 * `{unproven+unprovenBy:because}` are two facts of one figure, `{@column}` is a fact that another word names, and
 * `{rows:=changes}` is about a word that the sentence does not have. `{_}` is a figure of no interest, `{*}` any text.
 */

const figure = String.raw`(?<![\d.,−+-])[−+-]?\d[\d,]*(?:\.\d+)?(?!\d|[.,]\d|-\d)`;
const usualWords = ['source', 'system', 'where'];

export interface Figure {
  /** The name of the fact. One that begins with `_` is no fact of the run, such as a mark of an axis. */
  readonly name: string;
  /** What it is about, as the tables write it; all devices are named by nothing. */
  readonly about: readonly string[];
  readonly value: number;
}

export interface Reading {
  readonly figures: readonly Figure[];
  /** Where the sentence names another run than its own. */
  readonly slot: string | undefined;
  readonly words: Readonly<Record<string, string>>;
}

export interface Template {
  readonly text: string;
  readonly expression: RegExp;
  read(groups: Readonly<Record<string, string | undefined>>): Reading;
}

export function toNumber(text: string): number {
  return Number(text.replaceAll(',', '').replace('−', '-').replace('+', ''));
}

/** `codes`: a word as the tables have it, where a sentence has another. */
export function compileTemplate(
  text: string,
  wordPatterns: Readonly<Record<string, string>>,
  codes: Readonly<Record<string, string>>,
): Template {
  const figures: { readonly group: string; readonly facts: readonly string[] }[] = [];
  let depth = 0;
  const source = text.replace(/\{([^}]*)\}|\[|\]|\||[\\^$.*+?()]/g, (sign, name: string | undefined) => {
    if (name === undefined) {
      depth += sign === '[' ? 1 : sign === ']' ? -1 : 0;
      return sign === '[' ? '(?:' : sign === ']' ? ')' : sign === '|' && depth > 0 ? '|' : `\\${sign}`;
    }
    if (name === '*') {
      return '.*?';
    }
    const pattern = wordPatterns[name];
    if (pattern !== undefined) {
      return `(?<${name}>${pattern})`;
    }
    const group = `figure${figures.length}`;
    figures.push({ group, facts: name.split('+') });
    return `(?<${group}>${figure})`;
  });
  return {
    text,
    expression: new RegExp(source, 'g'),
    read(groups) {
      const words = Object.fromEntries(
        Object.entries(groups).flatMap(([name, word]) => (word === undefined ? [] : [[name, codes[word] ?? word]])),
      );
      return {
        figures: figures.flatMap(({ group, facts }) => {
          const shown = groups[group];
          return shown === undefined ? [] : facts.map((fact) => ({ ...nameFact(fact, words), value: toNumber(shown) }));
        }),
        slot: words.slot,
        words,
      };
    },
  };
}

function nameFact(written: string, words: Readonly<Record<string, string>>): Pick<Figure, 'name' | 'about'> {
  const [name = '', named] = written.split(':');
  const about = named === undefined ? usualWords : named.split(',').filter((word) => word !== '');
  return {
    name: name.startsWith('@') ? (words[name.slice(1)] ?? name) : name,
    about: about
      .map((word) => (word.startsWith('=') ? word.slice(1) : (words[word] ?? '')))
      .filter((word) => word !== '' && word !== 'all'),
  };
}

/** As `counted [macs]`. */
export function formatFact(name: string, about: readonly string[]): string {
  const shown = about.filter((word) => word !== '');
  return shown.length === 0 ? name : `${name} [${shown.join(', ')}]`;
}
