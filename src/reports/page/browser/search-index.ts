/** Indexes the rows of a list as lines of text, to search 100,000 within milliseconds. Made while the browser is idle. */
import { foldSerialNumber } from '../../../core/machine/serial-numbers.ts';

/** Returns the texts of a row that are searched. */
type ReadTexts = (row: number) => readonly (string | undefined)[];

const rowsAtOnce = 4_000;

export class SearchIndex {
  readonly #count: number;
  readonly #readTexts: ReadTexts;
  readonly #lines: string[] = [];

  constructor(count: number, readTexts: ReadTexts) {
    this.#count = count;
    this.#readTexts = readTexts;
    setTimeout(() => this.#foldNext());
  }

  /** Makes a test whether a row has all words; undefined without words. */
  match(query: string): ((row: number) => boolean) | undefined {
    const words = foldForSearch(query)
      .split(/\s+/)
      .filter((word) => word !== '');
    if (words.length === 0) {
      return undefined;
    }
    this.#foldUntil(this.#count);
    // Finds a serial number in any spelling, with or without blanks and hyphens.
    const serial = foldForSearch(foldSerialNumber(query));
    const hasSerial = (line: string) => serial !== '' && line.includes(`\t${serial}\t`);
    return (row) => {
      const line = this.#lines[row] ?? '';
      return words.every((word) => line.includes(word)) || hasSerial(line);
    };
  }

  /** The best rows first: those with an equal text, then those with a text that begins with the query. */
  find(query: string, most: number) {
    const matches = this.match(query);
    const found = matches === undefined ? [] : [...this.#lines.keys()].filter(matches);
    const start = `\t${foldForSearch(query).trim()}`;
    const listRowsWith = (text: string) => found.filter((row) => this.#lines[row]?.includes(text)).slice(0, most);
    const best = new Set([...listRowsWith(`${start}\t`), ...listRowsWith(start), ...found.slice(0, most)]);
    return { rows: [...best].slice(0, most), count: found.length };
  }

  #foldNext(): void {
    if (this.#lines.length < this.#count) {
      this.#foldUntil(Math.min(this.#count, this.#lines.length + rowsAtOnce));
      setTimeout(() => this.#foldNext());
    }
  }

  #foldUntil(until: number): void {
    while (this.#lines.length < until) {
      const texts = this.#readTexts(this.#lines.length);
      this.#lines.push(`\t${texts.map((text = '') => foldForSearch(text)).join('\t')}\t`);
    }
  }
}

/** Folds text for the search: no accents, lower case, one kind of quotation mark. */
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
