/** The document → the data inside the page: gzip, then base64, so that it is plain text in the HTML. */
import { gzipSync } from 'node:zlib';
import type { GroupMember, Night } from '../../core/judged.ts';
import { toDeviceKey } from '../../core/match-devices.ts';
import { isOverdue } from '../../core/needs-action.ts';
import { omitUndefined } from '../../omit-undefined.ts';
import { indexMembersByGroup, isNotable } from '../document/groups.ts';
import type { ChangeReport, DeviceReport, ReportDocument } from '../document/report-document.ts';
import { deviceFields } from '../fields.ts';
import { frontCodeNames, packFlags, packRanges, packTexts, packTimes, packWords } from './pack-columns.ts';
import type { ChangeColumns, DeviceColumns, GroupData, OtherGroupMembers, PageData } from './page-data.ts';

export function compressPageData(data: PageData): string {
  return gzipSync(JSON.stringify(data), { level: 9 }).toString('base64');
}

export function buildPageData(document: ReportDocument, night: Night): PageData {
  const rowOf = new Map(document.devices.map((device, row) => [toDeviceKey(device.source, device.id), row]));
  return {
    slot: document.slot,
    moment: document.moment,
    staleAfterDays: document.policy.staleAfterDays,
    first: document.sources.filter((source) => source.first).map((source) => source.name),
    trend: document.trend,
    platformTitles: document.platformTitles,
    devices: packDeviceColumns(document),
    changes: packChangeColumns(document.changes, rowOf),
    groups: packGroups(document, night, rowOf),
    exemptions: document.exemptions,
  };
}

type RowIndex = ReadonlyMap<string, number>;

function packDeviceColumns({ devices, slot, policy }: ReportDocument): DeviceColumns {
  const words = (value: (device: DeviceReport) => string | undefined) => packWords(devices.map(value));
  const fields = deviceFields.map(({ key, type }) => [key, packers[type](devices.map((device) => device[key]))]);
  return {
    ...(Object.fromEntries(fields) as Omit<DeviceColumns, 'replacedBy' | 'answers' | 'transitions' | 'overdue'>),
    replacedBy: words(({ replacedBy }) => replacedBy && JSON.stringify([replacedBy.source, replacedBy.id])),
    answers: words(
      ({ answers }) => answers && JSON.stringify(answers.map(({ value, at, detail }) => [value, at, detail])),
    ),
    transitions: words(({ transitions }) => JSON.stringify(transitions.map(({ slot, from, to }) => [slot, from, to]))),
    overdue: packFlags(devices.map(({ notInstalledSince }) => isOverdue(notInstalledSince, slot, policy))),
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

function packChangeColumns(changes: readonly ChangeReport[], rowOf: RowIndex): ChangeColumns {
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
  };
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
    const listed = same.flatMap((member) => rowOf.get(toDeviceKey(source, member.deviceId)) ?? []);
    const others = same.filter((member) => !rowOf.has(toDeviceKey(source, member.deviceId)));
    return {
      verdict: same[0]?.verdict ?? '',
      why: same[0]?.why ?? '',
      inPlatformGroup: packFlags([same[0]?.inPlatformGroup]),
      deviceRanges: packRanges(listed),
      names: frontCodeNames(others.flatMap((member) => member.deviceName ?? [])),
      unnamed: others.flatMap((member) => (member.deviceName === undefined ? [member.deviceId] : [])),
    };
  });
}
