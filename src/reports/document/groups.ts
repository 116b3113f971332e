/** Each group in numbers, and its notable rows: who joined or left, and where the platform's group differs. */
import type { GroupMember } from '../../core/judged.ts';
import { omitUndefined } from '../../omit-undefined.ts';
import type { GroupReport, GroupRow } from './report-document.ts';

export function buildGroupReports(members: readonly GroupMember[]): GroupReport[] {
  return [...indexMembersByGroup(members).values()].map((rows) => {
    const [first] = rows;
    const count = (test: (row: GroupMember) => boolean) => rows.filter(test).length;
    return {
      source: first?.source ?? '',
      platform: first?.platform ?? '',
      group: first?.group ?? '',
      ...describeKeeper(rows),
      members: count((row) => row.inPicture),
      joined: count((row) => row.change === 'joined'),
      left: count((row) => row.change === 'left'),
      missing: count((row) => row.verdict === 'missing'),
      unexpected: count((row) => row.verdict === 'unexpected'),
      outside: count((row) => row.verdict === 'outside'),
      unknown: count((row) => row.verdict === 'unknown'),
      rows: rows.filter(isNotable).map(toGroupRow),
    };
  });
}

/** A group whose rows are all `unknown`, and none of whose members the platform named, was not read. */
function describeKeeper(rows: readonly GroupMember[]): Pick<GroupReport, 'onPlatform' | 'problem'> {
  if (rows.every((row) => row.verdict === 'unknown' && row.inPlatformGroup === undefined)) {
    return omitUndefined({ problem: rows[0]?.why });
  }
  return { onPlatform: rows.some((row) => row.verdict !== 'derived') };
}

/** In the order of the sources; within one, the group of the installed first. */
export function indexMembersByGroup(members: readonly GroupMember[]): Map<string, GroupMember[]> {
  const groups = new Map<string, GroupMember[]>();
  for (const member of members) {
    const key = `${member.source}\u0000${member.group}`;
    const rows = groups.get(key);
    if (rows) {
      rows.push(member);
    } else {
      groups.set(key, [member]);
    }
  }
  return groups;
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
