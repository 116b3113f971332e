/** The document → the data inside the page: gzip, then base64, so that it is plain text in the HTML. */

import { gzipSync } from 'node:zlib';
import { parseTime } from '../../core/ages.ts';
import { addDays } from '../../core/calendar.ts';
import type { Change, GroupMember, JudgedDevice, Night } from '../../core/judged.ts';
import { toDeviceKey, wasInBaseline } from '../../core/match-devices.ts';
import { isOverdue } from '../../core/needs-action.ts';
import { omitUndefined } from '../../omit-undefined.ts';
import { indexMembersByGroup, isNotable } from '../document/groups.ts';
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

export function compressPageData(data: PackedPageData): string {
  return gzipSync(JSON.stringify(data), { memLevel: 9 }).toString('base64');
}

export function buildPageData(document: ReportDocument, night: Night): PackedPageData {
  const reported = new Set(document.devices.map(({ source, id }) => toDeviceKey(source, id)));
  const devices: JudgedDevice[] = [];
  const rest: JudgedDevice[] = [];
  for (const device of night.devices) {
    (reported.has(toDeviceKey(device.source, device.facts.id)) ? devices : rest).push(device);
  }
  for (const device of rest) {
    devices.push(device);
  }
  const rowOf = new Map(devices.map(({ source, facts }, row) => [toDeviceKey(source, facts.id), row]));
  return {
    slot: document.slot,
    moment: document.moment,
    staleAfterDays: document.policy.staleAfterDays,
    first: document.sources.filter((source) => source.first).map((source) => source.name),
    trend: document.trend,
    coverageBy: document.coverageBy,
    consoles: listConsoles(document),
    platformTitles: document.platformTitles,
    devices: packDeviceColumns(document, night, devices),
    detailed: reported.size,
    departed: packDeparted(night),
    changes: packChangeColumns(document.changes, night, { devices, rowOf }),
    transitions: packTransitions(document, rowOf),
    groups: packGroups(document, night, rowOf),
    exemptions: document.exemptions,
  };
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

type RowIndex = ReadonlyMap<string, number>;

/** Of a device that nothing is to be said about, these would be most of its size. */
const detailKeys: ReadonlySet<string> = new Set(['valueAt', 'enrolledAt']);

function packDeviceColumns(
  document: ReportDocument,
  night: Night,
  devices: readonly JudgedDevice[],
): PackedPageData['devices'] {
  const { devices: reports, slot, policy } = document;
  const words = (value: (device: DeviceReport) => string | undefined) => packWords(reports.map(value));
  const fields = deviceFields.map(({ key, type, read }) => {
    const shown = detailKeys.has(key) ? devices.slice(0, reports.length) : devices;
    const values = shown.map((device) => read(device) as FieldValues[number]);
    const isJoined = (joinedKeys as readonly string[]).includes(key);
    return [key, isJoined ? joinTexts(values as readonly (string | undefined)[]) : packers[type](values)];
  });
  const bounds = listAgeBounds(policy);
  const ages = (read: (device: JudgedDevice) => number | undefined) =>
    packWords(devices.map((device) => String(findAgeBound(read(device), night.moment, bounds) ?? '')));
  return {
    ...(Object.fromEntries(fields) as Omit<
      PackedPageData['devices'],
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
    overdue: packFlags(reports.map(({ notInstalledSince }) => isOverdue(notInstalledSince, slot, policy))),
    valueAge: ages(({ value, ageTime }) => (value === undefined ? undefined : ageTime)),
    contactAge: ages(({ facts }) => parseTime(facts.lastSeenAt)),
    measured: packWords(devices.map(createMeasurementReader(night))),
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

function packChangeColumns(
  changes: readonly ChangeReport[],
  night: Night,
  { devices, rowOf }: { devices: readonly JudgedDevice[]; rowOf: RowIndex },
): ChangeColumns {
  const device = changes.map((change) => rowOf.get(toDeviceKey(change.source, change.id)) ?? -1);
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
    flow: packWords(night.changes.map((change, row) => findFlow(change, devices[device[row] ?? -1]))),
  };
}

function packTransitions({ transitions }: ReportDocument, rowOf: RowIndex): TransitionColumns {
  const device = transitions.map(({ source, id }) => rowOf.get(toDeviceKey(source, id)) ?? -1);
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

/** A machine that came from another source joined here and left there, with one row for both. */
function findFlow({ kind }: Change, device: JudgedDevice | undefined): 'joined' | 'left' | 'both' | undefined {
  switch (kind) {
    case 'new-installed':
    case 'new-not-installed':
    case 'included':
      return 'joined';
    case 'removed':
    case 'excluded':
      return 'left';
    case 'moved': {
      const isCounted = device?.match?.known.counted === true && device.counted;
      return isCounted && !wasInBaseline(device.source, device.match) ? 'both' : undefined;
    }
    default:
      return undefined;
  }
}

function packGroups(document: ReportDocument, night: Night, rowOf: RowIndex): GroupData[] {
  const members = indexMembersByGroup(night.groups);
  return document.groups.map(({ rows, ...group }) => {
    const { source, platform, onPlatform, problem, joined, left } = group;
    const device = rows.map((row) => rowOf.get(toDeviceKey(source, row.id)) ?? -1);
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
      rest: packOtherMembers(members.get(`${source}\u0000${group.group}`) ?? [], source, rowOf),
    };
  });
}

function packOtherMembers(members: readonly GroupMember[], source: string, rowOf: RowIndex): OtherGroupMembers[] {
  const kinds = new Map<string, GroupMember[]>();
  for (const member of members) {
    if (isNotable(member) || !member.inPicture) {
      continue;
    }
    const kind = JSON.stringify([member.verdict, member.why, packFlags([member.inPlatformGroup])]);
    const same = kinds.get(kind);
    if (same) {
      same.push(member);
    } else {
      kinds.set(kind, [member]);
    }
  }
  return [...kinds.values()].map((same) => {
    const listed = same.flatMap((member) => rowOf.get(toDeviceKey(source, member.device.id)) ?? []);
    return {
      verdict: same[0]?.verdict ?? '',
      why: same[0]?.why ?? '',
      inPlatformGroup: packFlags([same[0]?.inPlatformGroup]),
      deviceRanges: packRanges(listed.sort((left, right) => left - right)),
    };
  });
}
