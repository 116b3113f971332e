/** A list with its tools: search, filters, order, choice of columns, copying. The same for devices, changes and groups. */
import { fill, lists, number } from '../texts.ts';
import { copy, csvOf } from './copy.ts';
import { element } from './dom.ts';
import { type Column, type Grid, grid } from './grid.ts';
import { haystack, ordered } from './rows.ts';

/** One choice out of the words that the rows have. */
export interface Facet {
  readonly key: string;
  readonly label: string;
  of(row: number): string | undefined;
  say?(word: string): string;
}

/** On or off. */
export interface Toggle {
  readonly key: string;
  readonly label: string;
  holds(row: number): boolean;
}

export interface ListOptions {
  readonly id: string;
  readonly label: string;
  readonly rows: readonly number[];
  readonly columns: readonly Column[];
  /** Keys of the columns that are not shown at first. */
  readonly hidden?: readonly string[];
  readonly facets?: readonly Facet[];
  readonly toggles?: readonly Toggle[];
  /** What is searched. */
  search(row: number): string;
  readonly open?: (row: number) => void;
  readonly empty: string;
  /** The sentence over the rows. */
  readonly count?: string;
  readonly note?: Node;
}

export function list(host: HTMLElement, options: ListOptions): void {
  const { id, label, rows, columns } = options;
  const facets = options.facets ?? [];
  const toggles = options.toggles ?? [];
  const hidden = new Set(options.hidden ?? []);
  const chosen = new Map<string, string>();
  const pressed = new Set<string>();
  let order: { key: string; descending: boolean } | undefined;
  let sought = '';
  let shown = rows;
  let visible = columns.filter(({ key }) => !hidden.has(key));
  const hay = haystack(options);

  const view: Grid = grid({
    id,
    label,
    empty: rows.length === 0 ? options.empty : lists.noneFits,
    order: sort,
    open: options.open,
  });
  const status = element('span', { role: 'status' });
  const reset = element('button', { type: 'button' }, lists.reset);
  const said = element('p', { class: 'status' }, status, options.note);
  if (rows.length > 0) host.append(tools());
  host.append(said, view.element);
  update();

  function update(): void {
    const words = sought
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
    const found = words.length === 0 ? () => true : hay(words);
    shown = rows.filter((row, place) => found(place) && tests.every((test) => test(row)));
    if (order) shown = ordered(shown, columns, order);
    view.show(shown, visible);
    view.sorted(order?.key, order?.descending ?? false);
    status.textContent = fill(options.count ?? lists.shown, { shown: number(shown.length), all: number(rows.length) });
    reset.hidden = words.length === 0 && tests.length === 0;
  }

  function sort(key: string): void {
    if (order?.key !== key) order = { key, descending: false };
    else order = order.descending ? undefined : { key, descending: true };
    update();
  }

  function tools(): HTMLElement {
    const search = element('input', {
      type: 'search',
      placeholder: lists.searchHint,
      autocomplete: 'off',
      spellcheck: 'false',
    });
    search.addEventListener('input', () => {
      sought = search.value;
      update();
    });
    const selects = facets.map((facet) => select(facet));
    const buttons = toggles.map(({ key, label: name }) => {
      const button = element('button', { type: 'button', 'aria-pressed': 'false', 'data-toggle': key }, name);
      button.addEventListener('click', () => {
        if (!pressed.delete(key)) pressed.add(key);
        button.setAttribute('aria-pressed', String(pressed.has(key)));
        update();
      });
      return button;
    });
    reset.addEventListener('click', () => {
      chosen.clear();
      pressed.clear();
      sought = search.value = '';
      for (const { box } of selects) box.value = '';
      for (const button of buttons) button.setAttribute('aria-pressed', 'false');
      update();
      search.focus();
    });
    return element(
      'div',
      { class: 'tools' },
      element('label', {}, lists.search, search),
      ...selects.map(({ part }) => part),
      buttons.length === 0 ? undefined : element('div', { class: 'toggles' }, ...buttons),
      reset,
      columnChoice(),
      copyButton(),
    );
  }

  function select({ key, label: name, of, say }: Facet): { part: HTMLElement; box: HTMLSelectElement } {
    const counts = new Map<string, number>();
    for (const row of rows) {
      const word = of(row);
      if (word !== undefined) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    const box = element('select', { 'data-facet': key }, element('option', { value: '' }, lists.any));
    // A word from outside can be anything, so options go by place.
    const words = [...counts].sort(([, left], [, right]) => right - left).map(([word]) => word);
    for (const [place, word] of words.entries()) {
      box.append(element('option', { value: place }, `${say?.(word) ?? word} (${number(counts.get(word) ?? 0)})`));
    }
    box.addEventListener('change', () => {
      const word = box.value === '' ? undefined : words[Number(box.value)];
      if (word === undefined) chosen.delete(key);
      else chosen.set(key, word);
      update();
    });
    return { part: element('label', {}, name, box), box };
  }

  function columnChoice(): HTMLElement {
    const boxes = columns.map(({ key, title }) => {
      const box = element('input', { type: 'checkbox', checked: !hidden.has(key) });
      box.addEventListener('change', () => {
        if (box.checked) hidden.delete(key);
        else if (hidden.size < columns.length - 1) hidden.add(key);
        else box.checked = true;
        visible = columns.filter((column) => !hidden.has(column.key));
        update();
      });
      return element('label', {}, box, title);
    });
    const choice = element(
      'details',
      { class: 'columns' },
      element('summary', {}, lists.columns),
      element('div', {}, ...boxes),
    );
    choice.addEventListener('toggle', () => {
      const { left } = choice.getBoundingClientRect();
      choice.classList.toggle('turned', left > innerWidth / 2);
    });
    choice.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !choice.open) return;
      choice.open = false;
      choice.querySelector('summary')?.focus();
    });
    document.addEventListener('click', (event) => {
      if (!choice.contains(event.target as Node)) choice.open = false;
    });
    return choice;
  }

  function copyButton(): HTMLElement {
    const button = element('button', { type: 'button' }, lists.copy);
    button.addEventListener('click', async () => {
      const lines = [
        visible.map(({ title }) => title),
        ...shown.map((row) => visible.map((column) => column.text(row))),
      ];
      const done = await copy(csvOf(lines));
      status.textContent = done ? fill(lists.copied, { count: number(shown.length) }) : lists.copyFailed;
    });
    return button;
  }
}
