/** The lists of exemptions, machines enrolled nowhere, groups and their members. */
import type { JudgedExemption } from '../../../core/facts/judged.ts';
import type { JudgedExpectedList, UnenrolledMachine } from '../../../core/facts/lists.ts';
import type { GroupReport, GroupRow } from '../../document/groups.ts';
import type { ReportDocument } from '../../document/report-document.ts';
import { formatNumber, formatOperatingSystem } from './format.ts';
import { type ListColumn, type ListDescription, toRows } from './list.ts';
import { groupTexts, listTexts, columnTitles as titles } from './list-texts.ts';
import { dataQualityTexts, sectionTitles } from './texts.ts';

/** Makes columns that show a field unchanged, below the title that it has in every list. */
export function createTextColumns<Row>(...keys: readonly (keyof Row & keyof typeof titles)[]): ListColumn<Row>[] {
  return keys.map((key) => ({ key, title: titles[key], text: (row) => String(row[key] ?? '') }));
}

export function describeExemptionList(
  countDevices: (exemption: JudgedExemption) => string | undefined = () => undefined,
): ListDescription<JudgedExemption> {
  return {
    id: 'exemptions',
    label: dataQualityTexts.exemptions,
    empty: dataQualityTexts.noExemptions,
    columns: [
      ...createTextColumns<JudgedExemption>('result', 'match', 'value', 'source'),
      { key: 'reason', title: titles.why, text: ({ reason }) => reason },
      ...createTextColumns<JudgedExemption>('owner', 'expires'),
      {
        key: 'devices',
        title: titles.devices,
        kind: 'figure',
        text: ({ devices }) => formatNumber(devices),
        sortKey: ({ devices }) => devices,
        counts: countDevices,
      },
    ],
  };
}

export function describeUnenrolledList(
  expected: Pick<JudgedExpectedList, 'unenrolled'> | undefined,
): ListDescription<UnenrolledMachine> {
  return {
    id: 'unenrolled',
    label: sectionTitles.unenrolled,
    empty: expected?.unenrolled ? listTexts.noUnenrolled : listTexts.unenrolledNotJudged,
    columns: createTextColumns('serialNumber', 'owner', 'site', 'bought', 'until', 'note', 'file'),
  };
}

export function describeGroupList(platformTitles: ReportDocument['platformTitles']): ListDescription<GroupReport> {
  const figure = (
    key: string,
    title: string,
    count: (group: GroupReport) => number,
    filter: Readonly<Record<string, string>>,
  ): ListColumn<GroupReport> => ({
    key,
    title,
    kind: 'figure',
    text: (group) => formatNumber(count(group)),
    counts: (group) => toRows('members', { group: toGroupAddress(group), ...filter }),
  });
  return {
    id: 'groups',
    label: groupTexts.summary,
    empty: groupTexts.none,
    columns: [
      { key: 'group', title: groupTexts.group, kind: 'head', text: ({ group }) => group },
      {
        key: 'source',
        title: titles.source,
        text: ({ source }) => source,
        note: ({ platform }) => ` ${formatOperatingSystem(platformTitles, platform)}`,
      },
      {
        key: 'kept',
        title: groupTexts.kept,
        text: ({ onPlatform }) => formatFlag(onPlatform, groupTexts.platform, groupTexts.ours, groupTexts.notRead),
        note: ({ problem }) => (problem ? ` ${problem}` : ''),
      },
      figure('members', groupTexts.members, ({ members }) => members, { inPicture: 'yes' }),
      figure('joined', groupTexts.joined, ({ joined }) => joined, { change: 'joined' }),
      figure('left', groupTexts.left, ({ left }) => left, { change: 'left' }),
      figure('differences', groupTexts.differences, ({ missing, unexpected }) => missing + unexpected, {
        on: 'differs',
      }),
    ],
  };
}

export function toGroupAddress({ source, group }: Pick<GroupReport, 'source' | 'group'>): string {
  return `${source}/${group}`;
}

export function describeMemberList(group: string): ListDescription<GroupRow> {
  return {
    id: 'members',
    label: `${groupTexts.members}: ${group}`,
    empty: listTexts.none,
    columns: [
      ...createTextColumns<GroupRow>('name', 'id', 'change'),
      { key: 'inPlatformGroup', title: titles.inPlatformGroup, text: (row) => formatFlag(row.inPlatformGroup) },
      { key: 'inPicture', title: titles.inPicture, text: (row) => formatFlag(row.inPicture) },
      ...createTextColumns<GroupRow>('verdict', 'why'),
    ],
  };
}

function formatFlag(
  flag: boolean | undefined,
  yes: string = listTexts.yes,
  no: string = listTexts.no,
  unknown: string = listTexts.unknown,
): string {
  return flag === undefined ? unknown : flag ? yes : no;
}
