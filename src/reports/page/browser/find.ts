/** Searches every machine that the page knows, in its head: a field, its best rows, and their places. */
import { fillText, formatNumber } from '../shared/format.ts';
import { toRows } from '../shared/list.ts';
import { findTexts as texts } from '../shared/list-texts.ts';
import { onAddressChange, toRowsAddress, writeParameter } from './address.ts';
import { createElement, createIsolatedText, requireElement } from './dom.ts';
import { describeListed, type FoundMachine, listUnlistedMachines, type UnlistedMachine } from './find-results.ts';
import type { Page } from './load-page-data.ts';
import { SearchIndex } from './search-index.ts';

const mostShown = 12;
/** Machines without a device among the results that are shown. */
const mostUnlisted = 4;

export class DeviceFinder {
  readonly #page: Page;
  readonly #index: SearchIndex;
  readonly #unlisted: readonly UnlistedMachine[];
  readonly #unlistedIndex: SearchIndex;
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
    this.#unlisted = listUnlistedMachines(page);
    this.#unlistedIndex = new SearchIndex(this.#unlisted.length, (row) => this.#unlisted[row]?.searched ?? []);
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
    const { devices, document } = this.#page;
    const unlisted = this.#unlistedIndex.find(query, mostUnlisted);
    const listed = this.#index.find(query, mostShown - unlisted.rows.length);
    const found = [
      ...listed.rows.flatMap((row) => devices[row] ?? []).map((device) => describeListed(device, document.slot)),
      ...unlisted.rows.flatMap((row) => this.#unlisted[row] ?? []),
    ];
    this.#results.replaceChildren(...found.map(createOption));
    this.#results.hidden = found.length === 0;
    this.#answer.replaceChildren(...(isEmpty ? [] : createAnswer(this.#page, query, listed.count, unlisted.count)));
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

function createOption({ title, facts, sentence, address }: FoundMachine, at: number): HTMLElement {
  const known = facts.filter((fact) => fact !== undefined);
  return createElement(
    'a',
    { role: 'option', id: `find-${at}`, href: address, tabindex: -1, 'aria-selected': 'false' },
    createElement('b', {}, createIsolatedText(title)),
    ...known.flatMap((fact) => [' ', createElement('span', {}, createIsolatedText(fact))]),
    createElement('span', { class: 'quiet below' }, createIsolatedText(sentence)),
  );
}

/** The number of results, and where the rest is; or that the machine is not known, as far as the page can tell. */
function createAnswer(page: Page, query: string, listed: number, unlisted: number): (string | Node)[] {
  const { lists, slot } = page.document;
  const all = formatNumber(page.devices.length);
  if (listed + unlisted === 0) {
    const { expected } = lists ?? {};
    const others = expected?.unenrolled === undefined ? texts.unenrolledNotJudged : texts.noneUnenrolled;
    return [fillText(texts.none, { all, slot }), ...(expected === undefined ? [] : [` ${others}`])];
  }
  const counts = [
    fillText(texts.found, { count: formatNumber(listed), all }),
    ...(unlisted === 0 ? [] : [fillText(texts.foundOthers, { count: formatNumber(unlisted) })]),
  ];
  const address = toRowsAddress(toRows('all-devices', { q: query }));
  const link = listed <= mostShown ? [] : [' ', createElement('a', { href: address }, texts.showAll)];
  return [counts.join(', '), ...link];
}
