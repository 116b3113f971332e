/** The search over every device of the run, in the page's head: a field, its best rows, and their cards. */
import { fillText, formatNumber } from '../shared/format.ts';
import { toRows } from '../shared/list.ts';
import { findTexts as texts } from '../shared/list-texts.ts';
import type { ListedDevice } from '../shared/page-data.ts';
import { onAddressChange, toCardAddress, toRowsAddress, writeParameter } from './address.ts';
import { describeDevice } from './card/card-content.ts';
import { createElement, createIsolatedText, requireElement } from './dom.ts';
import type { Page } from './load-page-data.ts';
import type { SearchIndex } from './search-index.ts';

const mostShown = 12;

export class DeviceFinder {
  readonly #page: Page;
  readonly #index: SearchIndex;
  readonly #field = createElement('input', {
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
  readonly #results = createElement('div', { id: 'find-results', role: 'listbox', 'aria-label': texts.results });
  readonly #answer = createElement('p', { class: 'answer', role: 'status' });
  readonly #panel = createElement('div', { class: 'panel', hidden: true }, this.#results, this.#answer);

  constructor(page: Page, index: SearchIndex) {
    this.#page = page;
    this.#index = index;
    const host = requireElement('#find');
    host.replaceChildren(this.#field, this.#panel);
    this.#field.addEventListener('input', () => {
      this.#show();
      writeParameter('find', this.#field.value === '' ? undefined : this.#field.value);
    });
    this.#field.addEventListener('focus', () => this.#toggle(this.#field.value.trim() !== ''));
    this.#field.addEventListener('keydown', (event) => this.#handleKey(event));
    this.#results.addEventListener('click', () => this.#toggle(false));
    document.addEventListener('click', (event) => {
      if (!host.contains(event.target as Node)) {
        this.#toggle(false);
      }
    });
    document.addEventListener('keydown', (event) => {
      const isTyping = (event.target as Element).closest('input, select, textarea, dialog') !== null;
      if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        this.#field.focus();
      }
    });
    onAddressChange('find', (parameters) => {
      const query = parameters.get('find') ?? '';
      if (query !== this.#field.value) {
        this.#field.value = query;
        this.#show();
      }
    });
  }

  #show(): void {
    const query = this.#field.value;
    const isEmpty = query.trim() === '';
    const { rows, count } = this.#index.find(query, mostShown);
    const { devices, document } = this.#page;
    const found = rows.flatMap((row) => devices[row] ?? []);
    this.#results.replaceChildren(...found.map((device, at) => createOption(device, at, document.slot)));
    this.#results.hidden = found.length === 0;
    this.#answer.replaceChildren(...(isEmpty ? [] : createAnswer(this.#page, query, count)));
    this.#toggle(!isEmpty);
    this.#field.removeAttribute('aria-activedescendant');
  }

  #toggle(isOpen: boolean): void {
    this.#panel.hidden = !isOpen;
    this.#field.setAttribute('aria-expanded', String(isOpen));
  }

  #handleKey(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      this.#point(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Enter') {
      (this.#results.querySelector<HTMLElement>('[aria-selected=true]') ?? this.#listOptions()[0])?.click();
    } else if (event.key === 'Escape' && !this.#panel.hidden) {
      this.#toggle(false);
    } else {
      return;
    }
    event.preventDefault();
  }

  #point(step: number): void {
    const options = this.#listOptions();
    const before = options.findIndex(({ ariaSelected }) => ariaSelected === 'true');
    const chosen = options.at((Math.max(before, step < 0 ? 0 : -1) + step) % options.length);
    for (const option of options) {
      option.ariaSelected = String(option === chosen);
    }
    if (chosen) {
      this.#field.setAttribute('aria-activedescendant', chosen.id);
      chosen.scrollIntoView({ block: 'nearest' });
    }
  }

  #listOptions(): HTMLElement[] {
    return [...this.#results.querySelectorAll('a')];
  }
}

function createOption(device: ListedDevice, at: number, slot: string): HTMLElement {
  const facts = [device.serialNumber, device.user].filter((fact) => fact !== undefined);
  return createElement(
    'a',
    { role: 'option', id: `find-${at}`, href: toCardAddress(device), tabindex: -1, 'aria-selected': 'false' },
    createElement('b', {}, createIsolatedText(device.name ?? device.id)),
    ...facts.flatMap((fact) => [' ', createElement('span', {}, createIsolatedText(fact))]),
    createElement('span', { class: 'quiet below' }, describeDevice(device, slot)),
  );
}

function createAnswer({ devices, document }: Page, query: string, count: number): (string | Node)[] {
  const all = formatNumber(devices.length);
  if (count === 0) {
    return [fillText(texts.none, { all, slot: document.slot })];
  }
  const found = fillText(texts.found, { count: formatNumber(count), all });
  if (count <= mostShown) {
    return [found];
  }
  const address = toRowsAddress(toRows('all-devices', { q: query }));
  return [found, ' ', createElement('a', { href: address }, texts.showAll)];
}
