/** The lists of devices: their devices and columns. */
import { countDaysBetween } from '../../../core/time/calendar.ts';
import type { ReportedDevice } from '../../document/devices.ts';
import type { ReportDocument } from '../../document/report-document.ts';
import { type DeviceFieldKey, deviceFields } from '../../fields.ts';
import { fillText, formatOperatingSystem } from './format.ts';
import type { DeviceListName, ListColumn, ListDescription } from './list.ts';
import { listTexts, columnTitles as titles } from './list-texts.ts';
import { sectionTitles } from './texts.ts';

type DeviceColumnKey = DeviceFieldKey | 'replacedBy';

export type DeviceListContext = Pick<ReportDocument, 'slot' | 'platformTitles' | 'lists'>;

/** Columns that are shown first; the reader can add every other field. */
const shownColumns: Readonly<Record<DeviceListName, readonly DeviceColumnKey[]>> = {
  'needs-action': ['notInstalledSince', 'name', 'serialNumber', 'user', 'platform', 'reason', 'proven', 'lastSeenAt'],
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

/** Selects the devices of a list, in the order of source and id. */
export function selectDevices<Device extends ReportedDevice>(
  id: DeviceListName,
  devices: readonly Device[],
): readonly Device[] {
  switch (id) {
    case 'needs-action':
      return sortByText(devices.filter(needsAction), ({ notInstalledSince }) => notInstalledSince);
    case 'excluded':
      return devices.filter(({ counted }) => !counted);
    case 'all-devices':
      return devices;
  }
}

export function needsAction({ counted, status }: ReportedDevice): boolean {
  return counted && status === 'Not Installed';
}

/** Sorts by text; devices with the same text keep their order. */
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

/** Formats proof, with the reason where it is missing. */
export function formatProof({ unprovenBecause: because }: Pick<ReportedDevice, 'unprovenBecause'>): string {
  return because === undefined ? listTexts.provenYes : fillText(listTexts.provenNoBecause, { because });
}

/** Formats a time; empty where the platform's text is no time. */
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
