/** What a list can show of a device, a column each. */

import { type DeviceFieldKey, deviceFields } from '../../fields.ts';
import type { PageData } from '../data.ts';
import { fill, lists, platformTitle, columns as titles } from '../texts.ts';
import { element, outside, timeElement } from './dom.ts';
import type { Column } from './grid.ts';
import { daysBetween, flagAt, timeAt, wordAt } from './store.ts';

/** Columns that want another width than their type's. */
const widths: Readonly<Partial<Record<DeviceFieldKey, string>>> = {
  name: 'minmax(9rem, 2fr)',
  serialNumber: 'minmax(7.5rem, 1fr)',
  user: 'minmax(12rem, 1.5fr)',
  platform: '5.25rem',
  reason: '10.5rem',
  status: '7.5rem',
  detail: 'minmax(10rem, 1.5fr)',
  osVersion: '9rem',
  model: 'minmax(10rem, 1fr)',
  answeredOn: '9rem',
  excludedBecause: '9.5rem',
};

/** A column for every field, and one for what has no field of its own. */
export type ColumnKey = DeviceFieldKey | 'replacedBy';

export function deviceColumns(data: PageData): Readonly<Record<ColumnKey, Column>> {
  const fields = Object.fromEntries(deviceFields.map((field) => [field.key, fieldColumn(data, field)]));
  return {
    ...(fields as Record<DeviceFieldKey, Column>),
    notInstalledSince: sinceColumn(data),
    proven: provenColumn(data),
    platform: platformColumn(data),
    replacedBy: {
      ...{ key: 'replacedBy', title: titles.replacedBy, width: 'minmax(9rem, 1fr)' },
      text: (row) => replacement(data, row)?.join(' / ') ?? '',
      show: (row) => outside(replacement(data, row)?.join(' / ') ?? ''),
    },
  };
}

function platformColumn({ devices, platformTitles }: PageData): Column {
  const text = (row: number) => platformTitle(platformTitles, wordAt(devices.platform, row) ?? '');
  return { key: 'platform', title: titles.platform, width: widths.platform ?? '', text };
}

function fieldColumn({ devices }: PageData, { key, type, title }: (typeof deviceFields)[number]): Column {
  const width = widths[key] ?? 'minmax(8rem, 1fr)';
  switch (type) {
    case 'text': {
      const value = (row: number) => devices[key][row] ?? '';
      return { key, title, width, text: value, show: (row) => outside(value(row)) };
    }
    case 'word':
    case 'slot': {
      const value = (row: number) => wordAt(devices[key], row) ?? '';
      return { key, title, width, text: value, show: (row) => outside(value(row)) };
    }
    case 'time': {
      const value = (row: number) => timeAt(devices[key], row);
      return {
        ...{ key, title, width: '10.5rem', sort: value },
        text: (row) => (value(row) === undefined ? '' : new Date(value(row) ?? 0).toISOString()),
        show: (row) => (value(row) === undefined ? element('span') : timeElement(value(row) ?? 0)),
      };
    }
    case 'flag':
      return { key, title, width, text: (row) => (flagAt(devices[key], row) ? lists.yes : lists.no) };
  }
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
