/** The lists of groups, in numbers, and of the members of one. */
import type { GroupReport, GroupRow, ReportDocument } from '../../document/report-document.ts';
import { formatNumber, formatPlatform } from './format.ts';
import { type ListColumn, type ListDescription, toRows } from './list.ts';
import { groupTexts, listTexts, columnTitles as titles } from './list-texts.ts';

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
        note: ({ platform }) => ` ${formatPlatform(platformTitles, platform)}`,
      },
      {
        key: 'kept',
        title: groupTexts.kept,
        text: formatKeeper,
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

/** A group in the page's address. */
export function toGroupAddress({ source, group }: Pick<GroupReport, 'source' | 'group'>): string {
  return `${source}/${group}`;
}

function formatKeeper({ onPlatform }: GroupReport): string {
  if (onPlatform === undefined) {
    return groupTexts.notRead;
  }
  return onPlatform ? groupTexts.platform : groupTexts.ours;
}

export interface MemberRow extends Omit<GroupRow, 'name' | 'inPlatformGroup'> {
  readonly name?: string | undefined;
  readonly inPlatformGroup?: boolean | undefined;
}

export function describeMemberList(group: string): ListDescription<MemberRow> {
  return {
    id: 'members',
    label: `${groupTexts.rows}: ${group}`,
    empty: listTexts.none,
    columns: [
      { key: 'name', title: titles.name, text: ({ name = '' }) => name },
      { key: 'id', title: titles.id, text: ({ id }) => id },
      { key: 'change', title: titles.change, text: ({ change }) => change },
      { key: 'inPlatformGroup', title: titles.inPlatformGroup, text: (row) => formatFlag(row.inPlatformGroup) },
      { key: 'inPicture', title: titles.inPicture, text: (row) => formatFlag(row.inPicture) },
      { key: 'verdict', title: titles.verdict, text: ({ verdict }) => verdict },
      { key: 'why', title: titles.why, text: ({ why }) => why },
    ],
  };
}

function formatFlag(flag: boolean | undefined): string {
  if (flag === undefined) {
    return listTexts.unknown;
  }
  return flag ? listTexts.yes : listTexts.no;
}
