/** A list with its controls: search, filters, sorting, choice of columns, copying. The same for devices, changes and groups. */
import { fillText, formatNumber, listTexts } from '../texts.ts';
import { copyToClipboard, toCsv } from './clipboard.ts';
import { createElement } from './dom.ts';
import { createGrid, type Grid, type GridColumn } from './grid.ts';
import { createRowSearch, sortRows } from './rows.ts';

/** A filter by one of the values that the rows have. */
export interface Facet {
  readonly key: string;
  readonly label: string;
  of(row: number): string | undefined;
  say?(word: string): string;
}

/** A filter that is on or off. */
export interface Toggle {
  readonly key: string;
  readonly label: string;
  holds(row: number): boolean;
}

export interface ListOptions {
  readonly id: string;
  readonly label: string;
  readonly rows: readonly number[];
  readonly columns: readonly GridColumn[];
  /** Keys of the columns that are not shown at first. */
  readonly hidden?: readonly string[];
  readonly facets?: readonly Facet[];
  readonly toggles?: readonly Toggle[];
  /** The text of a row that is searched. */
  search(row: number): string;
  readonly open?: (row: number) => void;
  readonly empty: string;
  /** The sentence above the rows. */
  readonly count?: string;
  readonly note?: Node;
}

export function mountList(host: HTMLElement, options: ListOptions): void {
  const { id, label, rows, columns } = options;
  const facets = options.facets ?? [];
  const toggles = options.toggles ?? [];
  const hidden = new Set(options.hidden ?? []);
  const chosen = new Map<string, string>();
  const pressed = new Set<string>();
  let order: { key: string; descending: boolean } | undefined;
  let query = '';
  let shown = rows;
  let visible = columns.filter(({ key }) => !hidden.has(key));
  const createRowTest = createRowSearch(options);

  const view: Grid = createGrid({
    id,
    label,
    empty: rows.length === 0 ? options.empty : listTexts.noneFits,
    onSort: sort,
    open: options.open,
  });
  const status = createElement('span', { role: 'status' });
  const reset = createElement('button', { type: 'button' }, listTexts.reset);
  const statusLine = createElement('p', { class: 'status' }, status, options.note);
  if (rows.length > 0) {
    host.append(tools());
  }
  host.append(statusLine, view.element);
  update();

  function update(): void {
    const words = query
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    const tests = [
      ...facets.flatMap((facet) => {
        const word = chosen.get(facet.key);
        return word === undefined ? [] : [(row: number) => facet.of(row) === word];
      }),
      ...toggles.filter(({ key }) => pressed.has(key)).map((toggle) => toggle.holds),
    ];
    const isFound = words.length === 0 ? () => true : createRowTest(words);
    shown = rows.filter((row, index) => isFound(index) && tests.every((test) => test(row)));
    if (order) {
      shown = sortRows(shown, columns, order);
    }
    view.show(shown, visible);
    view.sorted(order?.key, order?.descending ?? false);
    status.textContent = fillText(options.count ?? listTexts.shown, {
      shown: formatNumber(shown.length),
      all: formatNumber(rows.length),
    });
    reset.hidden = words.length === 0 && tests.length === 0;
  }

  function sort(key: string): void {
    if (order?.key !== key) {
      order = { key, descending: false };
    } else {
      order = order.descending ? undefined : { key, descending: true };
    }
    update();
  }

  function tools(): HTMLElement {
    const search = createElement('input', {
      type: 'search',
      placeholder: listTexts.searchHint,
      autocomplete: 'off',
      spellcheck: 'false',
    });
    search.addEventListener('input', () => {
      query = search.value;
      update();
    });
    const selects = facets.map((facet) => select(facet));
    const buttons = toggles.map(({ key, label: name }) => {
      const button = createElement('button', { type: 'button', 'aria-pressed': 'false', 'data-toggle': key }, name);
      button.addEventListener('click', () => {
        if (!pressed.delete(key)) {
          pressed.add(key);
        }
        button.setAttribute('aria-pressed', String(pressed.has(key)));
        update();
      });
      return button;
    });
    reset.addEventListener('click', () => {
      chosen.clear();
      pressed.clear();
      query = search.value = '';
      for (const { box } of selects) {
        box.value = '';
      }
      for (const button of buttons) {
        button.setAttribute('aria-pressed', 'false');
      }
      update();
      search.focus();
    });
    return createElement(
      'div',
      { class: 'tools' },
      createElement('label', {}, listTexts.search, search),
      ...selects.map(({ part }) => part),
      buttons.length === 0 ? undefined : createElement('div', { class: 'toggles' }, ...buttons),
      reset,
      columnChoice(),
      copyButton(),
    );
  }

  function select({ key, label: name, of, say }: Facet): { part: HTMLElement; box: HTMLSelectElement } {
    const counts = new Map<string, number>();
    for (const row of rows) {
      const word = of(row);
      if (word !== undefined) {
        counts.set(word, (counts.get(word) ?? 0) + 1);
      }
    }
    const box = createElement('select', { 'data-facet': key }, createElement('option', { value: '' }, listTexts.any));
    // A value from outside can be any text, so options are identified by their index.
    const words = [...counts].sort(([, left], [, right]) => right - left).map(([word]) => word);
    for (const [index, word] of words.entries()) {
      box.append(
        createElement('option', { value: index }, `${say?.(word) ?? word} (${formatNumber(counts.get(word) ?? 0)})`),
      );
    }
    box.addEventListener('change', () => {
      const word = box.value === '' ? undefined : words[Number(box.value)];
      if (word === undefined) {
        chosen.delete(key);
      } else {
        chosen.set(key, word);
      }
      update();
    });
    return { part: createElement('label', {}, name, box), box };
  }

  function columnChoice(): HTMLElement {
    const boxes = columns.map(({ key, title }) => {
      const box = createElement('input', { type: 'checkbox', checked: !hidden.has(key) });
      box.addEventListener('change', () => {
        if (box.checked) {
          hidden.delete(key);
        } else if (hidden.size < columns.length - 1) {
          hidden.add(key);
        } else {
          box.checked = true;
        }
        visible = columns.filter((column) => !hidden.has(column.key));
        update();
      });
      return createElement('label', {}, box, title);
    });
    const choice = createElement(
      'details',
      { class: 'columns' },
      createElement('summary', {}, listTexts.columns),
      createElement('div', {}, ...boxes),
    );
    choice.addEventListener('toggle', () => {
      const { left } = choice.getBoundingClientRect();
      choice.classList.toggle('turned', left > innerWidth / 2);
    });
    choice.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !choice.open) {
        return;
      }
      choice.open = false;
      choice.querySelector('summary')?.focus();
    });
    document.addEventListener('click', (event) => {
      if (!choice.contains(event.target as Node)) {
        choice.open = false;
      }
    });
    return choice;
  }

  function copyButton(): HTMLElement {
    const button = createElement('button', { type: 'button' }, listTexts.copy);
    button.addEventListener('click', async () => {
      const lines = [
        visible.map(({ title }) => title),
        ...shown.map((row) => visible.map((column) => column.text(row))),
      ];
      const done = await copyToClipboard(toCsv(lines));
      status.textContent = done
        ? fillText(listTexts.copied, { count: formatNumber(shown.length) })
        : listTexts.copyFailed;
    });
    return button;
  }
}
