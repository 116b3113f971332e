/** Filters of a list: by a value that its rows have, or by a condition. */
import { formatNumber } from '../../shared/format.ts';
import { listTexts } from '../../shared/list-texts.ts';
import { createElement } from '../dom.ts';

/** A filter by one of the values that the rows have, or by one of several conditions. */
export interface Facet<Row> {
  readonly key: string;
  readonly label: string;
  /** The value of a row; '' and undefined are "not known". */
  read?(row: Row): string | undefined;
  readonly choices?: readonly FacetChoice<Row>[];
  /** A value in words. */
  say?(word: string): string;
  /** Shown on demand. */
  readonly isSecondary?: boolean;
  /** Nearly every row has a value of its own: only an address chooses one. */
  readonly isOnlyInAddress?: boolean;
}

interface FacetChoice<Row> {
  readonly word: string;
  readonly label: string;
  holds(row: Row): boolean;
}

/** A filter that is on or off. */
export interface Toggle<Row> {
  readonly key: string;
  readonly label: string;
  holds(row: Row): boolean;
}

/** The conditions of all filters that are set. */
export function createTests<Row>(
  facets: readonly Facet<Row>[],
  chosen: ReadonlyMap<string, string>,
  toggles: readonly Toggle<Row>[],
  pressed: ReadonlySet<string>,
): ((row: Row) => boolean)[] {
  return [
    ...facets.flatMap((facet) => {
      const word = chosen.get(facet.key);
      return word === undefined ? [] : [createFacetTest(facet, word)];
    }),
    ...toggles.filter(({ key }) => pressed.has(key)).map(({ holds }) => holds),
  ];
}

function createFacetTest<Row>({ choices, read }: Facet<Row>, word: string): (row: Row) => boolean {
  if (choices !== undefined) {
    return choices.find((choice) => choice.word === word)?.holds ?? (() => false);
  }
  return (row) => (read?.(row) ?? '') === word;
}

export function createToggleButton<Row>({ key, label }: Toggle<Row>, onPress: () => void): HTMLElement {
  const button = createElement('button', { type: 'button', 'data-toggle': key }, label);
  button.addEventListener('click', onPress);
  return button;
}

/** A filter's control. What is shown on demand is filled on demand: counting 100,000 rows takes its time. */
export class FacetSelect<Row> {
  readonly facet: Facet<Row>;
  readonly element: HTMLElement;
  readonly #rows: readonly Row[];
  readonly #box: HTMLSelectElement;
  /** A value from outside can be any text, so options are identified by their index. */
  readonly #words: string[] = [];
  #isFilled = false;

  constructor(facet: Facet<Row>, rows: readonly Row[], onChoose: (word: string | undefined) => void) {
    this.facet = facet;
    this.#rows = rows;
    this.#box = createElement(
      'select',
      { 'data-facet': facet.key },
      createElement('option', { value: '' }, listTexts.any),
    );
    this.element = createElement('label', {}, facet.label, this.#box);
    this.#box.addEventListener('change', () => {
      onChoose(this.#box.value === '' ? undefined : this.#words[Number(this.#box.value)]);
    });
    if (facet.isSecondary !== true) {
      this.fill();
    }
  }

  fill(): void {
    if (this.#isFilled) {
      return;
    }
    this.#isFilled = true;
    for (const { word, label } of this.facet.choices ?? listWords(this.facet, this.#rows)) {
      this.#addOption(word, label);
    }
    this.element.hidden = this.#words.length === 0 || this.facet.isOnlyInAddress === true;
  }

  /** An address of another run can name a value that no row has. */
  choose(word: string | undefined): void {
    if (word !== undefined) {
      this.fill();
      this.element.hidden = false;
      if (!this.#words.includes(word)) {
        this.#addOption(word, this.facet.isOnlyInAddress ? word : `${nameWord(this.facet, word)} (0)`);
      }
    }
    this.#box.value = word === undefined ? '' : String(this.#words.indexOf(word));
  }

  #addOption(word: string, label: string): void {
    this.#box.append(createElement('option', { value: this.#words.length }, label));
    this.#words.push(word);
  }
}

/** The values that rows have, the most frequent first; "not known" is one only beside others. */
function listWords<Row>(facet: Facet<Row>, rows: readonly Row[]): { readonly word: string; readonly label: string }[] {
  const counts = new Map<string, number>();
  for (const row of facet.isOnlyInAddress ? [] : rows) {
    const word = facet.read?.(row) ?? '';
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts]
    .filter(([word]) => word !== '' || counts.size > 1)
    .sort(([, left], [, right]) => right - left)
    .map(([word, count]) => ({ word, label: `${nameWord(facet, word)} (${formatNumber(count)})` }));
}

function nameWord<Row>({ say }: Facet<Row>, word: string): string {
  return word === '' ? listTexts.unknown : (say?.(word) ?? word);
}
