/** The search over every device of the run, in the page's head: a field, its best rows, and their cards. */
import type { PageData } from '../page-data.ts';
import { fillText, formatNumber, findTexts as texts } from '../texts.ts';
import { onAddressChange, toRowsAddress, writeParameter } from './address.ts';
import { describeDevice } from './describe.ts';
import type { DeviceIndex } from './device-index.ts';
import type { CardOpener } from './devices.ts';
import { createElement, createIsolatedText, requireElement } from './dom.ts';

const mostShown = 12;

export function mountFind(data: PageData, index: DeviceIndex, open: CardOpener): void {
  const host = requireElement('#find');
  const field = createElement('input', {
    type: 'search',
    id: 'find-field',
    role: 'combobox',
    'aria-label': texts.label,
    'aria-expanded': 'false',
    'aria-controls': 'find-results',
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: texts.hint,
  });
  const results = createElement('div', { id: 'find-results', role: 'listbox', 'aria-label': texts.results });
  const answer = createElement('p', { class: 'answer', role: 'status' });
  const panel = createElement('div', { class: 'panel', hidden: true }, results, answer);
  host.replaceChildren(field, panel);
  let rows: readonly number[] = [];
  let active = -1;

  function show(): void {
    const query = field.value;
    const isEmpty = query.trim() === '';
    const found = isEmpty ? { rows: [], count: 0 } : index.find(query, mostShown);
    rows = found.rows;
    active = -1;
    results.replaceChildren(...rows.map((row, at) => createOption(data, row, at)));
    results.hidden = rows.length === 0;
    answer.replaceChildren(...(isEmpty ? [] : createAnswer(data, query, found.count)));
    toggle(!isEmpty);
    field.removeAttribute('aria-activedescendant');
  }

  function toggle(isOpen: boolean): void {
    panel.hidden = !isOpen;
    field.setAttribute('aria-expanded', String(isOpen));
  }

  function point(step: number): void {
    active = rows.length === 0 ? -1 : (active + step + rows.length + (active === -1 && step < 0 ? 1 : 0)) % rows.length;
    for (const [at, option] of [...results.children].entries()) {
      option.setAttribute('aria-selected', String(at === active));
    }
    const chosen = results.children[active];
    if (chosen) {
      field.setAttribute('aria-activedescendant', chosen.id);
      chosen.scrollIntoView({ block: 'nearest' });
    }
  }

  function choose(at: number): void {
    const row = rows[at];
    if (row !== undefined) {
      toggle(false);
      open(row);
    }
  }

  field.addEventListener('input', () => {
    show();
    writeParameter('find', field.value === '' ? undefined : field.value);
  });
  field.addEventListener('focus', () => toggle(field.value.trim() !== ''));
  field.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      point(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Enter') {
      choose(Math.max(0, active));
    } else if (event.key === 'Escape' && !panel.hidden) {
      toggle(false);
    } else {
      return;
    }
    event.preventDefault();
  });
  results.addEventListener('click', (event) => {
    const option = (event.target as Element).closest<HTMLElement>('[role=option]');
    choose(Number(option?.dataset.at ?? -1));
  });
  document.addEventListener('click', (event) => {
    if (!host.contains(event.target as Node)) {
      toggle(false);
    }
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = (event.target as Element).closest('input, select, textarea, dialog') !== null;
    if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      field.focus();
    }
  });
  onAddressChange((parameters) => {
    const query = parameters.get('find') ?? '';
    if (query !== field.value) {
      field.value = query;
      show();
    }
  });
}

function createOption(data: PageData, row: number, at: number): HTMLElement {
  const { devices } = data;
  const facts = [devices.serialNumber[row], devices.user[row]].filter((fact) => fact !== null && fact !== undefined);
  return createElement(
    'div',
    { role: 'option', id: `find-${at}`, 'data-at': at, 'aria-selected': 'false' },
    createElement('b', {}, createIsolatedText(devices.name[row] ?? devices.id[row] ?? '')),
    ...facts.flatMap((fact) => [' ', createElement('span', {}, createIsolatedText(fact))]),
    createElement('span', { class: 'quiet below' }, describeDevice(data, row)),
  );
}

function createAnswer({ devices, slot }: PageData, query: string, count: number): (string | Node)[] {
  const all = formatNumber(devices.id.length);
  if (count === 0) {
    return [fillText(texts.none, { all, slot })];
  }
  const found = fillText(texts.found, { count: formatNumber(count), all });
  if (count <= mostShown) {
    return [found];
  }
  const address = toRowsAddress(`all-devices.q=${encodeURIComponent(query)}`);
  return [found, ' ', createElement('a', { href: address }, texts.showAll)];
}
