/** The columns that a list of devices can show. */

import { countDaysBetween } from '../../../core/calendar.ts';
import { type DeviceFieldKey, deviceFields } from '../../fields.ts';
import type { PageData } from '../page-data.ts';
import { fillText, formatPlatform, listTexts, columnTitles as titles } from '../texts.ts';
import { createElement, createIsolatedText, createTimeElement } from './dom.ts';
import type { GridColumn } from './grid.ts';
import { readFlag, readTime, readWord } from './unpack.ts';

/** Columns whose width differs from their type's. */
const widths: Readonly<Partial<Record<DeviceFieldKey, string>>> = {
  name: 'minmax(9rem, 2fr)',
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

/** A column for every field, and one for the replacement, which has no field of its own. */
export type ColumnKey = DeviceFieldKey | 'replacedBy';

export function createDeviceColumns(data: PageData): Readonly<Record<ColumnKey, GridColumn>> {
  const fields = Object.fromEntries(deviceFields.map((field) => [field.key, createFieldColumn(data, field)]));
  const serialNumber = fields.serialNumber ?? createFieldColumn(data, deviceFields[0]);
  return {
    ...(fields as Record<DeviceFieldKey, GridColumn>),
    serialNumber: { ...serialNumber, width: computeSerialNumberWidth(data.devices.serialNumber) },
    notInstalledSince: createSinceColumn(data),
    proven: createProvenColumn(data),
    platform: createPlatformColumn(data),
    replacedBy: {
      key: 'replacedBy',
      title: titles.replacedBy,
      width: 'minmax(9rem, 1fr)',
      text: (row) => readReplacement(data, row)?.join(' / ') ?? '',
      show: (row) => createIsolatedText(readReplacement(data, row)?.join(' / ') ?? ''),
    },
  };
}

/** As wide as the longest one, since half a serial number is none; a text that is far too long for one has an end. */
function computeSerialNumberWidth(texts: readonly (string | null)[]): string {
  const longest = texts.reduce((most, text) => Math.max(most, text?.length ?? 0), 0);
  return `minmax(${Math.max(7.5, Math.min(longest, 32) * 0.68 + 1.5).toFixed(2)}rem, 1fr)`;
}

function createPlatformColumn({ devices, platformTitles }: PageData): GridColumn {
  const text = (row: number) => formatPlatform(platformTitles, readWord(devices.platform, row) ?? '');
  return { key: 'platform', title: titles.platform, width: widths.platform ?? '', text };
}

function createFieldColumn({ devices }: PageData, { key, type, title }: (typeof deviceFields)[number]): GridColumn {
  const width = widths[key] ?? 'minmax(8rem, 1fr)';
  switch (type) {
    case 'text': {
      const value = (row: number) => devices[key][row] ?? '';
      return { key, title, width, text: value, show: (row) => createIsolatedText(value(row)) };
    }
    case 'word':
    case 'slot': {
      const value = (row: number) => readWord(devices[key], row) ?? '';
      return { key, title, width, text: value, show: (row) => createIsolatedText(value(row)) };
    }
    case 'time': {
      const value = (row: number) => readTime(devices[key], row);
      return {
        key,
        title,
        width: '15rem',
        sort: value,
        text: (row) => (value(row) === undefined ? '' : new Date(value(row) ?? 0).toISOString()),
        show: (row) => (value(row) === undefined ? createElement('span') : createTimeElement(value(row) ?? 0)),
      };
    }
    case 'flag':
      return { key, title, width, text: (row) => (readFlag(devices[key], row) ? listTexts.yes : listTexts.no) };
  }
}

export function readReplacement(data: PageData, row: number): [source: string, id: string] | undefined {
  const text = readWord(data.devices.replacedBy, row);
  return text === undefined ? undefined : JSON.parse(text);
}

/** A slot, and how long ago that is; "at least", because there was no run before it. */
function createSinceColumn(data: PageData): GridColumn {
  const since = (row: number) => readWord(data.devices.notInstalledSince, row);
  return {
    key: 'notInstalledSince',
    title: titles.since,
    width: '10.25rem',
    text: (row) => since(row) ?? '',
    show: (row) => {
      const slot = since(row);
      if (slot === undefined) {
        return createElement('span');
      }
      const days = fillText(listTexts.days, { days: countDaysBetween(slot, data.slot) });
      return createElement('span', {}, slot, createElement('span', { class: 'quiet' }, ` · ${days}`));
    },
  };
}

/** A stale answer is not proven; the column says that it is stale. */
function createProvenColumn({ devices }: PageData): GridColumn {
  const proof = (row: number) => {
    if (readFlag(devices.proven, row)) {
      return listTexts.provenYes;
    }
    return readFlag(devices.stale, row) ? listTexts.stale : listTexts.provenNo;
  };
  return { key: 'proven', title: titles.proven, width: '7.75rem', text: proof };
}
