/** Writes the data inside the page: gzip, then base64, so that it is plain text in the HTML. */
import { gzipTexts } from '../../../base/gzip-texts.ts';
import { omitUndefined } from '../../../base/omit-undefined.ts';
import type { GroupMember, JudgedDevice, Night } from '../../../core/facts/judged.ts';
import type { Entry } from '../../../core/facts/ledger.ts';
import type { NextSteps } from '../../../core/facts/rules.ts';
import { addDays, parseTime } from '../../../core/time/calendar.ts';
import type { Cell } from '../../cell.ts';
import {
  findFirstCompared,
  indexEntries,
  isStanding,
  toChangeReport,
  toDeviceKey,
  toReportedKey,
} from '../../document/devices.ts';
import { getReportDocument } from '../../document/document.ts';
import { isNotable } from '../../document/groups.ts';
import type { ReportDocument } from '../../document/report-document.ts';
import { createAgeFinder, createMeasurementReader, readValueAge } from '../../document/sources.ts';
import { type DeviceFieldKey, deviceFields } from '../../fields.ts';
import type { ColumnType } from '../../table.ts';
import {
  type Column,
  encodeAge,
  encodeColumn,
  encodeId,
  type GoneDevice,
  type ListedDevice,
  type Membership,
  type PageData,
} from '../shared/page-data.ts';

/** Texts of a kind of source on the page. */
export interface KindTexts {
  readonly kind: string;
  readonly title: string;
  readonly nextSteps: NextSteps;
}

/** Renders the data in pieces, since the whole text would be most of the memory of a large fleet's run. */
export async function* renderPageData(night: Night, kinds: readonly KindTexts[]): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of gzipTexts(serializePageData(night, kinds), { memLevel: 9 })) {
    const bytes = Buffer.concat([rest, piece]);
    // Three bytes are four characters.
    const whole = bytes.length - (bytes.length % 3);
    yield Buffer.from(bytes.subarray(0, whole).toString('base64'));
    rest = bytes.subarray(whole);
  }
  yield Buffer.from(rest.toString('base64'));
}

function* serializePageData(night: Night, kinds: readonly KindTexts[]): Generator<string> {
  const { devices, transitions: _, ...document } = getReportDocument(night);
  const flows = night.changes.map(({ flow }) => omitUndefined({ flow }));
  const shown = kinds.filter(({ kind }) => document.sources.some((source) => source.kind === kind));
  const rest: Omit<PageData, 'devices'> = {
    document: { ...document, changes: document.changes.map((change, index) => ({ ...change, ...flows[index] })) },
    consoles: listConsoles(document.sources, kinds),
    nextSteps: Object.fromEntries(shown.map(({ kind, nextSteps }) => [kind, nextSteps])),
    count: night.devices.length,
    reported: devices.length,
    gone: listGoneDevices(night),
    comparedFrom: findFirstCompared(night),
  };
  yield `${JSON.stringify(rest).slice(0, -1)},"devices":{`;
  let separator = '';
  for (const [key, column] of listDeviceColumns(night)) {
    yield `${separator}${JSON.stringify(key)}:${JSON.stringify(column)}`;
    separator = ',';
  }
  yield '}}';
}

/** Addresses of consoles; only an origin with a path of ours becomes a link. */
function listConsoles(sources: ReportDocument['sources'], kinds: readonly KindTexts[]): PageData['consoles'] {
  return Object.fromEntries(
    sources.flatMap(({ name, kind, deviceAddress: address = '' }) =>
      /^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|\/))[^\s"'<>@]*$/.test(address)
        ? [[name, { title: kinds.find((known) => known.kind === kind)?.title ?? kind, address }]]
        : [],
    ),
  );
}

/** Columns that would be most of the size of devices without details. */
const detailKeys: ReadonlySet<string> = new Set(['valueAt', 'enrolledAt']);

type DerivedKey = Exclude<keyof ListedDevice, DeviceFieldKey | 'row'>;

/** Makes each column when it is written. */
function* listDeviceColumns(night: Night): Generator<readonly [key: string, column: Column]> {
  const { devices: reports } = getReportDocument(night);
  const reportedKeys = new Set(reports.map(({ source, id }) => toDeviceKey(source, id)));
  const { true: reported = [], false: others = [] } = Object.groupBy(night.devices, (device) =>
    reportedKeys.has(toReportedKey(device)) ? 'true' : 'false',
  );
  const devices = [...reported, ...others];
  const moment = Date.parse(night.moment);
  for (const { key, read, type } of deviceFields) {
    const listed = detailKeys.has(key) ? reported : devices;
    yield [key, encodeColumn(listed.map((device) => encodeValue(key, type, read(device), moment)))];
  }
  const findAgeBound = createAgeFinder(night);
  const findAge = (time: number | undefined) => String(findAgeBound(time) ?? '');
  const readMeasurement = createMeasurementReader(night);
  const memberships = indexMemberships(night);
  const readHistory = createHistoryReader(night);
  const derived: Readonly<Record<DerivedKey, () => readonly unknown[]>> = {
    replacedBy: () => reports.map(({ replacedBy }) => replacedBy),
    acknowledged: () => reports.map(({ acknowledged }) => acknowledged),
    answers: () => reports.map(({ answers }) => answers),
    transitions: () => reports.map(({ transitions }) => transitions),
    valueAge: () => devices.map((device) => findAge(readValueAge(device))),
    contactAge: () => devices.map(({ facts }) => findAge(parseTime(facts.lastSeenAt))),
    measured: () => devices.map(readMeasurement),
    memberships: () => devices.map((device) => memberships.get(toReportedKey(device))?.map(toMembership)),
    history: () => devices.map(readHistory),
  };
  for (const [key, list] of Object.entries(derived)) {
    yield [key, encodeColumn(list())];
  }
}

function encodeValue(key: DeviceFieldKey, type: ColumnType, value: Cell, moment: number): Cell {
  if (typeof value !== 'string') {
    return value;
  }
  return type === 'time' ? encodeAge(value, moment) : key === 'id' ? encodeId(value) : value;
}

/** Maps each device to the groups in which nothing about it is notable. */
function indexMemberships({ groups }: Night): Map<string, GroupMember[]> {
  const quiet = groups.filter((member) => !isNotable(member) && member.inPicture);
  return Map.groupBy(quiet, ({ source, device }) => toDeviceKey(source, device.id));
}

function toMembership({ group, inPlatformGroup, verdict, why }: GroupMember): Membership {
  return { group, ...omitUndefined({ inPlatformGroup }), verdict, why };
}

/** Reads the history of a standing record's machine within the compared runs. */
function createHistoryReader(night: Night): (device: JudgedDevice) => ListedDevice['history'] {
  const first = findFirstCompared(night);
  const entries = indexEntries(night);
  return (device) => (isStanding(device) ? selectHistory(entries.get(device.machine), first) : undefined);
}

/** Steps from the one that includes the first run on; undefined where the machine has been the same since. */
function selectHistory(entry: Pick<Entry, 'history'> | undefined, first: string): ListedDevice['history'] {
  const { history = [] } = entry ?? {};
  const compared = history.slice(
    Math.max(
      0,
      history.findLastIndex(([since]) => since <= first),
    ),
  );
  const [step] = compared;
  return step === undefined || (compared.length === 1 && step[0] <= first) ? undefined : compared;
}

const daysOfGone = 90;

/** Machines that are gone, and since which run: by the ledger, or missing in this run alone. */
function listGoneDevices(night: Night): GoneDevice[] {
  const first = findFirstCompared(night);
  const oldest = addDays(night.slot, -daysOfGone);
  const gone = night.state.ledger.flatMap((entry): GoneDevice[] => {
    const { standing, status, history, isGone } = entry;
    const leftOn = history.at(-1)?.[0] ?? '';
    if (!isGone || leftOn <= oldest) {
      return [];
    }
    const { source, id, operatingSystem: platform, name, serialNumber, site, department, reason } = standing;
    const known = omitUndefined({ name, serialNumber, site, department, history: selectHistory(entry, first) });
    return [{ source, id, platform, ...known, leftOn, status, reason }];
  });
  const keys = new Set(gone.map(({ source, id }) => toDeviceKey(source, id)));
  const others = night.changes.map(toChangeReport).flatMap((change): GoneDevice[] => {
    const { source, id, platform, from: status, to, reason, name, serialNumber, site, department } = change;
    const isKnown = status === undefined || to !== undefined || keys.has(toDeviceKey(source, id));
    const known = omitUndefined({ name, serialNumber, site, department });
    return isKnown ? [] : [{ source, id, platform, ...known, leftOn: night.slot, status, reason }];
  });
  return [...gone, ...others];
}
