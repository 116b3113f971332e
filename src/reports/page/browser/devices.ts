/** Device rows in lists: to chase, silent, not counted. */

import { deviceFields } from '../../fields.ts';
import type { PageData } from '../page-data.ts';
import { formatPlatform, listTexts } from '../texts.ts';
import { type ColumnKey, createDeviceColumns } from './device-columns.ts';
import { createElement } from './dom.ts';
import type { GridColumn } from './grid.ts';
import { mountList } from './list.ts';
import { countDaysBetween, readFlag, readTime, readWord } from './unpack.ts';

export type CardOpener = (row: number) => void;

export function mountDeviceLists(data: PageData, open: CardOpener): void {
  const { devices } = data;
  const all = devices.status.at.map((_, row) => row);
  const is = (row: number, status: string) => readWord(devices.status, row) === status;
  const counted = all.filter((row) => readFlag(devices.counted, row));
  const chase = sortByMissingSince(
    data,
    counted.filter((row) => is(row, 'Not Installed')),
  );
  const silent = counted.filter((row) => is(row, 'Installed') && readFlag(devices.stale, row));
  silent.sort((left, right) => (readTime(devices.lastSeenAt, left) ?? 0) - (readTime(devices.lastSeenAt, right) ?? 0));
  const excluded = all.filter((row) => !readFlag(devices.counted, row));
  const column = createDeviceColumns(data);
  const common = { open, search: createSearchText(data), empty: listTexts.none };
  const place = {
    source: { key: 'source', label: listTexts.source, of: (row: number) => readWord(devices.source, row) },
    platform: {
      key: 'platform',
      label: listTexts.platform,
      of: (row: number) => readWord(devices.platform, row),
      say: (word: string) => formatPlatform(data.platformTitles, word),
    },
    reason: { key: 'reason', label: listTexts.reason, of: (row: number) => readWord(devices.reason, row) },
    because: { key: 'because', label: listTexts.because, of: (row: number) => readWord(devices.excludedBecause, row) },
    proven: {
      ...{ key: 'proven', label: listTexts.proven },
      of: (row: number) => (readFlag(devices.proven, row) ? listTexts.provenYes : listTexts.provenNo),
    },
  };
  const first = new Set(data.first);
  const since = (row: number) => readWord(devices.notInstalledSince, row) ?? data.slot;
  const toggles = [
    { key: 'stale', label: listTexts.stale, holds: (row: number) => readFlag(devices.stale, row) === true },
    {
      ...{ key: 'new', label: listTexts.fresh },
      holds: (row: number) => since(row) === data.slot && !first.has(readWord(devices.source, row) ?? ''),
    },
    {
      ...{ key: 'overdue', label: listTexts.overdue },
      holds: (row: number) => countDaysBetween(since(row), data.slot) > data.overdueAfterDays,
    },
  ];
  const columns = (shown: readonly ColumnKey[]) => orderColumns(column, shown);
  mountList(requireListHost('chase'), {
    ...common,
    ...columns(['notInstalledSince', 'name', 'serialNumber', 'user', 'platform', 'reason', 'proven', 'lastSeenAt']),
    id: 'chase',
    label: listTexts.needsAction,
    rows: chase,
    toggles,
    facets: [place.platform, place.source, place.reason, place.proven],
    note: createGlossaryLinks(['reason', listTexts.reason], ['status', listTexts.proven]),
  });
  mountList(requireListHost('silent'), {
    ...common,
    ...columns(['lastSeenAt', 'name', 'serialNumber', 'user', 'platform', 'source', 'valueAt']),
    id: 'silent',
    label: listTexts.notSeenRecently,
    rows: silent,
    facets: [place.platform, place.source],
    note: createGlossaryLinks(['status', listTexts.stale]),
  });
  mountList(requireListHost('excluded'), {
    ...common,
    ...columns(['excludedBecause', 'name', 'serialNumber', 'replacedBy', 'status', 'source', 'platform', 'lastSeenAt']),
    id: 'excluded',
    label: listTexts.excluded,
    rows: excluded,
    facets: [place.because, place.platform, place.source],
    note: createGlossaryLinks(['excluded', listTexts.because]),
  });
}

/** These first; every other field can be chosen. */
function orderColumns(all: Readonly<Record<ColumnKey, GridColumn>>, shown: readonly ColumnKey[]) {
  const more = deviceFields.map(({ key }) => key).filter((key) => !shown.includes(key));
  return { columns: [...shown, ...more].map((key) => all[key]), hidden: more };
}

export function requireListHost(name: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(`[data-list="${name}"]`);
  if (found === null) {
    throw new Error(`The page lacks the list ${name}`);
  }
  return found;
}

/** Links to the words' meanings. */
export function createGlossaryLinks(...groups: readonly (readonly [group: string, name: string])[]): HTMLElement {
  const links = groups.flatMap(([group, name]) => [
    ' ',
    createElement('a', { href: `#words-${group}` }, name.toLowerCase()),
  ]);
  return createElement('span', {}, listTexts.words, ...links);
}

/** As in not-installed.csv: since, source, device id. */
function sortByMissingSince({ devices }: PageData, rows: readonly number[]): number[] {
  const keyed = rows.map((row) => ({ row, since: readWord(devices.notInstalledSince, row) ?? '' }));
  // Rows come by source and id already, and the order of equals is kept.
  keyed.sort((left, right) => (left.since < right.since ? -1 : left.since > right.since ? 1 : 0));
  return keyed.map(({ row }) => row);
}

function createSearchText({ devices }: PageData): (row: number) => string {
  const texts = [devices.name, devices.serialNumber, devices.user, devices.id];
  const words = [devices.model, devices.osVersion, devices.value, devices.detail, devices.reason, devices.source];
  return (row) => {
    let text = '';
    for (const one of texts) {
      text += `${one[row] ?? ''}\n`;
    }
    for (const one of words) {
      text += `${readWord(one, row) ?? ''}\n`;
    }
    return text;
  };
}
