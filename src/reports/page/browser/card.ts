/** A device's card: everything known of it, and its kept transitions. Its address can be sent to a colleague. */

import { type DeviceFieldKey, deviceFields } from '../../fields.ts';
import type { PageData } from '../data.ts';
import { fill, lists, platformTitle, card as texts, columns as titles, wordId } from '../texts.ts';
import { replacement } from './device-columns.ts';
import { element, find, outside, timeElement, utc } from './dom.ts';
import { daysBetween, flagAt, timeAt, wordAt } from './store.ts';

type Line = readonly [title: string, value: Node | string | undefined];

export function deviceCard(data: PageData): (row: number) => void {
  const dialog = find('#card') as HTMLDialogElement;
  dialog.addEventListener('close', () => history.replaceState(null, '', '#'));
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  const open = (row: number) => {
    dialog.replaceChildren(content(data, row, () => dialog.close()));
    history.replaceState(null, '', addressOf(data, row));
    dialog.showModal();
  };
  const follow = () => {
    const row = rowOf(data, location.hash);
    if (row !== undefined && !dialog.open) open(row);
  };
  addEventListener('hashchange', follow);
  follow();
  return open;
}

function addressOf({ devices }: PageData, row: number): string {
  const [source, id] = [wordAt(devices.source, row) ?? '', devices.id[row] ?? ''];
  return `#device=${encodeURIComponent(source)}/${encodeURIComponent(id)}`;
}

function rowOf({ devices }: PageData, address: string): number | undefined {
  const parts = /^#device=([^/]*)\/(.*)$/.exec(address);
  if (parts === null) return undefined;
  try {
    const [source, id] = [decodeURIComponent(parts[1] ?? ''), decodeURIComponent(parts[2] ?? '')];
    const row = devices.id.findIndex((one, place) => one === id && wordAt(devices.source, place) === source);
    return row === -1 ? undefined : row;
  } catch {
    return undefined;
  }
}

function content(data: PageData, row: number, shut: () => void): HTMLElement {
  const { devices } = data;
  const close = element('button', { type: 'button' }, texts.close);
  close.addEventListener('click', shut);
  const name = devices.name[row];
  const title = element('h2', { id: 'card-title' }, name === null || name === undefined ? texts.noName : outside(name));
  const lines = linesOf(data, row).filter(([, value]) => value !== undefined && value !== '');
  const known = element(
    'dl',
    {},
    ...lines.flatMap(([term, value]) => [element('dt', {}, term), element('dd', {}, value)]),
  );
  const answers = answersOf(data, row);
  return element(
    'div',
    { class: 'card' },
    element('header', {}, title, close),
    known,
    ...(answers ? [element('h3', {}, texts.answers), answers] : []),
    element('h3', {}, texts.history),
    transitionsOf(data, row),
    element('p', { class: 'status' }, element('a', { href: addressOf(data, row) }, texts.link)),
  );
}

/** What is read first; every other field follows in the order of the table. */
const firstKeys: readonly DeviceFieldKey[] = [
  ...(['status', 'reason', 'notInstalledSince', 'proven', 'stale', 'counted', 'excludedBecause'] as const),
  ...(['value', 'detail', 'valueAt', 'answeredOn', 'lastSeenAt', 'enrolledAt', 'serialNumber', 'user'] as const),
];

/** Words that the glossary explains, by its groups. */
const glossaryGroups: Readonly<Partial<Record<DeviceFieldKey, string>>> = {
  status: 'status',
  reason: 'reason',
  excludedBecause: 'excluded',
};

function linesOf(data: PageData, row: number): Line[] {
  const inOrder = [...deviceFields].sort((left, right) => rankOf(left.key) - rankOf(right.key));
  const lines = inOrder.map((field): Line => [field.title, showField(data, row, field)]);
  const replacedBy = replacement(data, row);
  return [...lines, [titles.replacedBy, replacedBy && outside(replacedBy.join(' / '))]];
}

function rankOf(key: DeviceFieldKey): number {
  const rank = firstKeys.indexOf(key);
  return rank === -1 ? firstKeys.length : rank;
}

function showField(data: PageData, row: number, { key, type }: (typeof deviceFields)[number]): Line[1] {
  const { devices } = data;
  switch (type) {
    case 'flag':
      return flagAt(devices[key], row) ? lists.yes : lists.no;
    case 'time': {
      const at = timeAt(devices[key], row);
      if (at === undefined) return undefined;
      return element('span', {}, timeElement(at), element('span', { class: 'quiet' }, ` (${utc(at)})`));
    }
    case 'text': {
      const text = devices[key][row];
      return text === null || text === undefined ? undefined : outside(text);
    }
    default: {
      const word = wordAt(devices[key], row);
      if (word === undefined) return undefined;
      if (key === 'platform') return platformTitle(data.platformTitles, word);
      if (key === 'notInstalledSince') {
        return `${word} (${fill(lists.daysLong, { days: daysBetween(word, data.slot) })})`;
      }
      const group = glossaryGroups[key];
      return group === undefined ? outside(word) : meaning(group, word);
    }
  }
}

/** Following the link shows the word's meaning, so the card makes way. */
function meaning(group: string, word: string): HTMLElement {
  const link = element('a', { href: `#${wordId(group, word)}` }, word);
  link.addEventListener('click', (event) => {
    event.preventDefault();
    (find('#card') as HTMLDialogElement).close();
    location.hash = wordId(group, word);
  });
  return link;
}

function answersOf({ devices }: PageData, row: number): HTMLElement | undefined {
  const text = wordAt(devices.answers, row);
  if (text === undefined) return undefined;
  const answers: [value: string, at: string | null, detail: string | null][] = JSON.parse(text);
  const items = answers.map(([value, at, detail]) =>
    element(
      'li',
      {},
      outside(value),
      at === null ? '' : ', ',
      at === null ? undefined : timeElement(Date.parse(at)),
      detail === null ? '' : ', ',
      detail === null ? undefined : outside(detail),
    ),
  );
  return element('ol', {}, ...items);
}

function transitionsOf({ devices }: PageData, row: number): HTMLElement {
  const steps: [slot: string, from: string | null, to: string][] = JSON.parse(wordAt(devices.transitions, row) ?? '[]');
  if (steps.length === 0) return element('p', { class: 'quiet' }, texts.noHistory);
  const items = steps.map(([slot, from, to]) => {
    const said =
      from === null ? texts.known.replace('{to}', to) : texts.step.replace('{from}', from).replace('{to}', to);
    return element('li', {}, slot, ' ', element('span', { class: 'quiet' }, said));
  });
  return element('ol', {}, ...items);
}
