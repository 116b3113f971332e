/** Each group in numbers, and its notable rows: who joined or left, and where the platform's group differs. */

import { omitUndefined } from '../../base/omit-undefined.ts';
import type { GroupMember } from '../../core/facts/judged.ts';
import { type GroupVerdict, groupVerdicts } from '../../core/facts/vocabulary.ts';
import type { GroupReport, GroupRow } from './report-document.ts';

/** In the order of the sources; within one, the group whose member has the lowest id first. */
export function buildGroupReports(members: Iterable<GroupMember>): GroupReport[] {
  const groups = new Map<string, GroupCount>();
  for (const member of members) {
    const key = toGroupKey(member);
    const group = groups.get(key) ?? createGroupCount(member);
    groups.set(key, group);
    group.members += Number(member.inPicture);
    group.changes[member.change] += 1;
    group.verdicts[member.verdict] += 1;
    // All rows of a group that was not read are unknown, and the platform named none of its members.
    group.isUnread &&= member.verdict === 'unknown' && member.inPlatformGroup === undefined;
    if (isNotable(member)) {
      group.rows.push(toGroupRow(member));
    }
  }
  return [...groups.values()].map(({ first, members: count, changes, verdicts, isUnread, rows }) => ({
    source: first.source,
    platform: first.operatingSystem,
    group: first.group,
    ...(isUnread ? { problem: first.why } : { onPlatform: platformVerdicts.some((verdict) => verdicts[verdict] > 0) }),
    members: count,
    joined: changes.joined,
    left: changes.left,
    missing: verdicts.missing,
    unexpected: verdicts.unexpected,
    outside: verdicts.outside,
    unknown: verdicts.unknown,
    rows,
  }));
}

interface GroupCount {
  readonly first: GroupMember;
  members: number;
  readonly changes: Record<GroupMember['change'], number>;
  readonly verdicts: Record<GroupVerdict, number>;
  isUnread: boolean;
  readonly rows: GroupRow[];
}

function createGroupCount(first: GroupMember): GroupCount {
  const changes = { joined: 0, stayed: 0, left: 0 };
  const verdicts = { agrees: 0, missing: 0, unexpected: 0, outside: 0, derived: 0, unknown: 0 };
  return { first, members: 0, changes, verdicts, isUnread: true, rows: [] };
}

/** In a group that the platform has none of, all are `derived`. */
const platformVerdicts = (Object.keys(groupVerdicts) as GroupVerdict[]).filter((verdict) => verdict !== 'derived');

function toGroupKey({ source, group }: Pick<GroupMember, 'source' | 'group'>): string {
  return `${source}\u0000${group}`;
}

export function isNotable({ verdict, change }: GroupMember): boolean {
  return change !== 'stayed' || verdict === 'missing' || verdict === 'unexpected' || verdict === 'outside';
}

function toGroupRow({ device, inPlatformGroup, inPicture, verdict, why, change }: GroupMember): GroupRow {
  return {
    id: device.id,
    ...omitUndefined({ name: device.name, inPlatformGroup }),
    inPicture,
    verdict,
    why,
    change,
  };
}
