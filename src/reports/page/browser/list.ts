/**
 * A list with its controls: search, filters, order, choice of columns, copying and download. The same for devices,
 * changes and groups. Which rows it shows is part of the page's address.
 */
import type { PackedWords } from '../page-data.ts';
import { fillText, formatNumber, listTexts } from '../texts.ts';
import { onAddressChange, readParametersOf, writeParametersOf } from './address.ts';
import { copyToClipboard, downloadText, toCsv, toTabSeparated } from './clipboard.ts';
import { createElement } from './dom.ts';
import { splitQuery } from './fold.ts';
import { createGrid, type Grid, type GridColumn } from './grid.ts';
import { createRowSearch, sortRows } from './rows.ts';
import { readWord } from './unpack.ts';

/** A filter by one of the values that the rows have, or by one of several conditions. */
export interface Facet {
  readonly key: string;
  readonly label: string;
  /** The value of a row: a column of the data, or a function; '' is "not known". */
  readonly column?: PackedWords;
  of?(row: number): string | undefined;
  readonly choices?: readonly FacetChoice[];
  say?(word: string): string;
  /** Shown on demand. */
  readonly isSecondary?: boolean;
  /** Nearly every row has a value of its own: only an address chooses one. */
  readonly isOnlyInAddress?: boolean;
}

export interface FacetChoice {
  readonly word: string;
  readonly label: string;
  holds(row: number): boolean;
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
  search?(row: number): string;
  /** Instead of it: for every row whether it fits; undefined where nothing is searched. */
  match?(query: string): Uint8Array | undefined;
  readonly open?: (row: number) => void;
  readonly empty: string;
  /** The sentence above the rows. */
  readonly count?: string;
  readonly note?: Node;
  /** The name of a downloaded file, without its ending. */
  readonly file: string;
}

type Order = { key: string; descending: boolean };

export function mountList(host: HTMLElement, options: ListOptions): void {
  const { id, label, rows, columns } = options;
  const facets = options.facets ?? [];
  const toggles = options.toggles ?? [];
  const hidden = new Set(options.hidden ?? []);
  const chosen = new Map<string, string>();
  const pressed = new Set<string>();
  let order: Order | undefined;
  let query = '';
  let shown = rows;
  let visible = columns.filter(({ key }) => !hidden.has(key));
  const { search } = options;
  const createRowTest = search === undefined ? undefined : createRowSearch({ rows, search });

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
  const controls = createTools();
  host.replaceChildren(...(rows.length > 0 ? [controls.element] : []), statusLine, view.element);
  onAddressChange(applyAddress);

  /** The filters of the address, and no others. */
  function applyAddress(): void {
    const wanted = readParametersOf(id);
    chosen.clear();
    for (const { key } of facets) {
      const word = wanted.get(key);
      if (word !== undefined) {
        chosen.set(key, word);
      }
    }
    pressed.clear();
    for (const key of wanted.get('on')?.split(',') ?? []) {
      pressed.add(key);
    }
    query = wanted.get('q') ?? '';
    const sorted = wanted.get('sort');
    order = sorted === undefined ? undefined : { key: sorted.replace(/^-/, ''), descending: sorted.startsWith('-') };
    controls.refresh();
    update();
  }

  function writeAddress(): void {
    writeParametersOf(id, [
      ...(query === '' ? [] : [['q', query] as const]),
      ...chosen,
      ...(pressed.size === 0 ? [] : [['on', [...pressed].join(',')] as const]),
      ...(order === undefined ? [] : [['sort', `${order.descending ? '-' : ''}${order.key}`] as const]),
    ]);
  }

  function change(): void {
    update();
    writeAddress();
  }

  function update(): void {
    const tests = [
      ...facets.flatMap((facet) => {
        const word = chosen.get(facet.key);
        return word === undefined ? [] : [createFacetTest(facet, word)];
      }),
      ...toggles.filter(({ key }) => pressed.has(key)).map((toggle) => toggle.holds),
    ];
    const isSearched = query.trim() !== '';
    const isFound = isSearched ? createSearchTest() : () => true;
    shown =
      isSearched || tests.length > 0
        ? rows.filter((row, index) => isFound(index, row) && tests.every((test) => test(row)))
        : rows;
    if (order) {
      shown = sortRows(shown, columns, order);
    }
    view.show(shown, visible);
    view.sorted(order?.key, order?.descending ?? false);
    status.textContent = fillText(options.count ?? listTexts.shown, {
      shown: formatNumber(shown.length),
      all: formatNumber(rows.length),
    });
    reset.hidden = !isSearched && tests.length === 0;
  }

  function createSearchTest(): (index: number, row: number) => boolean {
    const found = options.match?.(query);
    if (found !== undefined) {
      return (_, row) => found[row] === 1;
    }
    const test = createRowTest?.(splitQuery(query));
    return (index) => test?.(index) ?? true;
  }

  function sort(key: string): void {
    if (order?.key !== key) {
      order = { key, descending: false };
    } else {
      order = order.descending ? undefined : { key, descending: true };
    }
    change();
  }

  function createTools() {
    const field = createElement('input', {
      type: 'search',
      placeholder: listTexts.searchHint,
      autocomplete: 'off',
      spellcheck: 'false',
    });
    field.addEventListener('input', () => {
      query = field.value;
      change();
    });
    const selects = facets.map((facet) => createFacetSelect(facet));
    const buttons = toggles.map(({ key, label: name }) => {
      const button = createElement('button', { type: 'button', 'aria-pressed': 'false', 'data-toggle': key }, name);
      button.addEventListener('click', () => {
        if (!pressed.delete(key)) {
          pressed.add(key);
        }
        button.setAttribute('aria-pressed', String(pressed.has(key)));
        change();
      });
      return button;
    });
    reset.addEventListener('click', () => {
      chosen.clear();
      pressed.clear();
      query = '';
      refresh();
      change();
      field.focus();
    });
    const more = selects.filter(({ facet }) => facet.isSecondary === true);
    const moreFilters = createElement(
      'details',
      { class: 'more' },
      createElement('summary', {}, listTexts.moreFilters),
      createElement('div', {}, ...more.map(({ part }) => part)),
    );
    function refresh(): void {
      field.value = query;
      for (const select of selects) {
        select.choose(chosen.get(select.facet.key));
      }
      for (const [index, button] of buttons.entries()) {
        button.setAttribute('aria-pressed', String(pressed.has(toggles[index]?.key ?? '')));
      }
      if (more.some(({ facet }) => chosen.has(facet.key))) {
        moreFilters.open = true;
      }
    }
    const element = createElement(
      'div',
      { class: 'tools' },
      createElement('label', {}, listTexts.search, field),
      ...selects.filter(({ facet }) => facet.isSecondary !== true).map(({ part }) => part),
      buttons.length === 0 ? undefined : createElement('div', { class: 'toggles' }, ...buttons),
      more.length === 0 ? undefined : moreFilters,
      reset,
      columnChoice(),
      createCopyButton(listTexts.copy, toCsv),
      createCopyButton(listTexts.copyTable, toTabSeparated),
      createDownloadButton(),
    );
    return { element, refresh };
  }

  function createFacetSelect(facet: Facet) {
    const choices = facet.choices ?? (facet.isOnlyInAddress ? [] : listFacetWords(facet, rows));
    const box = createElement(
      'select',
      { 'data-facet': facet.key },
      createElement('option', { value: '' }, listTexts.any),
    );
    // A value from outside can be any text, so options are identified by their index.
    const words = choices.map(({ word }) => word);
    const addOption = (name: string) => box.append(createElement('option', { value: box.length - 1 }, name));
    for (const choice of choices) {
      addOption('count' in choice ? `${choice.label} (${formatNumber(choice.count)})` : choice.label);
    }
    box.addEventListener('change', () => {
      const word = box.value === '' ? undefined : words[Number(box.value)];
      if (word === undefined) {
        chosen.delete(facet.key);
      } else {
        chosen.set(facet.key, word);
      }
      change();
    });
    const part = createElement('label', {}, facet.label, box);
    const choose = (word: string | undefined) => {
      if (word !== undefined) {
        part.hidden = false;
        if (!words.includes(word)) {
          // An address from another run can name a value that no row has.
          words.push(word);
          addOption(facet.isOnlyInAddress ? word : `${nameFacetWord(facet, word)} (0)`);
        }
      }
      box.value = word === undefined ? '' : String(words.indexOf(word));
    };
    part.hidden = words.length === 0 || facet.isOnlyInAddress === true;
    return { facet, choose, part };
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

  /** The head and the rows that are shown, with the columns that are shown. */
  function readShownRows(): string[][] {
    return [visible.map(({ title }) => title), ...shown.map((row) => visible.map((column) => column.text(row)))];
  }

  function createCopyButton(name: string, render: (lines: string[][]) => string): HTMLElement {
    const button = createElement('button', { type: 'button' }, name);
    button.addEventListener('click', async () => {
      const done = await copyToClipboard(render(readShownRows()));
      status.textContent = done
        ? fillText(listTexts.copied, { count: formatNumber(shown.length) })
        : listTexts.copyFailed;
    });
    return button;
  }

  function createDownloadButton(): HTMLElement {
    const button = createElement('button', { type: 'button' }, listTexts.download);
    button.addEventListener('click', () => downloadText(`${options.file}.csv`, `${toCsv(readShownRows())}\n`));
    return button;
  }
}

function createFacetTest(facet: Facet, word: string): (row: number) => boolean {
  if (facet.choices !== undefined) {
    return facet.choices.find((choice) => choice.word === word)?.holds ?? (() => false);
  }
  return (row) => (readFacetWord(facet, row) ?? '') === word;
}

function readFacetWord({ column, of }: Facet, row: number): string | undefined {
  return column === undefined ? of?.(row) : readWord(column, row);
}

function nameFacetWord({ say }: Facet, word: string): string {
  return word === '' ? listTexts.unknown : (say?.(word) ?? word);
}

/** The values that rows have, the most frequent first; "not known" is one only beside others. */
function listFacetWords(facet: Facet, rows: readonly number[]) {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const word = readFacetWord(facet, row) ?? '';
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts]
    .filter(([word]) => word !== '' || counts.size > 1)
    .sort(([, left], [, right]) => right - left)
    .map(([word, count]) => ({ word, count, label: nameFacetWord(facet, word) }));
}
