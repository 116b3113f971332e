/** A device's card: everything known about it, and its recorded transitions. It has an address of its own. */

import { countDaysBetween } from '../../../core/calendar.ts';
import { type DeviceFieldKey, deviceFields } from '../../fields.ts';
import type { PageData } from '../page-data.ts';
import { fillText, formatPlatform, listTexts, cardTexts as texts, columnTitles as titles, toWordId } from '../texts.ts';
import { readReplacement } from './device-columns.ts';
import { createElement, createIsolatedText, createTimeElement, formatUtc, requireElement } from './dom.ts';
import { readFlag, readTime, readWord } from './unpack.ts';

type CardLine = readonly [title: string, value: Node | string | undefined];

export function mountDeviceCard(data: PageData): (row: number) => void {
  const dialog = requireElement('#card') as HTMLDialogElement;
  dialog.addEventListener('close', () => history.replaceState(null, '', '#'));
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) {
      dialog.close();
    }
  });
  const open = (row: number) => {
    dialog.replaceChildren(createCardContent(data, row, () => dialog.close()));
    history.replaceState(null, '', toCardHash(data, row));
    dialog.showModal();
  };
  const openFromHash = () => {
    const row = findRowByHash(data, location.hash);
    if (row !== undefined && !dialog.open) {
      open(row);
    }
  };
  addEventListener('hashchange', openFromHash);
  openFromHash();
  return open;
}

function toCardHash({ devices }: PageData, row: number): string {
  const [source, id] = [readWord(devices.source, row) ?? '', devices.id[row] ?? ''];
  return `#device=${encodeURIComponent(source)}/${encodeURIComponent(id)}`;
}

function findRowByHash({ devices }: PageData, hash: string): number | undefined {
  const parts = /^#device=([^/]*)\/(.*)$/.exec(hash);
  if (parts === null) {
    return undefined;
  }
  try {
    const [source, id] = [decodeURIComponent(parts[1] ?? ''), decodeURIComponent(parts[2] ?? '')];
    const row = devices.id.findIndex(
      (candidate, index) => candidate === id && readWord(devices.source, index) === source,
    );
    return row === -1 ? undefined : row;
  } catch {
    return undefined;
  }
}

function createCardContent(data: PageData, row: number, onClose: () => void): HTMLElement {
  const { devices } = data;
  const close = createElement('button', { type: 'button' }, texts.close);
  close.addEventListener('click', onClose);
  const name = devices.name[row];
  const title = createElement(
    'h2',
    { id: 'card-title' },
    name === null || name === undefined ? texts.noName : createIsolatedText(name),
  );
  const lines = listCardLines(data, row).filter(([, value]) => value !== undefined && value !== '');
  const known = createElement(
    'dl',
    {},
    ...lines.flatMap(([term, value]) => [createElement('dt', {}, term), createElement('dd', {}, value)]),
  );
  const answers = createAnswerList(data, row);
  return createElement(
    'div',
    { class: 'card' },
    createElement('header', {}, title, close),
    known,
    ...(answers ? [createElement('h3', {}, texts.answers), answers] : []),
    createElement('h3', {}, texts.history),
    createTransitionList(data, row),
    createElement('p', { class: 'status' }, createElement('a', { href: toCardHash(data, row) }, texts.link)),
  );
}

/** The fields that are read first; all others follow in the order of the table. */
const firstKeys: readonly DeviceFieldKey[] = [
  'status',
  'reason',
  'notInstalledSince',
  'proven',
  'stale',
  'counted',
  'excludedBecause',
  'value',
  'detail',
  'valueAt',
  'answeredOn',
  'lastSeenAt',
  'enrolledAt',
  'serialNumber',
  'user',
];

/** The fields whose values the glossary explains, with their groups in it. */
const glossaryGroups: Readonly<Partial<Record<DeviceFieldKey, string>>> = {
  status: 'status',
  reason: 'reason',
  excludedBecause: 'excluded',
};

function listCardLines(data: PageData, row: number): CardLine[] {
  const inOrder = [...deviceFields].sort((left, right) => rankField(left.key) - rankField(right.key));
  const lines = inOrder.map((field): CardLine => [field.title, showField(data, row, field)]);
  const replacedBy = readReplacement(data, row);
  return [...lines, [titles.replacedBy, replacedBy && createIsolatedText(replacedBy.join(' / '))]];
}

function rankField(key: DeviceFieldKey): number {
  const rank = firstKeys.indexOf(key);
  return rank === -1 ? firstKeys.length : rank;
}

function showField(data: PageData, row: number, { key, type }: (typeof deviceFields)[number]): CardLine[1] {
  const { devices } = data;
  switch (type) {
    case 'flag':
      return readFlag(devices[key], row) ? listTexts.yes : listTexts.no;
    case 'time': {
      const at = readTime(devices[key], row);
      if (at === undefined) {
        return undefined;
      }
      return createElement(
        'span',
        {},
        createTimeElement(at),
        createElement('span', { class: 'quiet' }, ` (${formatUtc(at)})`),
      );
    }
    case 'text': {
      const text = devices[key][row];
      return text === null || text === undefined ? undefined : createIsolatedText(text);
    }
    default: {
      const word = readWord(devices[key], row);
      if (word === undefined) {
        return undefined;
      }
      if (key === 'platform') {
        return formatPlatform(data.platformTitles, word);
      }
      if (key === 'notInstalledSince') {
        return `${word} (${fillText(listTexts.daysLong, { days: countDaysBetween(word, data.slot) })})`;
      }
      const group = glossaryGroups[key];
      return group === undefined ? createIsolatedText(word) : createWordLink(group, word);
    }
  }
}

/** Closes the card and shows the word in the glossary. */
function createWordLink(group: string, word: string): HTMLElement {
  const link = createElement('a', { href: `#${toWordId(group, word)}` }, word);
  link.addEventListener('click', (event) => {
    event.preventDefault();
    (requireElement('#card') as HTMLDialogElement).close();
    location.hash = toWordId(group, word);
  });
  return link;
}

function createAnswerList({ devices }: PageData, row: number): HTMLElement | undefined {
  const text = readWord(devices.answers, row);
  if (text === undefined) {
    return undefined;
  }
  const answers: [value: string, at: string | null, detail: string | null][] = JSON.parse(text);
  const items = answers.map(([value, at, detail]) =>
    createElement(
      'li',
      {},
      createIsolatedText(value),
      at === null ? '' : ', ',
      at === null ? undefined : createTimeElement(Date.parse(at)),
      detail === null ? '' : ', ',
      detail === null ? undefined : createIsolatedText(detail),
    ),
  );
  return createElement('ol', {}, ...items);
}

function createTransitionList({ devices }: PageData, row: number): HTMLElement {
  const steps: [slot: string, from: string | null, to: string][] = JSON.parse(
    readWord(devices.transitions, row) ?? '[]',
  );
  if (steps.length === 0) {
    return createElement('p', { class: 'quiet' }, texts.noHistory);
  }
  const items = steps.map(([slot, from, to]) => {
    const step =
      from === null ? texts.known.replace('{to}', to) : texts.step.replace('{from}', from).replace('{to}', to);
    return createElement('li', {}, slot, ' ', createElement('span', { class: 'quiet' }, step));
  });
  return createElement('ol', {}, ...items);
}
