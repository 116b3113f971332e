/** A list with its controls: search, filters, order, columns, copying and download. The page's address has its state. */
import type { DeviceReference } from '../../../../core/facts/judged.ts';
import { fillText, formatNumber } from '../../shared/format.ts';
import { type ListDescription, toRows } from '../../shared/list.ts';
import { listTexts } from '../../shared/list-texts.ts';
import { findRowsLink, onAddressChange, readParametersOf, writeParametersOf } from '../address.ts';
import { createButton, createElement } from '../dom.ts';
import { SearchIndex } from '../search-index.ts';
import { type Condition, createColumnFacet, createFacetTest, type Facet, FacetSelect } from './facet.ts';
import { ListTable } from './list-table.ts';
import { createColumnChoice, createExportButtons } from './list-tools.ts';
import { sortRows, type TableColumn } from './row.ts';

export interface ListOptions<Row> extends Omit<ListDescription<Row>, 'columns'> {
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  /** The texts of a row that are searched, or an index of the rows in their order. */
  readonly search: SearchIndex | ((row: Row) => readonly (string | undefined)[]);
  /** Hint in the empty search field. */
  readonly searchHint?: string;
  /** Filters; one by a column's text is named by the column's key. */
  readonly facets: readonly (Facet<Row> | string)[];
  /** Further filters, shown on demand. */
  readonly moreFacets?: readonly (Facet<Row> | string)[];
  readonly toggles?: readonly Condition<Row>[];
  readonly moreToggles?: readonly Condition<Row>[];
  readonly findDevice?: (row: Row) => DeviceReference;
  /** The sentence above the rows. */
  readonly count?: string;
  /** A node beside that sentence. */
  readonly note?: Node;
  /** The name of a downloaded file, without its ending. */
  readonly file: string;
}

export class List<Row> {
  readonly #options: ListOptions<Row>;
  readonly #index: SearchIndex;
  readonly #table: ListTable<Row>;
  readonly #status = createElement('span', { role: 'status' });
  readonly #field = createElement('input', {
    type: 'search',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  readonly #reset = createButton(listTexts.reset, () => this.#clear());
  readonly #selects: readonly FacetSelect<Row>[];
  readonly #toggles: readonly HTMLElement[];
  readonly #moreFilters: HTMLDetailsElement;
  /** State from the address: the word of each filter, and `q`, `on` and `sort`. */
  #state = new Map<string, string>();
  #shown: readonly Row[];
  #visible: readonly TableColumn<Row>[];

  constructor(host: HTMLElement, options: ListOptions<Row>) {
    const { id, label, rows, columns, search, facets, moreFacets = [], findDevice, note } = options;
    const { toggles = [], moreToggles = [] } = options;
    this.#options = options;
    this.#field.placeholder = options.searchHint ?? listTexts.searchHint;
    this.#index =
      search instanceof SearchIndex ? search : new SearchIndex(rows.length, (at) => search(rows[at] as Row));
    this.#shown = rows;
    this.#visible = columns.filter(({ isHidden }) => isHidden !== true);
    this.#table = new ListTable(label, (key) => this.#sort(key), findDevice);
    this.#table.showColumns(this.#visible);
    const selects = facets.map((facet) => this.#createSelect(facet));
    const moreSelects = moreFacets.map((facet) => this.#createSelect(facet));
    this.#selects = [...selects, ...moreSelects];
    const buttons = toggles.map((toggle) => this.#createToggle(toggle));
    const moreButtons = moreToggles.map((toggle) => this.#createToggle(toggle));
    this.#toggles = [...buttons, ...moreButtons];
    const summary = createElement('summary', {}, listTexts.moreFilters);
    const more = createElement('div', {}, ...moreSelects.map(({ element }) => element), ...moreButtons);
    this.#moreFilters = createElement('details', { class: 'more', hidden: moreFacets.length === 0 }, summary, more);
    const fill = (select: FacetSelect<Row>) => select.fill();
    selects.forEach(fill);
    this.#moreFilters.addEventListener('toggle', () => moreSelects.forEach(fill));
    this.#field.addEventListener('input', () => this.#change('q', this.#field.value || undefined));
    const statusLine = createElement('p', { class: 'status' }, this.#status, note);
    const tools = rows.length > 0 ? [this.#createTools([...selects.map(({ element }) => element), ...buttons])] : [];
    host.replaceChildren(...tools, statusLine, this.#table.element);
    onAddressChange(id, () => {
      this.#state = readParametersOf(id);
      this.#update();
    });
  }

  #createSelect(facet: Facet<Row> | string): FacetSelect<Row> {
    const { columns, rows } = this.#options;
    const described = typeof facet === 'string' ? createColumnFacet(columns, facet) : facet;
    return new FacetSelect(described, rows, (word) => this.#change(described.key, word));
  }

  #createToggle({ key, label }: Condition<Row>): HTMLElement {
    return createButton(label, () => this.#press(key), { 'data-toggle': key });
  }

  #createTools(filters: readonly HTMLElement[]): HTMLElement {
    const { id, columns, file } = this.#options;
    const findLink = () => findRowsLink(toRows(id, Object.fromEntries(this.#state)) || id);
    const say = (text: string) => {
      this.#status.textContent = text;
    };
    return createElement(
      'div',
      { class: 'tools' },
      createElement('label', {}, listTexts.search, this.#field),
      ...filters,
      this.#moreFilters,
      this.#reset,
      createColumnChoice(columns, (visible) => this.#showColumns(visible)),
      ...createExportButtons(file, () => this.#listCells(), findLink, say),
    );
  }

  /** The shown rows as text, below the titles of their columns. */
  #listCells(): string[][] {
    const columns = this.#visible.filter(({ show }) => show === undefined);
    return [columns.map(({ title }) => title), ...this.#shown.map((row) => columns.map(({ text }) => text(row)))];
  }

  #press(key: string): void {
    const pressed = this.#listPressed();
    const next = pressed.includes(key) ? pressed.filter((other) => other !== key) : [...pressed, key];
    this.#change('on', next.join(',') || undefined);
  }

  #listPressed(): string[] {
    return this.#state.get('on')?.split(',') ?? [];
  }

  /** Sorts upwards, then downwards, then back to the original order. */
  #sort(key: string): void {
    const order = this.#state.get('sort');
    this.#change('sort', order === key ? `-${key}` : order === `-${key}` ? undefined : key);
  }

  #clear(): void {
    const filters = new Set(['q', 'on', ...this.#selects.map(({ facet }) => facet.key)]);
    this.#state = new Map([...this.#state].filter(([key]) => !filters.has(key)));
    this.#change('q', undefined);
    this.#field.focus();
  }

  /** Shows columns; an added one is placed beside the column that names the row, where it needs no scrolling. */
  #showColumns(chosen: readonly TableColumn<Row>[]): void {
    const added = chosen.filter((column) => !this.#visible.includes(column));
    const kept = this.#visible.filter((column) => chosen.includes(column));
    const place = kept.findIndex(({ key, kind }) => key === 'name' || kind === 'head') + 1;
    this.#visible = kept.toSpliced(place, 0, ...added);
    this.#table.showColumns(this.#visible);
    this.#update();
  }

  #change(key: string, value: string | undefined): void {
    if (value === undefined) {
      this.#state.delete(key);
    } else {
      this.#state.set(key, value);
    }
    this.#update();
    writeParametersOf(this.#options.id, this.#state);
  }

  #update(): void {
    const { rows, columns, toggles = [], moreToggles = [], empty, count = listTexts.shownRows } = this.#options;
    const hasWords = this.#index.match(this.#state.get('q') ?? '');
    const pressed = this.#listPressed();
    const tests = [...toggles, ...moreToggles].filter(({ key }) => pressed.includes(key)).map(({ holds }) => holds);
    for (const { facet } of this.#selects) {
      const word = this.#state.get(facet.key);
      if (word !== undefined) {
        tests.push(createFacetTest(facet, word));
      }
    }
    const isFiltered = hasWords !== undefined || tests.length > 0;
    const fits = (row: Row, at: number) => (hasWords?.(at) ?? true) && tests.every((test) => test(row));
    const order = this.#state.get('sort');
    const found = isFiltered ? rows.filter(fits) : rows;
    this.#shown = order === undefined ? found : sortRows(found, columns, order);
    this.#table.showRows(this.#shown, rows.length === 0 ? empty : listTexts.noneFits, order);
    this.#status.textContent = fillText(count, {
      shown: formatNumber(this.#shown.length),
      all: formatNumber(rows.length),
    });
    this.#reset.hidden = !isFiltered;
    this.#refreshControls();
  }

  #refreshControls(): void {
    this.#field.value = this.#state.get('q') ?? '';
    for (const select of this.#selects) {
      const word = this.#state.get(select.facet.key);
      select.choose(word);
      this.#moreFilters.open ||= word !== undefined && this.#moreFilters.contains(select.element);
    }
    for (const toggle of this.#toggles) {
      const isPressed = this.#listPressed().includes(toggle.dataset.toggle ?? '');
      toggle.ariaPressed = String(isPressed);
      this.#moreFilters.open ||= isPressed && this.#moreFilters.contains(toggle);
    }
  }
}
