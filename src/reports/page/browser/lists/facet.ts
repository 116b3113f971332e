/** Filters of a list: by a value of its rows, or by a condition. */
import { toReadableText } from '../../../../core/text/visible-text.ts';
import { formatNumber, formatOperatingSystem } from '../../shared/format.ts';
import type { ListColumn } from '../../shared/list.ts';
import { columnTitles, listTexts } from '../../shared/list-texts.ts';
import { createElement } from '../dom.ts';

export interface Facet<Row> {
  readonly key: string;
  readonly label: string;
  /** The value of a row; '' and undefined mean "not known". */
  read?(row: Row): string | undefined;
  readonly choices?: readonly Condition<Row>[];
  /** A value in words. */
  say?(word: string): string;
  /** True where nearly every row has its own value: only an address chooses one. */
  readonly isOnlyInAddress?: boolean;
}

/** A condition: one of several of a filter, or a filter that is on or off. */
export interface Condition<Row> {
  readonly key: string;
  readonly label: string;
  holds(row: Row): boolean;
}

export function createColumnFacet<Row>(columns: readonly ListColumn<Row>[], key: string): Facet<Row> {
  const column = columns.find((candidate) => candidate.key === key);
  return { key, label: column?.title ?? key, read: (row) => column?.text(row) };
}

export function createOperatingSystemFacet(
  platformTitles: Readonly<Record<string, string>>,
): Facet<{ platform: string }> {
  const say = (name: string) => formatOperatingSystem(platformTitles, name);
  return { key: 'platform', label: columnTitles.platform, read: ({ platform }) => platform, say };
}

export function createFacetTest<Row>({ choices, read }: Facet<Row>, word: string): (row: Row) => boolean {
  if (choices !== undefined) {
    return choices.find(({ key }) => key === word)?.holds ?? (() => false);
  }
  return (row) => (read?.(row) ?? '') === word;
}

/** A filter's control. It is filled when it is opened, because counting 100,000 rows takes time. */
export class FacetSelect<Row> {
  readonly facet: Facet<Row>;
  readonly element: HTMLElement;
  readonly #rows: readonly Row[];
  readonly #box: HTMLSelectElement;
  /** Values by option index, since a value from outside can be any text. */
  readonly #words: string[] = [];
  #isFilled = false;

  constructor(facet: Facet<Row>, rows: readonly Row[], onChoose: (word: string | undefined) => void) {
    this.facet = facet;
    this.#rows = rows;
    const any = createElement('option', { value: '' }, listTexts.any);
    this.#box = createElement('select', { 'data-facet': facet.key }, any);
    this.element = createElement('label', {}, facet.label, this.#box);
    this.#box.addEventListener('change', () => onChoose(this.#words[this.#box.selectedIndex - 1]));
  }

  fill(): void {
    if (this.#isFilled) {
      return;
    }
    this.#isFilled = true;
    for (const { key, label } of this.facet.choices ?? listWords(this.facet, this.#rows)) {
      this.#addOption(key, label);
    }
    this.element.hidden = this.#words.length === 0 || this.facet.isOnlyInAddress === true;
  }

  /** Chooses a value; an address of another run can name one that no row has. */
  choose(word: string | undefined): void {
    if (word !== undefined) {
      this.fill();
      this.element.hidden = false;
      if (!this.#words.includes(word)) {
        this.#addOption(word, this.facet.isOnlyInAddress ? word : `${nameWord(this.facet, word)} (0)`);
      }
    }
    this.#box.selectedIndex = word === undefined ? 0 : this.#words.indexOf(word) + 1;
  }

  #addOption(word: string, label: string): void {
    this.#box.append(createElement('option', {}, toReadableText(label)));
    this.#words.push(word);
  }
}

/** Values of the rows, the most frequent first; "not known" is included only beside others. */
function listWords<Row>(facet: Facet<Row>, rows: readonly Row[]): { readonly key: string; readonly label: string }[] {
  const counts = new Map<string, number>();
  for (const row of facet.isOnlyInAddress ? [] : rows) {
    const word = facet.read?.(row) ?? '';
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts]
    .filter(([word]) => word !== '' || counts.size > 1)
    .sort(([, left], [, right]) => right - left)
    .map(([word, count]) => ({ key: word, label: `${nameWord(facet, word)} (${formatNumber(count)})` }));
}

function nameWord<Row>({ say }: Facet<Row>, word: string): string {
  return word === '' ? listTexts.unknown : (say?.(word) ?? word);
}
