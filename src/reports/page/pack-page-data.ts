/** The document → the data inside the page: gzip, then base64, so that it is plain text in the HTML. */

import { addDays } from '../../core/calendar.ts';
import type { GroupMember, JudgedDevice, Night } from '../../core/judged.ts';
import { toDeviceKey } from '../../core/match-devices.ts';
import { isOverdue } from '../../core/needs-action.ts';
import { createIdFinder } from '../../core/order.ts';
import { readDeviceTime } from '../../core/packed-devices.ts';
import { gzipTexts } from '../../gzip-texts.ts';
import { omitUndefined } from '../../omit-undefined.ts';
import { isNotable, toGroupKey } from '../document/groups.ts';
import type { ChangeReport, DeviceReport, ReportDocument, TransitionReport } from '../document/report-document.ts';
import { createMeasurementReader, findAgeBound, listAgeBounds } from '../document/sources.ts';
import { deviceFields } from '../fields.ts';
import { joinTexts, packFlags, packRanges, packTexts, packTimes, packWords } from './pack-columns.ts';
import {
  type ChangeColumns,
  type DepartedColumns,
  type GroupData,
  joinedKeys,
  type OtherGroupMembers,
  type PackedPageData,
  type TransitionColumns,
} from './page-data.ts';
import { consoleTitles } from './texts.ts';

/**
 * The data in pieces. One column is made at a time: all of them, as one text, would be most of the memory that a large
 * fleet's run needs.
 */
export async function* packPageData(document: ReportDocument, night: Night): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of gzipTexts(serializeColumns(listPageData(document, night)), { memLevel: 9 })) {
    const bytes = Buffer.concat([rest, piece]);
    // Three bytes are four characters.
    const whole = bytes.length - (bytes.length % 3);
    yield bytes.subarray(0, whole).toString('base64');
    rest = bytes.subarray(whole);
  }
  yield rest.toString('base64');
}

/** A value is a function that makes it, or an object of such. */
type LazyColumns = { readonly [name: string]: (() => unknown) | LazyColumns };

function* serializeColumns(columns: LazyColumns): Generator<string> {
  let before = '{';
  for (const [name, column] of Object.entries(columns)) {
    yield `${before}${JSON.stringify(name)}:`;
    if (typeof column === 'function') {
      yield JSON.stringify(column());
    } else {
      yield* serializeColumns(column);
    }
    before = ',';
  }
  yield '}';
}

type Lazy<Data> = { readonly [Key in keyof Data]: () => Data[Key] };

type LazyPageData = Lazy<Omit<PackedPageData, 'devices'>> & { readonly devices: Lazy<PackedPageData['devices']> };

function listPageData(document: ReportDocument, night: Night): LazyPageData {
  const reported = new Set(document.devices.map(({ source, id }) => toDeviceKey(source, id)));
  const [first, rest] = [true, false].map((isFirst) =>
    night.devices.filter(({ source, facts }) => reported.has(toDeviceKey(source, facts.id)) === isFirst),
  );
  const devices = [...(first ?? []), ...(rest ?? [])];
  const rowOf = createRowIndex(devices);
  return {
    slot: () => document.slot,
    moment: () => document.moment,
    staleAfterDays: () => document.policy.staleAfterDays,
    first: () => document.sources.filter((source) => source.first).map((source) => source.name),
    trend: () => document.trend,
    coverageBy: () => document.coverageBy,
    consoles: () => listConsoles(document),
    platformTitles: () => document.platformTitles,
    devices: listDeviceColumns(document, night, devices),
    detailed: () => reported.size,
    departed: () => packDeparted(night),
    changes: () => packChangeColumns(document.changes, night, rowOf),
    transitions: () => packTransitions(document, rowOf),
    groups: () => packGroups(document, night, rowOf),
    exemptions: () => document.exemptions,
  };
}

/** The row of a device: those of report.json come first. */
type RowIndex = (source: string, id: string) => number | undefined;

/** Each source's rows by id: an index of texts would take much memory. */
function createRowIndex(devices: readonly JudgedDevice[]): RowIndex {
  const bySource = Map.groupBy(devices.keys(), (row) => devices[row]?.source);
  const finders = new Map(
    [...bySource].map(([source, rows]) => [source, createIdFinder(rows, (row) => devices[row]?.facts.id ?? '')]),
  );
  return (source, id) => finders.get(source)?.find(id);
}

/** Only an address that is an origin and a path of ours becomes a link. */
function listConsoles({ sources }: ReportDocument): PackedPageData['consoles'] {
  return Object.fromEntries(
    sources.flatMap(({ name, kind, deviceAddress = '' }) =>
      /^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|\/))[^\s"'<>@]*$/.test(deviceAddress)
        ? [[name, { title: consoleTitles[kind] ?? kind, address: deviceAddress }]]
        : [],
    ),
  );
}

/** Of a device that nothing is to be said about, these would be most of its size. */
const detailKeys: ReadonlySet<string> = new Set(['valueAt', 'enrolledAt']);

function listDeviceColumns(
  document: ReportDocument,
  night: Night,
  devices: readonly JudgedDevice[],
): Lazy<PackedPageData['devices']> {
  const { devices: reports, slot, policy } = document;
  const words = (value: (device: DeviceReport) => string | undefined) => () => packWords(reports.map(value));
  const fields = deviceFields.map(({ key, type, read }) => {
    const isJoined = (joinedKeys as readonly string[]).includes(key);
    const pack = () => {
      const shown = detailKeys.has(key) ? devices.slice(0, reports.length) : devices;
      const values = shown.map((device) => read(device) as FieldValues[number]);
      return isJoined ? joinTexts(values as readonly (string | undefined)[]) : packers[type](values);
    };
    return [key, pack];
  });
  const bounds = listAgeBounds(policy);
  const ages = (read: (device: JudgedDevice) => number | undefined) => () =>
    packWords(devices.map((device) => String(findAgeBound(read(device), night.moment, bounds) ?? '')));
  return {
    ...(Object.fromEntries(fields) as Omit<
      Lazy<PackedPageData['devices']>,
      'replacedBy' | 'answers' | 'transitions' | 'acknowledged' | 'overdue' | 'valueAge' | 'contactAge' | 'measured'
    >),
    replacedBy: words(({ replacedBy }) => replacedBy && JSON.stringify([replacedBy.source, replacedBy.id])),
    answers: words(
      ({ answers }) => answers && JSON.stringify(answers.map(({ value, at, detail }) => [value, at, detail])),
    ),
    transitions: words(({ transitions }) => JSON.stringify(transitions.map(({ slot, from, to }) => [slot, from, to]))),
    acknowledged: words(
      ({ acknowledged }) => acknowledged && JSON.stringify([acknowledged.by, acknowledged.until, acknowledged.ticket]),
    ),
    overdue: () => packFlags(reports.map(({ notInstalledSince }) => isOverdue(notInstalledSince, slot, policy))),
    valueAge: ages(({ value, ageTime }) => (value === undefined ? undefined : ageTime)),
    contactAge: ages(({ facts }) => readDeviceTime(facts, 'lastSeenAt')),
    measured: () => packWords(devices.map(createMeasurementReader(night))),
  };
}

const daysOfDeparted = 90;

function packDeparted({ state, slot }: Night): DepartedColumns {
  const oldest = addDays(slot, -daysOfDeparted);
  const departed = state.sources.flatMap(({ name, departed }) =>
    departed.filter(({ leftOn }) => leftOn > oldest).map((device) => ({ source: name, ...device })),
  );
  return {
    source: packWords(departed.map(({ source }) => source)),
    id: packTexts(departed.map(({ facts }) => facts.id)),
    name: packTexts(departed.map(({ facts }) => facts.name)),
    serialNumber: packTexts(departed.map(({ facts }) => facts.serialNumber)),
    leftOn: packWords(departed.map(({ leftOn }) => leftOn)),
    status: packWords(departed.map(({ status }) => status)),
  };
}

type FieldValues = readonly (string | boolean | undefined)[];

const packers = {
  text: (values: FieldValues) => packTexts(values as readonly (string | undefined)[]),
  word: (values: FieldValues) => packWords(values as readonly (string | undefined)[]),
  slot: (values: FieldValues) => packWords(values as readonly (string | undefined)[]),
  time: (values: FieldValues) => packTimes(values as readonly (string | undefined)[]),
  flag: (values: FieldValues) => packFlags(values as readonly (boolean | undefined)[]),
};

function packChangeColumns(changes: readonly ChangeReport[], night: Night, rowOf: RowIndex): ChangeColumns {
  const device = changes.map((change) => rowOf(change.source, change.id) ?? -1);
  const alone = (value: (change: ChangeReport) => string | undefined) =>
    packTexts(changes.map((change, row) => (device[row] === -1 ? value(change) : undefined)));
  return {
    device,
    id: alone((change) => change.id),
    name: alone((change) => change.name),
    serialNumber: alone((change) => change.serialNumber),
    source: packWords(changes.map((change) => change.source)),
    platform: packWords(changes.map((change) => change.platform)),
    change: packWords(changes.map((change) => change.change)),
    from: packWords(changes.map((change) => change.from)),
    to: packWords(changes.map((change) => change.to)),
    reason: packWords(changes.map((change) => change.reason)),
    flow: packWords(night.changes.map(({ flow }) => flow)),
  };
}

function packTransitions({ transitions }: ReportDocument, rowOf: RowIndex): TransitionColumns {
  const device = transitions.map(({ source, id }) => rowOf(source, id) ?? -1);
  const alone = (read: (transition: TransitionReport) => string | undefined) =>
    packTexts(transitions.map((transition, index) => (device[index] === -1 ? read(transition) : undefined)));
  return {
    slot: packWords(transitions.map(({ slot }) => slot)),
    device,
    id: alone(({ source, id }) => `${source}/${id}`),
    name: alone(({ name }) => name),
    from: packWords(transitions.map(({ from }) => from)),
    to: packWords(transitions.map(({ to }) => to)),
  };
}

function packGroups(document: ReportDocument, night: Night, rowOf: RowIndex): GroupData[] {
  const others = packOtherMembers(night.groups, rowOf);
  return document.groups.map(({ rows, ...group }) => {
    const { source, platform, onPlatform, problem, joined, left } = group;
    const device = rows.map((row) => rowOf(source, row.id) ?? -1);
    return {
      source,
      platform,
      group: group.group,
      ...omitUndefined({ onPlatform, problem }),
      members: group.members,
      joined,
      left,
      differences: group.missing + group.unexpected,
      rows: {
        device,
        id: packTexts(rows.map((row, index) => (device[index] === -1 ? row.id : undefined))),
        name: packTexts(rows.map((row, index) => (device[index] === -1 ? row.name : undefined))),
        inPlatformGroup: packFlags(rows.map((row) => row.inPlatformGroup)),
        inPicture: packFlags(rows.map((row) => row.inPicture)),
        verdict: packWords(rows.map((row) => row.verdict)),
        why: packWords(rows.map((row) => row.why)),
        change: packWords(rows.map((row) => row.change)),
      },
      rest: others.get(toGroupKey({ source, group: group.group })) ?? [],
    };
  });
}

/** By `toGroupKey`: members about whom nothing is to be said, by what is the same about them. */
function packOtherMembers(members: Iterable<GroupMember>, rowOf: RowIndex): Map<string, OtherGroupMembers[]> {
  const groups = new Map<string, Map<string, { first: GroupMember; listed: number[] }>>();
  for (const member of members) {
    if (isNotable(member) || !member.inPicture) {
      continue;
    }
    const kind = JSON.stringify([member.verdict, member.why, packFlags([member.inPlatformGroup])]);
    const kinds = groups.get(toGroupKey(member)) ?? new Map<string, { first: GroupMember; listed: number[] }>();
    groups.set(toGroupKey(member), kinds);
    const same = kinds.get(kind) ?? { first: member, listed: [] };
    kinds.set(kind, same);
    const row = rowOf(member.source, member.device.id);
    if (row !== undefined) {
      same.listed.push(row);
    }
  }
  return new Map([...groups].map(([group, kinds]) => [group, [...kinds.values()].map(packSameMembers)]));
}

function packSameMembers({ first, listed }: { first: GroupMember; listed: number[] }): OtherGroupMembers {
  return {
    verdict: first.verdict,
    why: first.why,
    inPlatformGroup: packFlags([first.inPlatformGroup]),
    deviceRanges: packRanges(listed.sort((left, right) => left - right)),
  };
}
