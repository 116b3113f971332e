/** Makes elements from text, which is never parsed as HTML. */
import { toReadableText } from '../../../core/text/visible-text.ts';
import { locale } from '../shared/format.ts';
import { listTexts } from '../shared/list-texts.ts';

type Child = Node | string | undefined;
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export function createElement<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) {
      made.setAttribute(key, value === true ? '' : String(value));
    }
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

export function createButton(text: string, onClick: () => void, attributes: Attributes = {}): HTMLElement {
  const button = createElement('button', { type: 'button', ...attributes }, text);
  button.addEventListener('click', onClick);
  return button;
}

export function createSelect(values: readonly string[], titles = values): HTMLSelectElement {
  const options = values.map((value, at) => createElement('option', { value }, titles[at]));
  return createElement('select', {}, ...options);
}

/** Text from outside, in the order of its characters, and isolated so that its direction does not affect other text. */
export function createIsolatedText(text: string): HTMLElement {
  return createElement('bdi', {}, toReadableText(text));
}

export function requireElement(selector: string, within: ParentNode = document): HTMLElement {
  const found = within.querySelector<HTMLElement>(selector);
  if (found === null) {
    throw new Error(`The page lacks ${selector}`);
  }
  return found;
}

/** Includes the zone's name, since a report is sent to readers in other zones. */
const localTimeFormat = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});

export function formatLocalTime(time: number): string {
  return localTimeFormat.format(time);
}

const localDayFormat = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' });

/** A day, as lists show it, with the time on hover; the card shows the time. */
export function createDayElement(time: number): HTMLElement {
  const attributes = { datetime: new Date(time).toISOString(), title: formatLocalTime(time) };
  return createElement('time', attributes, localDayFormat.format(time));
}

/** A time in the reader's zone, with UTC on hover. */
export function createTimeElement(time: number): HTMLElement {
  const attributes = { datetime: new Date(time).toISOString(), title: formatUtc(time) };
  return createElement('time', attributes, formatLocalTime(time));
}

export function formatUtc(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

export function createGlossaryLinks(...groups: readonly (readonly [group: string, name: string])[]): HTMLElement {
  const links = groups.flatMap(([group, name]) => [
    ' ',
    createElement('a', { href: `#glossary-${group}` }, name.toLowerCase()),
  ]);
  return createElement('span', {}, listTexts.glossary, ...links);
}
