/**
 * A table of 200 rows, and more on demand. Where its rows are devices, their names are links to their cards: arrow keys
 * move between them, and one at a time can be reached with the Tab key.
 */
import type { DeviceReference } from '../../../../core/facts/judged.ts';
import { fillText, formatNumber } from '../../shared/format.ts';
import { listTexts } from '../../shared/list-texts.ts';
import { createButton, createElement } from '../dom.ts';
import { createRow, type TableColumn } from './row.ts';

const rowsAtOnce = 200;
/** Rows at most; more would keep the browser busy for seconds. */
const mostRows = 2_000;
const rowsPerPage = 10;

export function createTable<Row>(
  label: string,
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
  empty: string,
): HTMLElement {
  const table = new ListTable<Row>(label);
  table.showColumns(columns);
  table.showRows(rows, empty);
  return table.element;
}

export class ListTable<Row> {
  readonly element: HTMLElement;
  readonly #onSort: ((key: string) => void) | undefined;
  readonly #findDevice: ((row: Row) => DeviceReference) | undefined;
  readonly #head = createElement('tr');
  readonly #body = createElement('tbody');
  readonly #table: HTMLElement;
  readonly #region: HTMLElement;
  readonly #empty = createElement('p', { class: 'quiet' });
  readonly #more = createElement('p', { class: 'status' });
  #columns: readonly TableColumn<Row>[] = [];
  #rows: readonly Row[] = [];

  /** Makes a table; `onSort` makes columns sortable, `findDevice` names the device whose card a row opens. */
  constructor(label: string, onSort?: (key: string) => void, findDevice?: (row: Row) => DeviceReference) {
    this.#onSort = onSort;
    this.#findDevice = findDevice;
    const head = createElement('thead', { 'data-title': listTexts.sort }, this.#head);
    this.#table = createElement('table', {}, head, this.#body);
    const kind = findDevice === undefined ? 'scroll rows' : 'scroll rows opens';
    const attributes = { class: kind, tabindex: 0, role: 'group', 'aria-label': label };
    this.#region = createElement('div', attributes, this.#table);
    this.element = createElement('div', {}, this.#region, this.#empty, this.#more);
    this.#region.addEventListener('keydown', (event) => this.#moveFocus(event));
    this.#body.addEventListener('focusin', ({ target }) => this.#moveTabStop(target as Element));
    this.#body.addEventListener('click', ({ target }) => openRow(target as Element));
  }

  showColumns(columns: readonly TableColumn<Row>[]): void {
    this.#columns = columns;
    this.#head.replaceChildren(...columns.map((column) => this.#createHead(column)));
  }

  showRows(rows: readonly Row[], empty: string, order?: string): void {
    this.#rows = rows;
    this.#body.replaceChildren();
    this.#region.scrollTop = 0;
    this.#region.hidden = rows.length === 0;
    this.#empty.hidden = rows.length > 0;
    this.#empty.textContent = empty;
    this.#table.setAttribute('aria-rowcount', String(rows.length + 1));
    for (const head of this.#onSort === undefined ? [] : this.#head.children) {
      const key = head.getAttribute('data-key');
      head.ariaSort = order === key ? 'ascending' : order === `-${key}` ? 'descending' : 'none';
    }
    this.#showUntil(rowsAtOnce);
    this.#listLinks()[0]?.setAttribute('tabindex', '0');
  }

  #showUntil(count: number): void {
    const before = this.#body.childElementCount;
    const added = this.#rows.slice(before, count);
    this.#body.append(...added.map((row) => createRow(row, this.#columns, this.#findDevice?.(row))));
    const { length: all } = this.#rows;
    const shown = Math.min(count, all);
    this.#more.hidden = shown === all;
    this.#more.replaceChildren(
      fillText(listTexts.first, { shown: formatNumber(shown), all: formatNumber(all) }),
      this.#createMoreButton(fillText(listTexts.showMore, { count: Math.min(rowsAtOnce, all - shown) }), rowsAtOnce),
      ...(all > mostRows || all - shown <= rowsAtOnce
        ? []
        : [this.#createMoreButton(fillText(listTexts.showAll, { count: formatNumber(all) }), all)]),
    );
  }

  #createMoreButton(text: string, count: number): HTMLElement {
    return createButton(text, () => {
      const shown = this.#body.childElementCount;
      this.#showUntil(shown + count);
      this.#focusRow(shown);
    });
  }

  #createHead({ key, title, show }: TableColumn<Row>): HTMLElement {
    const onSort = show === undefined ? this.#onSort : undefined;
    if (title === '') {
      return createElement('td');
    }
    const content = onSort === undefined ? title : createButton(title, () => onSort(key));
    return createElement('th', { scope: 'col', 'data-key': key }, content);
  }

  #moveFocus(event: KeyboardEvent): void {
    const links = this.#listLinks();
    const at = links.indexOf(event.target as HTMLElement);
    const isOnRow = at !== -1 || event.target === this.#region;
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + rowsPerPage,
      PageUp: at - rowsPerPage,
      Home: 0,
      End: links.length - 1,
    };
    const isPlain = !(event.altKey || event.ctrlKey || event.metaKey);
    const next = isOnRow && isPlain && Object.hasOwn(steps, event.key) ? steps[event.key] : undefined;
    if (next !== undefined && links.length > 0) {
      event.preventDefault();
      this.#focusRow(next);
    }
  }

  #focusRow(index: number): void {
    const shown = this.#body.childElementCount;
    if (index >= shown) {
      this.#showUntil(shown + rowsAtOnce);
    }
    const links = this.#listLinks();
    links[Math.max(0, Math.min(links.length - 1, index))]?.focus();
  }

  #moveTabStop(focused: Element): void {
    if (focused.matches('a.device')) {
      this.#body.querySelector('a.device[tabindex="0"]')?.setAttribute('tabindex', '-1');
      focused.setAttribute('tabindex', '0');
    }
  }

  #listLinks(): HTMLElement[] {
    return [...this.#body.querySelectorAll<HTMLElement>('a.device')];
  }
}

/** Opens the card of a clicked row, except for clicks on links and buttons, and at the end of a selection. */
function openRow(target: Element): void {
  if (target.closest('a, button') === null && document.getSelection()?.isCollapsed !== false) {
    const link = target.closest('tr')?.querySelector<HTMLElement>('a.device');
    link?.focus();
    link?.click();
  }
}
