/** The membership picture of one source: our groups beside the platform's own. */
import type { GroupFacts } from '../../src/core/facts/facts.ts';
import { findKindModel } from './kinds.ts';
import { type GroupRow, isBlank, isWhole, type Row, type SourceNight } from './rows.ts';

/** `rows` are the source's, `beforeRows` those of its baseline. */
export function listGroups(night: SourceNight, rows: readonly Row[], beforeRows: readonly Row[]): GroupRow[] {
  const statuses = ['Installed', 'Not Installed'] as const;
  const derived = statuses.map((holds): GroupFacts => ({ holds, name: holds, problem: 'Not the platform’s.' }));
  const { facts, soundness, first } = night;
  const { hasServerGroups } = findKindModel(facts.kind);
  if (soundness === 'missing') {
    return [];
  }
  const members = (group: GroupFacts) => (soundness === 'carried' ? [] : (group.members ?? []));
  return (hasServerGroups ? facts.groups : derived).flatMap((group) => {
    const isHeld = (row: Row | undefined) => row?.status === group.holds;
    const ids = [...rows, ...beforeRows.filter(isHeld)].map((row) => row.facts.id);
    return [...new Set([...ids, ...members(group)])].flatMap((id): GroupRow[] => {
      const row = rows.find((one) => one.facts.id === id);
      const wasHeld = beforeRows.some((one) => one.facts.id === id && isHeld(one) && !isBlank(one));
      // "Change `joined`, `stayed`, `left` (against the baseline; on a source's first night every member is `stayed`)."
      const isOld = first || soundness === 'carried' || wasHeld || (row !== undefined && isBlank(row));
      const change = isHeld(row) ? (isOld ? 'stayed' : 'joined') : wasHeld ? 'left' : 'stayed';
      if (!isHeld(row) && !wasHeld && !members(group).includes(id)) {
        return [];
      }
      // "`unknown` (could not be read, or the source was not complete)".
      const isKnown = isWhole(night) && row?.isUnread !== true;
      const inPlatformGroup = hasServerGroups && soundness !== 'carried' ? group.members?.includes(id) : undefined;
      const verdict = hasServerGroups ? findVerdict(group, row, inPlatformGroup) : 'derived';
      return [
        {
          source: facts.name,
          group: group.name,
          id,
          inPlatformGroup,
          inPicture: isHeld(row),
          verdict: isKnown ? verdict : 'unknown',
          change,
        },
      ];
    });
  });
}

/** The platform's group beside what the documented criterion selects: managed, and the value exactly that word. */
function findVerdict(group: GroupFacts, row: Row | undefined, isListed: boolean | undefined): string {
  if (isListed === undefined) {
    return 'unknown';
  }
  const isSelected = row?.facts.managementState === 'managed' && row.value === group.holds;
  if (isSelected) {
    return isListed ? 'agrees' : 'missing';
  }
  if (isListed) {
    return 'unexpected';
  }
  return row?.status === group.holds ? 'outside' : 'agrees';
}
