/** Each group in numbers, and its notable rows: who joined or left, and where the platform's group differs. */

import { omitUndefined } from '../../base/omit-undefined.ts';
import type { GroupMember } from '../../core/facts/judged.ts';
import type { GroupVerdict } from '../../core/facts/vocabulary.ts';

export type GroupReport = ReturnType<typeof buildGroupReport>;
export type GroupRow = ReturnType<typeof toGroupRow>;

/** Builds the groups in the order of the sources; within one, the group whose member has the lowest id first. */
export function buildGroupReports(members: readonly GroupMember[]): GroupReport[] {
  const groups = Map.groupBy(members, ({ source, group }) => `${source}\u0000${group}`);
  return [...groups.values()].map((all) => buildGroupReport(all as [GroupMember, ...GroupMember[]]));
}

function buildGroupReport(members: readonly [GroupMember, ...GroupMember[]]) {
  const [{ source, operatingSystem: platform, group, why, isOurs = false }] = members;
  const count = (holds: (member: GroupMember) => boolean) => members.filter(holds).length;
  const countVerdict = (verdict: GroupVerdict) => count((member) => member.verdict === verdict);
  // In a group that was not read, all rows are unknown, and the platform named no member.
  const isKnown =
    isOurs || members.some(({ verdict, inPlatformGroup }) => verdict !== 'unknown' || inPlatformGroup !== undefined);
  return {
    source,
    platform,
    group,
    // In a group that the platform does not have, all rows are `derived`, unless its source was not complete.
    ...omitUndefined({
      onPlatform: isKnown ? !isOurs && members.some(({ verdict }) => verdict !== 'derived') : undefined,
      problem: isKnown ? undefined : why,
    }),
    members: count(({ inPicture }) => inPicture),
    joined: count(({ change }) => change === 'joined'),
    left: count(({ change }) => change === 'left'),
    missing: countVerdict('missing'),
    unexpected: countVerdict('unexpected'),
    outside: countVerdict('outside'),
    unknown: countVerdict('unknown'),
    rows: members.filter(isNotable).map(toGroupRow),
  };
}

export function isNotable({ verdict, change }: GroupMember): boolean {
  return change !== 'stayed' || verdict === 'missing' || verdict === 'unexpected' || verdict === 'outside';
}

/** Whether the platform's own group has other members than its criterion selects, or could not be read. */
export function isDifferent({ missing, unexpected, problem }: GroupReport): boolean {
  return missing + unexpected > 0 || problem !== undefined;
}

function toGroupRow({ device, inPlatformGroup, inPicture, verdict, why, change }: GroupMember) {
  const { id, name } = device;
  return omitUndefined({ id, name, inPlatformGroup, inPicture, verdict, why, change });
}
