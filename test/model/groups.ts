/** The membership picture of one source: our groups beside the platform's own. */
import type { GroupFacts } from '../../src/core/facts/facts.ts';
import { findKindModel } from './kinds.ts';
import { type Entry, type GroupRow, isBlank, isWhole, type Machine, type Row, type SourceNight } from './rows.ts';

/**
 * `rows` are the source's. "Every later rule, report and alert speaks of machines": a machine joins, stays in or leaves a
 * group of the source in which its record stands, and was in it before where the entry's record stood in the source.
 */
export function listGroups(night: SourceNight, rows: readonly Row[], compared: ComparedMachines): GroupRow[] {
  const statuses = ['Installed', 'Not Installed'] as const;
  const derived = statuses.map((holds): GroupFacts => ({ holds, name: holds, problem: 'Not the platform’s.' }));
  const { facts, soundness, first } = night;
  const { hasServerGroups } = findKindModel(facts.kind);
  if (soundness === 'missing') {
    return [];
  }
  // "On a source's first night every member is `stayed`."
  const isCompared = !first && soundness !== 'carried';
  const before = isCompared ? listMachinesBefore(facts.name, compared) : [];
  const members = (group: GroupFacts) => (soundness === 'carried' ? [] : (group.members ?? []));
  return (hasServerGroups ? facts.groups : derived).flatMap((group) => {
    const isHeld = (row: Row | undefined) => row?.status === group.holds;
    const left = before.filter(({ id, status }) => status === group.holds && !rows.some((row) => row.facts.id === id));
    const ids = [...rows.map((row) => row.facts.id), ...left.map(({ id }) => id)];
    return [...new Set([...ids, ...members(group)])].flatMap((id): GroupRow[] => {
      const row = rows.find((one) => one.facts.id === id);
      const known = before.find((one) => one.id === id);
      const wasHeld = known?.status === group.holds;
      if (!isHeld(row) && !wasHeld && !members(group).includes(id)) {
        return [];
      }
      const isMachine =
        row === undefined || known !== undefined || compared.machines.some((one) => one.standing === row);
      const isMoved = isCompared && isMachine && !(row !== undefined && isBlank(row)) && isHeld(row) !== wasHeld;
      const change = isMoved ? (wasHeld ? 'left' : 'joined') : 'stayed';
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

export interface ComparedMachines {
  machines: readonly Machine[];
  ledger: readonly Entry[];
  entries: ReadonlyMap<Machine, Entry>;
}

/**
 * Machines whose record stood in the source, each under the record of this source that stands for it, or stood. Those for
 * which one stands come first.
 */
function listMachinesBefore(name: string, { machines, ledger, entries }: ComparedMachines) {
  return ledger
    .filter(({ isGone, standing }) => !isGone && standing.source === name)
    .map((entry) => {
      const machine = machines.find((one) => entries.get(one) === entry);
      const row = machine?.standing.source === name ? machine.standing : entry.standing;
      return { id: row.facts.id, status: entry.status, isHere: row === machine?.standing };
    })
    .sort((one, other) => Number(other.isHere) - Number(one.isHere));
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
