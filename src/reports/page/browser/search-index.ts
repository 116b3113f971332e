/** The rows of a list as one text, in which 100,000 are searched within milliseconds. Made while the browser is idle. */

/** The texts of a row that are searched. */
type ReadTexts = (index: number) => readonly (string | undefined)[];

interface FoundRows {
  readonly indexes: readonly number[];
  readonly count: number;
}

const rowsAtOnce = 4_000;

export class SearchIndex {
  readonly #count: number;
  readonly #readTexts: ReadTexts;
  /** Where the line of each row begins. */
  readonly #starts: Uint32Array;
  #lines: string[] = [];
  #length = 0;
  #whole: string | undefined;

  constructor(count: number, readTexts: ReadTexts) {
    this.#count = count;
    this.#readTexts = readTexts;
    this.#starts = new Uint32Array(count + 1);
    setTimeout(() => this.#foldNext());
  }

  /** Says for each row whether it has all words; undefined where nothing is searched. */
  match(query: string): Uint8Array | undefined {
    const words = foldForSearch(query).split(/\s+/);
    const [longest = '', ...others] = words.sort((left, right) => right.length - left.length);
    if (longest === '') {
      return undefined;
    }
    const whole = this.#readWhole();
    const found = new Uint8Array(this.#count);
    for (const index of this.#listRowsWith(longest)) {
      const line = others.length === 0 ? '' : whole.slice(this.#starts[index], this.#starts[index + 1]);
      found[index] = others.every((word) => line.includes(word)) ? 1 : 0;
    }
    return found;
  }

  /** The best rows first: one with an equal text, then one with a text that begins alike. */
  find(query: string, most: number): FoundRows {
    const found = this.match(query);
    if (found === undefined) {
      return { indexes: [], count: 0 };
    }
    const sought = foldForSearch(query).trim();
    const best = new Set<number>();
    for (const rows of [this.#listRowsWith(`\t${sought}\t`), this.#listRowsWith(`\t${sought}`), found.keys()]) {
      for (const index of rows) {
        if (best.size === most) {
          break;
        }
        if (found[index] === 1) {
          best.add(index);
        }
      }
    }
    return { indexes: [...best], count: found.reduce((sum, one) => sum + one, 0) };
  }

  *#listRowsWith(text: string): Generator<number> {
    const whole = this.#readWhole();
    const starts = this.#starts;
    let index = 0;
    for (let at = whole.indexOf(text); at !== -1; at = whole.indexOf(text, starts[index + 1])) {
      while ((starts[index + 1] ?? 0) <= at) {
        index += 1;
      }
      yield index;
    }
  }

  #foldNext(): void {
    if (this.#whole !== undefined) {
      return;
    }
    this.#foldUntil(Math.min(this.#count, this.#lines.length + rowsAtOnce));
    if (this.#lines.length < this.#count) {
      setTimeout(() => this.#foldNext());
    } else {
      this.#readWhole();
    }
  }

  #foldUntil(until: number): void {
    while (this.#lines.length < until) {
      const texts = this.#readTexts(this.#lines.length);
      const line = `\t${texts.map((text = '') => foldForSearch(text)).join('\t')}\t\n`;
      this.#starts[this.#lines.length] = this.#length;
      this.#length += line.length;
      this.#lines.push(line);
    }
  }

  #readWhole(): string {
    if (this.#whole === undefined) {
      this.#foldUntil(this.#count);
      this.#starts[this.#count] = this.#length;
      this.#whole = this.#lines.join('');
      this.#lines = [];
    }
    return this.#whole;
  }
}

/** Text as it is searched: without accents, in lower case, with one kind of quotation mark. */
function foldForSearch(text: string): string {
  // Most names are plain and need no normalization.
  const plain = /^[ -~]*$/.test(text)
    ? text
    : text
        .normalize('NFKD')
        .replace(/\p{M}+/gu, '')
        .replace(/[\p{Cc}\s]+/gu, ' ');
  return plain
    .replace(/[\u0060\u00b4\u2018\u2019\u201a\u201b\u2032\u02bc\uff07]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb]/g, '"')
    .toLowerCase();
}
