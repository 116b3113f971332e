/** The lists of devices, which devices they show and the columns that they can show; and the devices divided by a field. */
import { countDaysBetween } from '../../../core/facts/calendar.ts';
import type { BreakdownRow } from '../../document/coverage-by.ts';
import type { ReportedDevice } from '../../document/devices.ts';
import type { ReportDocument } from '../../document/report-document.ts';
import { type DeviceFieldKey, deviceFields } from '../../fields.ts';
import { fillText, formatNumber, formatOperatingSystem, formatPercent } from './format.ts';
import { type DeviceListName, type ListColumn, type ListDescription, toRows } from './list.ts';
import { breakdownTexts, listTexts, columnTitles as titles } from './list-texts.ts';
import { sectionTitles, sourceTexts } from './texts.ts';

type DeviceColumnKey = DeviceFieldKey | 'replacedBy';

export type DeviceListContext = Pick<ReportDocument, 'slot' | 'platformTitles' | 'lists'>;

/** The columns that are shown first; the reader can add every other field. */
const shownColumns: Readonly<Record<DeviceListName, readonly DeviceColumnKey[]>> = {
  'needs-action': ['notInstalledSince', 'name', 'serialNumber', 'user', 'platform', 'reason', 'proven', 'lastSeenAt'],
  'not-seen-recently': ['lastSeenAt', 'name', 'serialNumber', 'user', 'platform', 'source', 'valueAt'],
  excluded: ['excludedBecause', 'name', 'serialNumber', 'replacedBy', 'status', 'source', 'platform', 'lastSeenAt'],
  'all-devices': ['name', 'serialNumber', 'user', 'platform', 'status', 'reason', 'proven', 'lastSeenAt'],
};

export function describeDeviceList(id: DeviceListName, context: DeviceListContext): ListDescription<ReportedDevice> {
  const shown = [
    ...shownColumns[id],
    ...(id === 'all-devices' && context.lists?.reporting ? ['reportingAt' as const] : []),
  ];
  const others = deviceFields.map(({ key }) => key).filter((key) => !shown.includes(key));
  return {
    id,
    label: id === 'excluded' ? listTexts.excluded : sectionTitles[id],
    empty: listTexts.none,
    columns: [
      ...shown.map((key) => createDeviceColumn(key, context)),
      ...others.map((key) => ({ ...createDeviceColumn(key, context), isHidden: true })),
    ],
  };
}

/** The devices come in the order of source and id. */
export function selectDevices<Device extends ReportedDevice>(
  id: DeviceListName,
  devices: readonly Device[],
): readonly Device[] {
  switch (id) {
    case 'needs-action':
      return sortByText(devices.filter(needsAction), ({ notInstalledSince }) => notInstalledSince);
    case 'not-seen-recently':
      return sortByText(
        devices.filter(({ counted, status, stale }) => counted && status === 'Installed' && stale),
        ({ lastSeenAt }) => lastSeenAt,
      );
    case 'excluded':
      return devices.filter(({ counted }) => !counted);
    case 'all-devices':
      return devices;
  }
}

export function needsAction({ counted, status }: ReportedDevice): boolean {
  return counted && status === 'Not Installed';
}

/** Devices with the same text stay in their order. */
function sortByText<Device>(devices: Device[], read: (device: Device) => string | undefined): Device[] {
  const keyed = devices.map((device) => ({ device, text: read(device) ?? '' }));
  keyed.sort((left, right) => (left.text < right.text ? -1 : left.text > right.text ? 1 : 0));
  return keyed.map(({ device }) => device);
}

function createDeviceColumn(key: DeviceColumnKey, context: DeviceListContext): ListColumn<ReportedDevice> {
  const title = titles[key];
  switch (key) {
    case 'platform':
      return { key, title, text: ({ platform }) => formatOperatingSystem(context.platformTitles, platform) };
    case 'proven':
      return { key, title, text: formatProof };
    case 'notInstalledSince':
      return {
        key,
        title,
        text: ({ notInstalledSince: since }) => since ?? '',
        note: ({ notInstalledSince: since }) =>
          since === undefined ? '' : ` · ${fillText(listTexts.days, { days: countDaysBetween(since, context.slot) })}`,
      };
    case 'replacedBy':
      return { key, title, text: ({ replacedBy }) => (replacedBy ? `${replacedBy.source} / ${replacedBy.id}` : '') };
    case 'valueAt':
    case 'lastSeenAt':
    case 'enrolledAt':
    case 'reportingAt':
      return { key, title, kind: 'time', text: (device) => formatIsoTime(device[key]) };
    default:
      return { key, title, text: (device) => formatFieldValue(device[key]) };
  }
}

/** A stale answer is not proven; the column says that it is stale. */
function formatProof({ proven, stale }: ReportedDevice): string {
  if (proven) {
    return listTexts.provenYes;
  }
  return stale ? listTexts.stale : listTexts.provenNo;
}

/** Empty also where a platform gave something that is no time. */
function formatIsoTime(text: string | undefined): string {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? '' : new Date(time).toISOString();
}

function formatFieldValue(value: string | boolean | undefined): string {
  if (typeof value === 'boolean') {
    return value ? listTexts.yes : listTexts.no;
  }
  return value ?? '';
}

type Titles = ReportDocument['platformTitles'];

export type DivisionField = BreakdownRow['field'] | 'user';

/** The devices with one value. Where people divide them, only those that need action are counted. */
export type Division = Pick<BreakdownRow, 'value' | 'notInstalled'> & Partial<BreakdownRow>;

/** The field of a device, and its filter, by the name that coverage-by.csv has for it. */
export function toDeviceField(field: DivisionField) {
  return field === 'os_version' ? 'osVersion' : field;
}

export function describeBreakdown(field: DivisionField, platformTitles: Titles): ListDescription<Division> {
  const filter = toDeviceField(field);
  const figure = (
    key: keyof Division,
    title: string,
    list: 'all-devices' | 'needs-action',
    filters: Readonly<Record<string, string>>,
  ): ListColumn<Division> => ({
    key,
    title,
    kind: 'figure',
    text: (row) => formatNumber(Number(row[key])),
    counts: ({ value }) => toRows(list, { [filter]: value, ...filters }),
  });
  const counted = { counted: 'yes' };
  const installed = { ...counted, status: 'Installed' };
  const value: ListColumn<Division> = {
    key: 'value',
    title: titles[filter],
    kind: 'head',
    text: (row) => formatDivision(field, row.value, platformTitles),
  };
  const missing = figure('notInstalled', sectionTitles['needs-action'], 'needs-action', {});
  const all: readonly ListColumn<Division>[] = [
    value,
    figure('devices', titles.devices, 'all-devices', {}),
    figure('counted', titles.counted, 'all-devices', counted),
    figure('installed', breakdownTexts.installed, 'all-devices', installed),
    missing,
    figure('provenInstalled', breakdownTexts.provenInstalled, 'all-devices', { ...installed, proven: 'proven' }),
    figure('provenNotInstalled', breakdownTexts.provenNotInstalled, 'needs-action', { proven: 'proven' }),
    { key: 'coverage', title: sourceTexts.coverage, kind: 'figure', text: ({ coverage }) => formatPercent(coverage) },
    { key: 'interval', title: sourceTexts.interval, kind: 'figure', text: formatInterval },
  ];
  return {
    id: 'breakdown',
    label: `${sectionTitles.breakdown}: ${titles[filter]}`,
    empty: listTexts.none,
    columns: field === 'user' ? [value, missing] : all,
  };
}

export function formatDivision(field: DivisionField, value: string, platformTitles: Titles): string {
  if (value === '') {
    return listTexts.unknown;
  }
  return field === 'platform' ? formatOperatingSystem(platformTitles, value) : value;
}

export function formatInterval({ low, high }: { readonly low?: number; readonly high?: number }): string {
  return low === undefined ? '–' : `${formatPercent(low)} – ${formatPercent(high)}`;
}
