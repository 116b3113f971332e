/** HTML as text: whatever is put into it is escaped, unless it is HTML already. */
import { printable } from '../cell.ts';

export interface Html {
  readonly html: string;
}

type Value = Html | string | number | undefined | readonly Value[];

export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { html: strings.map((text, place) => (place === 0 ? text : textOf(values[place - 1]) + text)).join('') };
}

/** Text from outside: on one line, and isolated, so that its direction cannot turn its surroundings around. */
export function outside(text: string | undefined): Html {
  return text === undefined ? html`` : html`<bdi>${printable(text)}</bdi>`;
}

const replacements: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

function textOf(value: Value): string {
  if (value === undefined) return '';
  if (typeof value === 'object') return 'html' in value ? value.html : value.map(textOf).join('');
  return String(value).replace(/[&<>"'`]/g, (character) => replacements[character] ?? '');
}
