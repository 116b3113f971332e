/** Device rows in lists: to chase, silent, not counted. */

import { deviceFields } from '../../fields.ts';
import type { PageData } from '../data.ts';
import { lists, platformTitle } from '../texts.ts';
import { type ColumnKey, deviceColumns } from './device-columns.ts';
import { element } from './dom.ts';
import type { Column } from './grid.ts';
import { list } from './list.ts';
import { daysBetween, flagAt, timeAt, wordAt } from './store.ts';

export type Open = (row: number) => void;

export function deviceLists(data: PageData, open: Open): void {
  const { devices } = data;
  const all = devices.status.at.map((_, row) => row);
  const is = (row: number, status: string) => wordAt(devices.status, row) === status;
  const counted = all.filter((row) => flagAt(devices.counted, row));
  const chase = byLongest(
    data,
    counted.filter((row) => is(row, 'Not Installed')),
  );
  const silent = counted.filter((row) => is(row, 'Installed') && flagAt(devices.stale, row));
  silent.sort((left, right) => (timeAt(devices.lastSeenAt, left) ?? 0) - (timeAt(devices.lastSeenAt, right) ?? 0));
  const excluded = all.filter((row) => !flagAt(devices.counted, row));
  const column = deviceColumns(data);
  const common = { open, search: searchOf(data), empty: lists.none };
  const place = {
    source: { key: 'source', label: lists.source, of: (row: number) => wordAt(devices.source, row) },
    platform: {
      key: 'platform',
      label: lists.platform,
      of: (row: number) => wordAt(devices.platform, row),
      say: (word: string) => platformTitle(data.platformTitles, word),
    },
    reason: { key: 'reason', label: lists.reason, of: (row: number) => wordAt(devices.reason, row) },
    because: { key: 'because', label: lists.because, of: (row: number) => wordAt(devices.excludedBecause, row) },
    proven: {
      ...{ key: 'proven', label: lists.proven },
      of: (row: number) => (flagAt(devices.proven, row) ? lists.provenYes : lists.provenNo),
    },
  };
  const first = new Set(data.first);
  const since = (row: number) => wordAt(devices.notInstalledSince, row) ?? data.slot;
  const toggles = [
    { key: 'stale', label: lists.stale, holds: (row: number) => flagAt(devices.stale, row) === true },
    {
      ...{ key: 'new', label: lists.fresh },
      holds: (row: number) => since(row) === data.slot && !first.has(wordAt(devices.source, row) ?? ''),
    },
    {
      ...{ key: 'overdue', label: lists.overdue },
      holds: (row: number) => daysBetween(since(row), data.slot) > data.overdueAfterDays,
    },
  ];
  const columns = (shown: readonly ColumnKey[]) => columnsOf(column, shown);
  list(host('chase'), {
    ...common,
    ...columns(['notInstalledSince', 'name', 'serialNumber', 'user', 'platform', 'reason', 'proven', 'lastSeenAt']),
    id: 'chase',
    label: lists.chase,
    rows: chase,
    toggles,
    facets: [place.platform, place.source, place.reason, place.proven],
    note: meanings(['reason', lists.reason], ['status', lists.proven]),
  });
  list(host('silent'), {
    ...common,
    ...columns(['lastSeenAt', 'name', 'serialNumber', 'user', 'platform', 'source', 'valueAt']),
    id: 'silent',
    label: lists.silent,
    rows: silent,
    facets: [place.platform, place.source],
    note: meanings(['status', lists.stale]),
  });
  list(host('excluded'), {
    ...common,
    ...columns(['excludedBecause', 'name', 'serialNumber', 'replacedBy', 'status', 'source', 'platform', 'lastSeenAt']),
    id: 'excluded',
    label: lists.excluded,
    rows: excluded,
    facets: [place.because, place.platform, place.source],
    note: meanings(['excluded', lists.because]),
  });
}

/** These first; every other field can be chosen. */
function columnsOf(all: Readonly<Record<ColumnKey, Column>>, shown: readonly ColumnKey[]) {
  const more = deviceFields.map(({ key }) => key).filter((key) => !shown.includes(key));
  return { columns: [...shown, ...more].map((key) => all[key]), hidden: more };
}

export function host(name: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(`[data-list="${name}"]`);
  if (found === null) throw new Error(`The page lacks the list ${name}`);
  return found;
}

/** Links to the words' meanings. */
export function meanings(...groups: readonly (readonly [group: string, name: string])[]): HTMLElement {
  const links = groups.flatMap(([group, name]) => [' ', element('a', { href: `#words-${group}` }, name.toLowerCase())]);
  return element('span', {}, lists.words, ...links);
}

/** As in not-installed.csv: since, source, device id. */
function byLongest({ devices }: PageData, rows: readonly number[]): number[] {
  const keyed = rows.map((row) => ({ row, since: wordAt(devices.notInstalledSince, row) ?? '' }));
  // Rows come by source and id already, and the order of equals is kept.
  keyed.sort((left, right) => (left.since < right.since ? -1 : left.since > right.since ? 1 : 0));
  return keyed.map(({ row }) => row);
}

function searchOf({ devices }: PageData): (row: number) => string {
  const texts = [devices.name, devices.serialNumber, devices.user, devices.id];
  const words = [devices.model, devices.osVersion, devices.value, devices.detail, devices.reason, devices.source];
  return (row) => {
    let text = '';
    for (const one of texts) text += `${one[row] ?? ''}\n`;
    for (const one of words) text += `${wordAt(one, row) ?? ''}\n`;
    return text;
  };
}
