/**
 * A table of any length: only the visible rows are elements. The grid keeps the keyboard focus and names the active
 * row, so that scrolling never loses it; it gives screen readers the number of rows and the number of the active one.
 */
import { listTexts } from '../texts.ts';
import { createElement } from './dom.ts';

export interface GridColumn {
  readonly key: string;
  readonly title: string;
  /** `9rem`, or `minmax(9rem, 1fr)` to share the remaining width of the grid. */
  readonly width: string;
  /** The text that is copied, and shown where `show` is missing. */
  text(row: number): string;
  show?(row: number): Node;
  /** The value that rows are sorted by; the text where it is missing. Undefined is last in both directions. */
  sort?(row: number): number | string | undefined;
}

export interface Grid {
  readonly element: HTMLElement;
  show(rows: readonly number[], columns: readonly GridColumn[]): void;
  /** Shows in the headings which column the rows are sorted by. */
  sorted(key: string | undefined, descending: boolean): void;
}

export interface GridOptions {
  readonly id: string;
  readonly label: string;
  readonly empty: string;
  readonly onSort: (key: string) => void;
  readonly open?: ((row: number) => void) | undefined;
}

const overscan = 8;
/** Browsers limit the height of an element; above this height, scrolling is scaled. */
const maximumHeight = 8_000_000;

/** The least width, in rem, of a column such as `9rem` or `minmax(9rem, 1fr)`. */
function parseMinimumWidth(width: string): number {
  return Number(/([\d.]+)rem/.exec(width)?.[1] ?? 0);
}

export function createGrid({ id, label, empty, onSort: order, open }: GridOptions): Grid {
  let rows: readonly number[] = [];
  let columns: readonly GridColumn[] = [];
  let active = 0;
  let drawn = { from: -1, to: -1 };
  const heads = createElement('div', { role: 'row', class: 'heads', 'aria-rowindex': 1 });
  const body = createElement('div', { role: 'rowgroup', class: open ? 'rows opens' : 'rows' });
  const table = createElement('div', { role: 'grid', tabindex: 0, 'aria-label': label, 'aria-readonly': 'true' });
  table.append(createElement('div', { role: 'rowgroup' }, heads), body);
  const nothing = createElement('p', { class: 'empty' }, empty);
  const scroll = createElement('div', { class: 'grid-scroll' }, table);
  const host = createElement('div', {}, scroll, nothing);

  const height = () => heads.offsetHeight || 36;
  const viewRows = () => Math.max(1, Math.floor((scroll.clientHeight - height()) / height()));
  const total = () => Math.min(rows.length * height(), maximumHeight);
  const isScaled = () => rows.length * height() > maximumHeight;

  function findFirstVisibleRow(): number {
    if (!isScaled()) {
      return Math.floor(scroll.scrollTop / height());
    }
    const share = scroll.scrollTop / Math.max(1, total() + height() - scroll.clientHeight);
    return Math.round(share * (rows.length - viewRows()));
  }

  function draw(force = false): void {
    const first = findFirstVisibleRow();
    const from = Math.max(0, first - overscan);
    const to = Math.min(rows.length, first + viewRows() + overscan + 2);
    if (!force && from === drawn.from && to === drawn.to) {
      return;
    }
    drawn = { from, to };
    const top = (index: number) =>
      isScaled()
        ? Math.min(scroll.scrollTop, total() - viewRows() * height()) + (index - first) * height()
        : index * height();
    body.replaceChildren(...Array.from({ length: to - from }, (_, step) => rowElement(from + step, top(from + step))));
    point();
  }

  function rowElement(index: number, top: number): HTMLElement {
    const row = rows[index] ?? 0;
    const made = createElement('div', { role: 'row', id: `${id}-${index}`, 'aria-rowindex': index + 2 });
    made.dataset.index = String(index);
    made.style.transform = `translateY(${top}px)`;
    for (const [at, column] of columns.entries()) {
      made.append(
        createElement('div', { role: 'gridcell', 'aria-colindex': at + 1 }, column.show?.(row) ?? column.text(row)),
      );
    }
    return made;
  }

  function point(): void {
    for (const one of body.querySelectorAll('.active')) {
      one.classList.remove('active');
    }
    const shown = document.getElementById(`${id}-${active}`);
    shown?.classList.add('active');
    if (shown) {
      table.setAttribute('aria-activedescendant', shown.id);
    } else {
      table.removeAttribute('aria-activedescendant');
    }
  }

  function go(index: number): void {
    active = Math.max(0, Math.min(rows.length - 1, index));
    const first = findFirstVisibleRow();
    scroll.scrollIntoView({ block: 'nearest' });
    if (active < first || active >= first + viewRows()) {
      const target = active < first ? active : active - viewRows() + 1;
      const share = rows.length <= viewRows() ? 0 : target / (rows.length - viewRows());
      scroll.scrollTop = isScaled() ? share * (total() + height() - scroll.clientHeight) : target * height();
    }
    draw(true);
  }

  const steps: Readonly<Record<string, () => number>> = {
    ArrowDown: () => active + 1,
    ArrowUp: () => active - 1,
    PageDown: () => active + viewRows(),
    PageUp: () => active - viewRows(),
    Home: () => 0,
    End: () => rows.length - 1,
  };
  table.addEventListener('keydown', (event) => {
    if (event.target !== table || event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    const step = Object.hasOwn(steps, event.key) ? steps[event.key] : undefined;
    const row = rows[active];
    if (step) {
      go(step());
    } else if ((event.key === 'Enter' || event.key === ' ') && open && row !== undefined) {
      open(row);
    } else if (event.key === 'ArrowRight') {
      scroll.scrollLeft += 80;
    } else if (event.key === 'ArrowLeft') {
      scroll.scrollLeft -= 80;
    } else {
      return;
    }
    event.preventDefault();
  });
  body.addEventListener('click', (event) => {
    const index = Number((event.target as Element).closest<HTMLElement>('[role=row]')?.dataset.index ?? -1);
    const row = rows[index];
    if (row === undefined || document.getSelection()?.isCollapsed === false) {
      return;
    }
    active = index;
    point();
    open?.(row);
  });
  let waiting = false;
  scroll.addEventListener('scroll', () => {
    if (waiting) {
      return;
    }
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      draw(isScaled());
    });
  });
  new ResizeObserver(() => draw(true)).observe(scroll);

  return {
    element: host,
    show(next, shownColumns) {
      rows = next;
      active = 0;
      if (columns !== shownColumns) {
        columns = shownColumns;
        table.style.setProperty('--columns', columns.map(({ width }) => width).join(' '));
        table.style.minWidth = `${columns.reduce((sum, { width }) => sum + parseMinimumWidth(width), 0)}rem`;
        heads.replaceChildren(
          ...columns.map(({ key, title }, at) => {
            const button = createElement('button', { type: 'button', title }, title);
            button.addEventListener('click', () => order(key));
            return createElement('div', { role: 'columnheader', 'aria-colindex': at + 1, 'data-key': key }, button);
          }),
        );
        table.setAttribute('aria-colcount', String(columns.length));
      }
      table.setAttribute('aria-rowcount', String(rows.length + 1));
      scroll.hidden = rows.length === 0;
      nothing.hidden = rows.length > 0;
      nothing.textContent = empty || listTexts.none;
      body.style.height = `${total()}px`;
      scroll.scrollTop = 0;
      draw(true);
    },
    sorted(key, descending) {
      for (const head of heads.children) {
        const isKey = head.getAttribute('data-key') === key;
        head.setAttribute('aria-sort', isKey ? (descending ? 'descending' : 'ascending') : 'none');
      }
    },
  };
}
