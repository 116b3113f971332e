/** Device rows in lists: needs action, not seen recently, all devices, not counted. */

import { addDays } from '../../../core/calendar.ts';
import { deviceFields } from '../../fields.ts';
import type { PageData } from '../page-data.ts';
import { columnTitles, dataQualityTexts, fillText, formatPlatform, listTexts } from '../texts.ts';
import { type ColumnKey, createDeviceColumns } from './device-columns.ts';
import type { DeviceIndex } from './device-index.ts';
import { createElement } from './dom.ts';
import { createExemptionTest } from './exempt-devices.ts';
import type { GridColumn } from './grid.ts';
import { type Facet, mountList } from './list.ts';
import { readFlag, readTime, readWord } from './unpack.ts';

export type CardOpener = (row: number) => void;

export function mountDeviceLists(data: PageData, index: DeviceIndex, open: CardOpener): void {
  const { devices, detailed } = data;
  const all = Array.from({ length: devices.id.length }, (_, row) => row);
  const reported = all.slice(0, detailed);
  const is = (row: number, status: string) => readWord(devices.status, row) === status;
  const counted = reported.filter((row) => readFlag(devices.counted, row));
  const needsAction = sortByMissingSince(
    data,
    counted.filter((row) => is(row, 'Not Installed')),
  );
  const notSeenRecently = counted.filter((row) => is(row, 'Installed') && readFlag(devices.stale, row));
  notSeenRecently.sort(
    (left, right) => (readTime(devices.lastSeenAt, left) ?? 0) - (readTime(devices.lastSeenAt, right) ?? 0),
  );
  const excluded = reported.filter((row) => !readFlag(devices.counted, row));
  const column = createDeviceColumns(data);
  const common = { open, search: createSearchText(data), empty: listTexts.none };
  const facets = createDeviceFacets(data);
  const first = new Set(data.first);
  const since = (row: number) => readWord(devices.notInstalledSince, row) ?? data.slot;
  const toggles = [
    { key: 'stale', label: listTexts.stale, holds: (row: number) => readFlag(devices.stale, row) === true },
    {
      key: 'new',
      label: listTexts.isNew,
      holds: (row: number) => since(row) === data.slot && !first.has(readWord(devices.source, row) ?? ''),
    },
    {
      key: 'acknowledged',
      label: listTexts.acknowledged,
      holds: (row: number) => readWord(devices.acknowledged, row) !== undefined,
    },
    {
      key: 'overdue',
      label: listTexts.overdue,
      holds: (row: number) => readFlag(devices.overdue, row) === true,
    },
  ];
  const columns = (shown: readonly ColumnKey[]) => orderColumns(column, shown);
  const places = [facets.site, facets.department, facets.building, facets.category, facets.osVersion, facets.model];
  mountList(requireListHost('needs-action'), {
    ...common,
    ...columns(['notInstalledSince', 'name', 'serialNumber', 'user', 'platform', 'reason', 'proven', 'lastSeenAt']),
    id: 'needs-action',
    file: `needs-action-${data.slot}`,
    label: listTexts.needsAction,
    rows: needsAction,
    toggles,
    facets: [facets.platform, facets.source, facets.reason, facets.proven, facets.since, ...places, facets.user],
    note: createGlossaryLinks(['reason', listTexts.reason], ['status', listTexts.proven]),
  });
  mountList(requireListHost('not-seen-recently'), {
    ...common,
    ...columns(['lastSeenAt', 'name', 'serialNumber', 'user', 'platform', 'source', 'valueAt']),
    id: 'not-seen-recently',
    file: `not-seen-recently-${data.slot}`,
    label: listTexts.notSeenRecently,
    rows: notSeenRecently,
    facets: [facets.platform, facets.source],
    note: createGlossaryLinks(['status', listTexts.stale]),
  });
  mountList(requireListHost('excluded'), {
    ...common,
    ...columns(['excludedBecause', 'name', 'serialNumber', 'replacedBy', 'status', 'source', 'platform', 'lastSeenAt']),
    id: 'excluded',
    file: `not-counted-${data.slot}`,
    label: listTexts.excluded,
    rows: excluded,
    facets: [facets.because, facets.platform, facets.source],
    note: createGlossaryLinks(['excluded', listTexts.because]),
  });
  const ages = [facets.valueAge, facets.contactAge, facets.measured];
  mountList(requireListHost('all-devices'), {
    open,
    ...columns(['name', 'serialNumber', 'user', 'platform', 'status', 'reason', 'proven', 'lastSeenAt']),
    id: 'all-devices',
    file: `devices-${data.slot}`,
    label: listTexts.allDevices,
    empty: listTexts.none,
    rows: all,
    match: index.match,
    facets: [
      ...[facets.status, facets.counted, facets.proven, facets.platform, facets.source, facets.reason, facets.stale],
      facets.exemption,
      ...[...ages, facets.because, ...places].map((facet) => ({ ...facet, isSecondary: true })),
    ],
    note: createGlossaryLinks(['status', listTexts.status], ['reason', listTexts.reason]),
  });
}

function createDeviceFacets(data: PageData) {
  const { devices, slot, platformTitles } = data;
  const yesOrNo = (word: string) => (word === 'yes' ? listTexts.yes : listTexts.no);
  const flag = (key: 'counted' | 'stale') => (row: number) => (readFlag(devices[key], row) ? 'yes' : 'no');
  const sayAge = (days: string) =>
    days === 'Infinity' ? dataQualityTexts.older : fillText(dataQualityTexts.upTo, { days });
  const word = (key: 'site' | 'department' | 'building' | 'category' | 'osVersion' | 'model'): Facet => ({
    ...{ key, label: columnTitles[key], column: devices[key], isSecondary: true },
  });
  return {
    source: { key: 'source', label: listTexts.source, column: devices.source },
    platform: {
      key: 'platform',
      label: listTexts.platform,
      column: devices.platform,
      say: (name: string) => formatPlatform(platformTitles, name),
    },
    reason: { key: 'reason', label: listTexts.reason, column: devices.reason },
    because: { key: 'because', label: listTexts.because, column: devices.excludedBecause },
    status: { key: 'status', label: listTexts.status, column: devices.status },
    counted: { key: 'counted', label: columnTitles.counted, of: flag('counted'), say: yesOrNo },
    stale: { key: 'stale', label: columnTitles.stale, of: flag('stale'), say: yesOrNo },
    proven: {
      key: 'proven',
      label: listTexts.proven,
      of: (row: number) => (readFlag(devices.proven, row) ? listTexts.provenYes : listTexts.provenNo),
    },
    since: {
      key: 'since',
      label: listTexts.missingFor,
      choices: [7, 30, 90].map((days) => {
        const limit = addDays(slot, -days);
        return {
          word: String(days),
          label: fillText(listTexts.daysOrLonger, { days }),
          holds: (row: number) => (readWord(devices.notInstalledSince, row) ?? slot) <= limit,
        };
      }),
    },
    user: {
      key: 'user',
      label: columnTitles.user,
      of: (row: number) => devices.user[row] ?? '',
      isOnlyInAddress: true,
    },
    valueAge: { key: 'valueAge', label: listTexts.valueAge, column: devices.valueAge, say: sayAge },
    contactAge: { key: 'contactAge', label: listTexts.contactAge, column: devices.contactAge, say: sayAge },
    measured: {
      key: 'measured',
      label: listTexts.measured,
      column: devices.measured,
      say: (word: string) => (word === 'current' ? listTexts.measuredNow : listTexts.measuredBefore),
    },
    exemption: {
      key: 'exemption',
      label: dataQualityTexts.exemptions,
      choices: data.exemptions.map((row, index) => ({
        word: String(index),
        label: row.value,
        holds: createExemptionTest(data, row),
      })),
      isOnlyInAddress: true,
    },
    ...{ site: word('site'), department: word('department'), building: word('building') },
    ...{ category: word('category'), osVersion: word('osVersion'), model: word('model') },
  } satisfies Readonly<Record<string, Facet>>;
}

/** The shown columns first; the reader can add every other field. */
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

/** Links to the glossary. */
export function createGlossaryLinks(...groups: readonly (readonly [group: string, name: string])[]): HTMLElement {
  const links = groups.flatMap(([group, name]) => [
    ' ',
    createElement('a', { href: `#glossary-${group}` }, name.toLowerCase()),
  ]);
  return createElement('span', {}, listTexts.glossary, ...links);
}

/** As in not-installed.csv: since, source, device id. */
function sortByMissingSince({ devices }: PageData, rows: readonly number[]): number[] {
  const keyed = rows.map((row) => ({ row, since: readWord(devices.notInstalledSince, row) ?? '' }));
  // Rows are already in the order of source and id, and the sort is stable.
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
