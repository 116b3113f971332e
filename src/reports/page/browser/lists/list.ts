/** A list with its controls: search, filters, order, choice of columns, copying and download. The page's address has its state. */
import { fillText, formatNumber } from '../../shared/format.ts';
import type { ListDescription } from '../../shared/list.ts';
import { listTexts } from '../../shared/list-texts.ts';
import { onAddressChange, readParametersOf, writeParametersOf } from '../address.ts';
import { createElement } from '../dom.ts';
import type { SearchIndex } from '../search-index.ts';
import { createTests, createToggleButton, type Facet, FacetSelect, type Toggle } from './facet.ts';
import { ListTable } from './list-table.ts';
import { createColumnChoice, createCopyButtons } from './list-tools.ts';
import { type DeviceReference, type ListOrder, sortRows, type TableColumn } from './row.ts';

export interface ListOptions<Row> extends Omit<ListDescription<Row>, 'columns'> {
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  /** In the order of the rows. */
  readonly index: SearchIndex;
  readonly facets?: readonly Facet<Row>[];
  readonly toggles?: readonly Toggle<Row>[];
  readonly findDevice?: (row: Row) => DeviceReference;
  /** The sentence above the rows. */
  readonly count: string;
  /** Beside that sentence. */
  readonly note?: Node;
  /** The name of a downloaded file, without its ending. */
  readonly file: string;
}

export class List<Row> {
  readonly #options: ListOptions<Row>;
  readonly #table: ListTable<Row>;
  readonly #status = createElement('span', { role: 'status' });
  readonly #field = createElement('input', {
    type: 'search',
    placeholder: listTexts.searchHint,
    autocomplete: 'off',
    spellcheck: 'false',
  });
  readonly #reset = createElement('button', { type: 'button' }, listTexts.reset);
  readonly #selects: readonly FacetSelect<Row>[];
  readonly #toggles: readonly HTMLElement[];
  readonly #moreFilters: HTMLDetailsElement;
  /** The chosen word of each filter. */
  readonly #chosen = new Map<string, string>();
  readonly #pressed = new Set<string>();
  #order: ListOrder | undefined;
  #shown: readonly Row[];
  #visible: readonly TableColumn<Row>[];

  constructor(host: HTMLElement, options: ListOptions<Row>) {
    const { id, label, rows, columns, facets = [], toggles = [], findDevice, note } = options;
    this.#options = options;
    this.#shown = rows;
    this.#visible = columns.filter(({ isHidden }) => isHidden !== true);
    this.#table = new ListTable({ label, onSort: (key) => this.#sort(key), findDevice });
    this.#table.showColumns(this.#visible);
    this.#selects = facets.map((facet) => new FacetSelect(facet, rows, (word) => this.#choose(facet.key, word)));
    this.#toggles = toggles.map((toggle) => createToggleButton(toggle, () => this.#press(toggle.key)));
    const more = this.#selects.filter(({ facet }) => facet.isSecondary === true);
    this.#moreFilters = createElement(
      'details',
      { class: 'more', hidden: more.length === 0 },
      createElement('summary', {}, listTexts.moreFilters),
      createElement('div', {}, ...more.map(({ element }) => element)),
    );
    this.#moreFilters.addEventListener('toggle', () => {
      for (const select of more) {
        select.fill();
      }
    });
    this.#field.addEventListener('input', () => this.#change());
    this.#reset.addEventListener('click', () => this.#clear());
    const statusLine = createElement('p', { class: 'status' }, this.#status, note);
    host.replaceChildren(...(rows.length > 0 ? [this.#createTools()] : []), statusLine, this.#table.element);
    onAddressChange(id, () => this.#readAddress());
  }

  #createTools(): HTMLElement {
    const { columns, file } = this.#options;
    const main = this.#selects.filter(({ facet }) => facet.isSecondary !== true);
    return createElement(
      'div',
      { class: 'tools' },
      createElement('label', {}, listTexts.search, this.#field),
      ...main.map(({ element }) => element),
      ...this.#toggles,
      this.#moreFilters,
      this.#reset,
      createColumnChoice(columns, this.#visible, (visible) => this.#showColumns(visible)),
      ...createCopyButtons(
        file,
        () => ({ columns: this.#visible, rows: this.#shown }),
        (done) => {
          const count = formatNumber(this.#shown.length);
          this.#status.textContent = done ? fillText(listTexts.copied, { count }) : listTexts.copyFailed;
        },
      ),
    );
  }

  #press(key: string): void {
    if (!this.#pressed.delete(key)) {
      this.#pressed.add(key);
    }
    this.#change();
  }

  #choose(key: string, word: string | undefined): void {
    if (word === undefined) {
      this.#chosen.delete(key);
    } else {
      this.#chosen.set(key, word);
    }
    this.#change();
  }

  #sort(key: string): void {
    const isSame = this.#order?.key === key;
    this.#order = isSame && this.#order?.isDescending ? undefined : { key, isDescending: isSame };
    this.#change();
  }

  #clear(): void {
    this.#chosen.clear();
    this.#pressed.clear();
    this.#field.value = '';
    this.#change();
    this.#field.focus();
  }

  #showColumns(visible: readonly TableColumn<Row>[]): void {
    this.#visible = visible;
    this.#table.showColumns(visible);
    this.#update();
  }

  #change(): void {
    this.#update();
    const [query, order] = [this.#field.value, this.#order];
    writeParametersOf(this.#options.id, [
      ...(query === '' ? [] : [['q', query] as const]),
      ...this.#chosen,
      ...(this.#pressed.size === 0 ? [] : [['on', [...this.#pressed].join(',')] as const]),
      ...(order === undefined ? [] : [['sort', `${order.isDescending ? '-' : ''}${order.key}`] as const]),
    ]);
  }

  /** The filters of the address, and no others. */
  #readAddress(): void {
    const wanted = readParametersOf(this.#options.id);
    this.#chosen.clear();
    for (const { key } of this.#options.facets ?? []) {
      const word = wanted.get(key);
      if (word !== undefined) {
        this.#chosen.set(key, word);
      }
    }
    this.#pressed.clear();
    for (const key of wanted.get('on')?.split(',') ?? []) {
      this.#pressed.add(key);
    }
    this.#field.value = wanted.get('q') ?? '';
    const sort = wanted.get('sort');
    this.#order = sort === undefined ? undefined : { key: sort.replace(/^-/, ''), isDescending: sort.startsWith('-') };
    this.#update();
  }

  #update(): void {
    const { rows, columns, facets = [], toggles = [], index, empty, count } = this.#options;
    const found = index.match(this.#field.value);
    const tests = createTests(facets, this.#chosen, toggles, this.#pressed);
    const isFiltered = found !== undefined || tests.length > 0;
    const fits = (row: Row, place: number) => (found?.[place] ?? 1) === 1 && tests.every((test) => test(row));
    this.#shown = isFiltered ? rows.filter(fits) : rows;
    if (this.#order !== undefined) {
      this.#shown = sortRows(this.#shown, columns, this.#order);
    }
    this.#table.showRows(this.#shown, rows.length === 0 ? empty : listTexts.noneFits, this.#order);
    this.#status.textContent = fillText(count, {
      shown: formatNumber(this.#shown.length),
      all: formatNumber(rows.length),
    });
    this.#reset.hidden = !isFiltered;
    this.#refreshControls();
  }

  #refreshControls(): void {
    for (const select of this.#selects) {
      const word = this.#chosen.get(select.facet.key);
      select.choose(word);
      this.#moreFilters.open ||= word !== undefined && select.facet.isSecondary === true;
    }
    for (const toggle of this.#toggles) {
      toggle.setAttribute('aria-pressed', String(this.#pressed.has(toggle.dataset.toggle ?? '')));
    }
  }
}
