/**
 * A table of 200 rows, and more when the reader asks for them. Where its rows are devices, their names are links to
 * their cards: arrow keys move between them, and one of them at a time is in the order of the Tab key.
 */
import { fillText, formatNumber } from '../../shared/format.ts';
import { listTexts } from '../../shared/list-texts.ts';
import { openDevice } from '../address.ts';
import { createElement } from '../dom.ts';
import { createRow, type DeviceReference, type ListOrder, type TableColumn } from './row.ts';

interface ListTableOptions<Row> {
  readonly label: string;
  /** Given where columns can be sorted. */
  readonly onSort?: (key: string) => void;
  /** The device whose card a row opens. */
  readonly findDevice?: ((row: Row) => DeviceReference) | undefined;
}

const rowsAtOnce = 200;
/** More rows than these would keep the browser busy for seconds. */
const mostRows = 2_000;
const rowsPerPage = 10;

export class ListTable<Row> {
  readonly element: HTMLElement;
  readonly #options: ListTableOptions<Row>;
  readonly #head = createElement('tr');
  readonly #body = createElement('tbody');
  readonly #table: HTMLElement;
  readonly #region: HTMLElement;
  readonly #empty = createElement('p', { class: 'quiet' });
  readonly #more = createElement('p', { class: 'status' });
  #columns: readonly TableColumn<Row>[] = [];
  #rows: readonly Row[] = [];

  constructor(options: ListTableOptions<Row>) {
    this.#options = options;
    this.#table = createElement('table', {}, createElement('thead', {}, this.#head), this.#body);
    this.#region = createElement(
      'div',
      {
        class: options.findDevice === undefined ? 'scroll rows' : 'scroll rows opens',
        tabindex: 0,
        role: 'group',
        'aria-label': options.label,
      },
      this.#table,
    );
    this.element = createElement('div', {}, this.#region, this.#empty, this.#more);
    this.#region.addEventListener('keydown', (event) => this.#moveFocus(event));
    this.#body.addEventListener('click', (event) => this.#open(event));
  }

  showColumns(columns: readonly TableColumn<Row>[]): void {
    this.#columns = columns;
    this.#head.replaceChildren(...columns.map((column) => this.#createHead(column)));
  }

  showRows(rows: readonly Row[], empty: string, order?: ListOrder): void {
    this.#rows = rows;
    this.#body.replaceChildren();
    this.#region.scrollTop = 0;
    this.#region.hidden = rows.length === 0;
    this.#empty.hidden = rows.length > 0;
    this.#empty.textContent = empty;
    this.#table.setAttribute('aria-rowcount', String(rows.length + 1));
    for (const head of this.#options.onSort === undefined ? [] : this.#head.children) {
      const isSorted = head.getAttribute('data-key') === order?.key;
      head.setAttribute('aria-sort', isSorted ? (order?.isDescending ? 'descending' : 'ascending') : 'none');
    }
    this.#showUntil(rowsAtOnce);
  }

  #showUntil(count: number): void {
    const before = this.#body.childElementCount;
    this.#body.append(
      ...this.#rows.slice(before, count).map((row) => createRow(row, this.#columns, this.#options.findDevice)),
    );
    const { length: all } = this.#rows;
    const shown = Math.min(count, all);
    const link = this.#body.querySelector<HTMLElement>('a.device');
    if (before === 0 && link) {
      link.tabIndex = 0;
    }
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
    const button = createElement('button', { type: 'button' }, text);
    button.addEventListener('click', () => {
      const shown = this.#body.childElementCount;
      this.#showUntil(shown + count);
      this.#focusRow(shown);
    });
    return button;
  }

  #createHead({ key, title }: TableColumn<Row>): HTMLElement {
    const { onSort } = this.#options;
    if (title === '') {
      return createElement('td');
    }
    if (onSort === undefined) {
      return createElement('th', { scope: 'col', 'data-key': key }, title);
    }
    const button = createElement('button', { type: 'button' }, title);
    button.addEventListener('click', () => onSort(key));
    return createElement('th', { scope: 'col', 'data-key': key }, button);
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
    this.#focusLink(links[Math.max(0, Math.min(links.length - 1, index))]);
  }

  #focusLink(link: HTMLElement | undefined): void {
    this.#body.querySelector('a.device[tabindex="0"]')?.setAttribute('tabindex', '-1');
    link?.setAttribute('tabindex', '0');
    link?.focus();
  }

  #listLinks(): HTMLElement[] {
    return [...this.#body.querySelectorAll<HTMLElement>('a.device')];
  }

  /** A click anywhere in a row opens its card, but for one on another link, and the end of a selection. */
  #open(event: MouseEvent): void {
    const target = event.target as Element;
    const line = target.closest('tr');
    const row = this.#rows[line?.sectionRowIndex ?? -1];
    const device = row && this.#options.findDevice?.(row);
    const link = line?.querySelector<HTMLElement>('a.device');
    const isElsewhere = ![null, link].includes(target.closest<HTMLElement>('a, button'));
    const isSelecting = target.closest('a') === null && document.getSelection()?.isCollapsed === false;
    if (!device || !link || isElsewhere || isSelecting || event.ctrlKey || event.metaKey || event.shiftKey) {
      return;
    }
    event.preventDefault();
    this.#focusLink(link);
    openDevice(device.source, device.id);
  }
}
