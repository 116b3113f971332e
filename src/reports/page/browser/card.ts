/** A device's card: everything known about it, and its recorded transitions. It has an address of its own. */

import { countDaysBetween } from '../../../core/calendar.ts';
import { type DeviceFieldKey, deviceFields } from '../../fields.ts';
import { findNextStep } from '../next-steps.ts';
import type { PageData } from '../page-data.ts';
import { fillText, formatPlatform, listTexts, cardTexts as texts, columnTitles as titles, toWordId } from '../texts.ts';
import { onAddressChange, writeParameter } from './address.ts';
import { describeDevice } from './describe.ts';
import { readReplacement } from './device-columns.ts';
import { createElement, createIsolatedText, createTimeElement, formatUtc, requireElement } from './dom.ts';
import { readFlag, readTime, readWord } from './unpack.ts';

type CardLine = readonly [title: string, value: Node | string | undefined];

export function mountDeviceCard(data: PageData): (row: number) => void {
  const dialog = requireElement('#card') as HTMLDialogElement;
  dialog.addEventListener('close', () => writeParameter('device', undefined));
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) {
      dialog.close();
    }
  });
  const show = (content: HTMLElement) => {
    dialog.replaceChildren(content);
    if (!dialog.open) {
      dialog.showModal();
    }
  };
  const open = (row: number) => {
    writeParameter('device', toCardAddress(data, row));
    show(createCardContent(data, row, () => dialog.close()));
  };
  onAddressChange((parameters) => {
    const address = parameters.get('device');
    if (address === undefined) {
      return;
    }
    const row = findRowByAddress(data, address);
    show(
      row === undefined
        ? createUnknownCard(data, address, { onClose: () => dialog.close(), open })
        : createCardContent(data, row, () => dialog.close()),
    );
  });
  return open;
}

function toCardAddress({ devices }: PageData, row: number): string {
  const [source, id] = [readWord(devices.source, row) ?? '', devices.id[row] ?? ''];
  return `${encodeURIComponent(source)}/${encodeURIComponent(id)}`;
}

function parseCardAddress(address: string): { source: string; id: string } | undefined {
  try {
    const [source = '', ...id] = address.split('/').map(decodeURIComponent);
    return { source, id: id.join('/') };
  } catch {
    return undefined;
  }
}

function findRowByAddress({ devices }: PageData, address: string): number | undefined {
  const sought = parseCardAddress(address);
  const row = devices.id.findIndex(
    (id, index) => id === sought?.id && readWord(devices.source, index) === sought.source,
  );
  return row === -1 ? undefined : row;
}

/** A link from another day: what became of the device, as far as this run knows. */
function createUnknownCard(
  data: PageData,
  address: string,
  { onClose, open }: { onClose: () => void; open: (row: number) => void },
): HTMLElement {
  const { departed, devices } = data;
  const sought = parseCardAddress(address);
  const left = departed.id.findIndex(
    (id, row) => id === sought?.id && readWord(departed.source, row) === sought.source,
  );
  const name = departed.name[left] ?? sought?.id ?? address;
  const serialNumber = departed.serialNumber[left] ?? undefined;
  const heir = serialNumber === undefined ? -1 : devices.serialNumber.indexOf(serialNumber);
  const sentence =
    left === -1
      ? fillText(texts.unknown, { slot: data.slot, source: sought?.source ?? '' })
      : fillText(texts.departed, {
          slot: readWord(departed.leftOn, left) ?? '',
          status: readWord(departed.status, left) ?? '',
          serial: serialNumber ?? texts.noSerial,
        });
  const close = createElement('button', { type: 'button' }, texts.close);
  close.addEventListener('click', onClose);
  const follow = createElement('button', { type: 'button' }, texts.showNewer);
  follow.addEventListener('click', () => open(heir));
  return createElement(
    'div',
    { class: 'card' },
    createElement('header', {}, createElement('h2', { id: 'card-title' }, createIsolatedText(name)), close),
    createElement('p', { class: 'sentence' }, sentence),
    ...(heir === -1 ? [] : [createElement('p', {}, texts.moved), follow]),
  );
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
    createElement('p', { class: 'sentence' }, describeDevice(data, row)),
    ...createWork(data, row),
    known,
    ...(answers ? [createElement('h3', {}, texts.answers), answers] : []),
    ...(row < data.detailed
      ? [createElement('h3', {}, texts.history), createTransitionList(data, row)]
      : [createElement('p', { class: 'quiet' }, texts.restElsewhere)]),
    createElement(
      'p',
      { class: 'status' },
      createElement('a', { href: `#device=${toCardAddress(data, row)}` }, texts.link),
    ),
  );
}

/** What to do next, and where. */
function createWork({ devices, consoles }: PageData, row: number): HTMLElement[] {
  const isOpen = readFlag(devices.counted, row) === true && readWord(devices.status, row) === 'Not Installed';
  const [platform, reason] = [readWord(devices.platform, row) ?? '', readWord(devices.reason, row) ?? ''];
  const step = isOpen ? findNextStep(platform, reason, readWord(devices.detail, row)) : undefined;
  const source = readWord(devices.source, row) ?? '';
  const place = Object.hasOwn(consoles, source) ? consoles[source] : undefined;
  const id = encodeURIComponent(devices.id[row] ?? '');
  return [
    ...(step === undefined
      ? []
      : [createElement('p', { class: 'next' }, createElement('b', {}, `${texts.nextStep}: `), step)]),
    ...(place === undefined
      ? []
      : [
          createElement(
            'p',
            { class: 'next' },
            createElement(
              'a',
              { href: place.address.replace('{id}', () => id), target: '_blank', rel: 'noopener noreferrer' },
              fillText(texts.openIn, { title: place.title }),
            ),
          ),
        ]),
  ];
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
  lines.unshift([texts.acknowledged, createAcknowledgement(data, row)]);
  return [...lines, [titles.replacedBy, replacedBy && createIsolatedText(replacedBy.join(' / '))]];
}

function createAcknowledgement({ devices }: PageData, row: number): Node | undefined {
  const text = readWord(devices.acknowledged, row);
  if (text === undefined) {
    return undefined;
  }
  const [by = '', until = '', ticket = '']: string[] = JSON.parse(text);
  return createElement(
    'span',
    {},
    createIsolatedText(by),
    fillText(texts.until, { until }),
    ticket === '' ? '' : ', ',
    ticket === '' ? undefined : createIsolatedText(ticket),
  );
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
