/** The membership picture of one source: our groups beside the platform's own. */
import type { GroupFacts } from '../../src/core/facts/facts.ts';
import type { Pairing } from './changes.ts';
import { findKindModel } from './kinds.ts';
import { type GroupRow, isBlank, isWhole, type Row, type SourceNight } from './rows.ts';

export function listGroups(
  night: SourceNight,
  pairings: readonly Pairing[],
  beforeRows: readonly Row[],
  hasMovedAway: (row: Row) => boolean,
): GroupRow[] {
  const statuses = ['Installed', 'Not Installed'] as const;
  const derived = statuses.map((holds): GroupFacts => ({ holds, name: holds, problem: 'Not the platform’s.' }));
  const { facts, soundness, first } = night;
  const { hasServerGroups } = findKindModel(facts.kind);
  return (hasServerGroups ? facts.groups : derived).flatMap((group) => {
    const isHeld = (row: Row | undefined) => row?.status === group.holds;
    const makeRow = (id: string, row: Row | undefined, change: string): GroupRow => {
      const isListed = hasServerGroups && soundness !== 'carried' ? group.members?.includes(id) : undefined;
      const isCompared = hasServerGroups && isWhole(night) && row?.isUnread !== true;
      const ours = isWhole(night) && !hasServerGroups && row?.isUnread !== true ? 'derived' : 'unknown';
      return {
        source: facts.name,
        group: group.name,
        id,
        inPlatformGroup: isListed,
        inPicture: isHeld(row),
        verdict: isCompared ? findVerdict(group, row, isListed) : ours,
        change,
      };
    };
    const ofDevices = pairings.flatMap(({ row, predecessor }) => {
      const old = predecessor?.known.row.source === facts.name ? predecessor.known : undefined;
      // Where the record of before is still listed, the new one joins it.
      const isBeside = predecessor?.isMove === true && pairings.some((one) => one.row.facts.id === old?.row.facts.id);
      const wasHeld = !first && old?.age === 0 && isHeld(old.row) && !isBeside;
      if (isHeld(row)) {
        return [
          makeRow(row.facts.id, row, isBlank(row) || first || soundness === 'carried' || wasHeld ? 'stayed' : 'joined'),
        ];
      }
      if (wasHeld) {
        return [makeRow(row.facts.id, row, 'left')];
      }
      return group.members?.includes(row.facts.id) === true ? [makeRow(row.facts.id, row, 'stayed')] : [];
    });
    const isKnown = (id: string) => pairings.some(({ row }) => row.facts.id === id);
    const gone = beforeRows.filter((row) => isHeld(row) && !isKnown(row.facts.id) && !hasMovedAway(row));
    const strangers = (soundness === 'carried' ? [] : (group.members ?? [])).filter(
      (id) => !isKnown(id) && !gone.some((row) => row.facts.id === id),
    );
    return [
      ...ofDevices,
      ...gone.map((row) => makeRow(row.facts.id, undefined, 'left')),
      ...strangers.map((id) => makeRow(id, undefined, 'stayed')),
    ];
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
