/** What a list can show of a device, a column each. */
import type { PageData } from '../data.ts';
import { fill, lists, platformNames, columns as titles } from '../texts.ts';
import { element, outside, timeElement } from './dom.ts';
import type { Column } from './grid.ts';
import { daysBetween, flagAt, timeAt, wordAt } from './store.ts';

type TextKey = 'id' | 'name' | 'serialNumber' | 'user';
type WordKey =
  | 'source'
  | 'osVersion'
  | 'model'
  | 'value'
  | 'detail'
  | 'answeredOn'
  | 'status'
  | 'reason'
  | 'excludedBecause';
type TimeKey = 'valueAt' | 'lastSeenAt' | 'enrolledAt';

export function deviceColumns(data: PageData): Readonly<Record<string, Column>> {
  const { devices } = data;
  const text = (key: TextKey, width: string): Column => {
    const value = (row: number) => devices[key][row] ?? '';
    return { key, title: titles[key], width, text: value, show: (row) => outside(value(row)) };
  };
  const words = (key: WordKey, width: string): Column => {
    const value = (row: number) => wordAt(devices[key], row) ?? '';
    return { key, title: titles[key], width, text: value, show: (row) => outside(value(row)) };
  };
  const times = (key: TimeKey, width: string): Column => {
    const value = (row: number) => timeAt(devices[key], row);
    return {
      ...{ key, title: titles[key], width, sort: value },
      text: (row) => (value(row) === undefined ? '' : new Date(value(row) ?? 0).toISOString()),
      show: (row) => (value(row) === undefined ? element('span') : timeElement(value(row) ?? 0)),
    };
  };
  return {
    notInstalledSince: sinceColumn(data),
    name: text('name', 'minmax(9rem, 2fr)'),
    serialNumber: text('serialNumber', 'minmax(7.5rem, 1fr)'),
    user: text('user', 'minmax(12rem, 1.5fr)'),
    platform: {
      ...{ key: 'platform', title: titles.platform, width: '5.25rem' },
      text: (row) => platformOf(wordAt(devices.platform, row) ?? ''),
    },
    reason: words('reason', '10.5rem'),
    proven: provenColumn(data),
    lastSeenAt: times('lastSeenAt', '10.5rem'),
    source: words('source', 'minmax(7rem, 1fr)'),
    id: text('id', 'minmax(8rem, 1fr)'),
    status: words('status', '7.5rem'),
    value: words('value', 'minmax(8rem, 1fr)'),
    detail: words('detail', 'minmax(10rem, 1.5fr)'),
    valueAt: times('valueAt', '10.5rem'),
    enrolledAt: times('enrolledAt', '10.5rem'),
    osVersion: words('osVersion', '9rem'),
    model: words('model', 'minmax(10rem, 1fr)'),
    answeredOn: words('answeredOn', '9rem'),
    excludedBecause: words('excludedBecause', '9.5rem'),
    replacedBy: {
      ...{ key: 'replacedBy', title: titles.replacedBy, width: 'minmax(9rem, 1fr)' },
      text: (row) => replacement(data, row)?.join(' / ') ?? '',
      show: (row) => outside(replacement(data, row)?.join(' / ') ?? ''),
    },
  };
}

export function platformOf(platform: string): string {
  return Object.hasOwn(platformNames, platform) ? (platformNames[platform] ?? platform) : platform;
}

export function replacement(data: PageData, row: number): [source: string, id: string] | undefined {
  const text = wordAt(data.devices.replacedBy, row);
  return text === undefined ? undefined : JSON.parse(text);
}

/** A slot, and how long ago that is; "at least", because nobody looked before. */
function sinceColumn(data: PageData): Column {
  const since = (row: number) => wordAt(data.devices.notInstalledSince, row);
  return {
    ...{ key: 'notInstalledSince', title: titles.since, width: '10.25rem' },
    text: (row) => since(row) ?? '',
    show: (row) => {
      const slot = since(row);
      if (slot === undefined) return element('span');
      const days = fill(lists.days, { days: daysBetween(slot, data.slot) });
      return element('span', {}, slot, element('span', { class: 'quiet' }, ` · ${days}`));
    },
  };
}

/** What is stale is not proven for that reason. */
function provenColumn({ devices }: PageData): Column {
  const proof = (row: number) => {
    if (flagAt(devices.proven, row)) return lists.provenYes;
    return flagAt(devices.stale, row) ? lists.stale : lists.provenNo;
  };
  return { key: 'proven', title: titles.proven, width: '7.75rem', text: proof };
}
