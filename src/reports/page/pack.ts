/** The document → what the page carries: gzip, then base64, so that it stands in the page as plain text. */
import { gzipSync } from 'node:zlib';
import type { GroupMember, Night } from '../../core/judged.ts';
import { keyOf } from '../document/devices.ts';
import { byGroup, isNotable } from '../document/groups.ts';
import type { ChangeReport, DeviceReport, ReportDocument } from '../document/shape.ts';
import { deviceFields } from '../fields.ts';
import { flagsOf, frontCoded, rangesOf, textsOf, timesOf, wordsOf } from './columns.ts';
import type { ChangeColumns, DeviceColumns, GroupData, PageData, RestOfGroup } from './data.ts';

export function packed(data: PageData): string {
  return gzipSync(JSON.stringify(data), { level: 9 }).toString('base64');
}

export function pageDataOf(document: ReportDocument, night: Night): PageData {
  const rowOf = new Map(document.devices.map((device, row) => [keyOf(device.source, device.id), row]));
  return {
    slot: document.slot,
    moment: document.moment,
    staleAfterDays: document.policy.staleAfterDays,
    overdueAfterDays: document.policy.overdueAfterDays,
    first: document.sources.filter((source) => source.first).map((source) => source.name),
    trend: document.trend,
    platformTitles: document.platformTitles,
    devices: deviceColumns(document.devices),
    changes: changeColumns(document.changes, rowOf),
    groups: groupsOf(document, night, rowOf),
    exemptions: document.exemptions,
  };
}

type Rows = ReadonlyMap<string, number>;

function deviceColumns(devices: readonly DeviceReport[]): DeviceColumns {
  const words = (value: (device: DeviceReport) => string | undefined) => wordsOf(devices.map(value));
  const fields = deviceFields.map(({ key, type }) => [key, packers[type](devices.map((device) => device[key]))]);
  return {
    ...(Object.fromEntries(fields) as Omit<DeviceColumns, 'replacedBy' | 'answers' | 'transitions'>),
    replacedBy: words(({ replacedBy }) => replacedBy && JSON.stringify([replacedBy.source, replacedBy.id])),
    answers: words(
      ({ answers }) => answers && JSON.stringify(answers.map(({ value, at, detail }) => [value, at, detail])),
    ),
    transitions: words(({ transitions }) => JSON.stringify(transitions.map(({ slot, from, to }) => [slot, from, to]))),
  };
}

type Values = readonly (string | boolean | undefined)[];

const packers = {
  text: (values: Values) => textsOf(values as readonly (string | undefined)[]),
  word: (values: Values) => wordsOf(values as readonly (string | undefined)[]),
  slot: (values: Values) => wordsOf(values as readonly (string | undefined)[]),
  time: (values: Values) => timesOf(values as readonly (string | undefined)[]),
  flag: (values: Values) => flagsOf(values as readonly (boolean | undefined)[]),
};

function changeColumns(changes: readonly ChangeReport[], rowOf: Rows): ChangeColumns {
  const device = changes.map((change) => rowOf.get(keyOf(change.source, change.id)) ?? -1);
  const alone = (value: (change: ChangeReport) => string | undefined) =>
    textsOf(changes.map((change, row) => (device[row] === -1 ? value(change) : undefined)));
  return {
    device,
    id: alone((change) => change.id),
    name: alone((change) => change.name),
    serialNumber: alone((change) => change.serialNumber),
    source: wordsOf(changes.map((change) => change.source)),
    platform: wordsOf(changes.map((change) => change.platform)),
    change: wordsOf(changes.map((change) => change.change)),
    from: wordsOf(changes.map((change) => change.from)),
    to: wordsOf(changes.map((change) => change.to)),
    reason: wordsOf(changes.map((change) => change.reason)),
  };
}

function groupsOf(document: ReportDocument, night: Night, rowOf: Rows): GroupData[] {
  const members = byGroup(night.groups);
  return document.groups.map(({ rows, ...group }) => {
    const { source, platform, onPlatform, joined, left } = group;
    const device = rows.map((row) => rowOf.get(keyOf(source, row.id)) ?? -1);
    return {
      ...{ source, platform, group: group.group, onPlatform, members: group.members, joined, left },
      differences: group.missing + group.unexpected,
      rows: {
        device,
        id: textsOf(rows.map((row, at) => (device[at] === -1 ? row.id : undefined))),
        name: textsOf(rows.map((row, at) => (device[at] === -1 ? row.name : undefined))),
        inPlatformGroup: flagsOf(rows.map((row) => row.inPlatformGroup)),
        inPicture: flagsOf(rows.map((row) => row.inPicture)),
        verdict: wordsOf(rows.map((row) => row.verdict)),
        why: wordsOf(rows.map((row) => row.why)),
        change: wordsOf(rows.map((row) => row.change)),
      },
      rest: restOf(members.get(`${source}\u0000${group.group}`) ?? [], source, rowOf),
    };
  });
}

function restOf(members: readonly GroupMember[], source: string, rowOf: Rows): RestOfGroup[] {
  const kinds = new Map<string, GroupMember[]>();
  for (const member of members) {
    if (isNotable(member) || !member.inPicture) continue;
    const kind = JSON.stringify([member.verdict, member.why, flagsOf([member.inPlatformGroup])]);
    const same = kinds.get(kind);
    if (same) same.push(member);
    else kinds.set(kind, [member]);
  }
  return [...kinds.values()].map((same) => {
    const told = same.flatMap((member) => rowOf.get(keyOf(source, member.deviceId)) ?? []);
    const others = same.filter((member) => !rowOf.has(keyOf(source, member.deviceId)));
    return {
      verdict: same[0]?.verdict ?? '',
      why: same[0]?.why ?? '',
      inPlatformGroup: flagsOf([same[0]?.inPlatformGroup]),
      told: rangesOf(told),
      names: frontCoded(others.flatMap((member) => member.deviceName ?? [])),
      unnamed: others.flatMap((member) => (member.deviceName === undefined ? [member.deviceId] : [])),
    };
  });
}
