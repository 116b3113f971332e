/** "Changes are what differs between an entry and its machine." */
import { isOlderAnswer } from './moving.ts';
import {
  type ChangeRow,
  type Entry,
  findSource,
  isCounted,
  type Row,
  type SourceNight,
  type Transition,
  toKey,
} from './rows.ts';

export function listChanges(
  transitions: readonly Transition[],
  rows: readonly Row[],
  sources: readonly SourceNight[],
): ChangeRow[] {
  return transitions
    .filter(({ isShown }) => isShown)
    .flatMap((transition) => {
      const { machine, before } = transition;
      if (machine !== undefined) {
        return listMachineChanges(machine.standing, before, rows, sources);
      }
      return before === undefined ? [] : listLeaving(before, transition, sources);
    });
}

function listMachineChanges(
  row: Row,
  before: Entry | undefined,
  rows: readonly Row[],
  sources: readonly SourceNight[],
): ChangeRow[] {
  // "`moved` wherever another record stands than before, unless the entry was gone."
  const hasMoved = before !== undefined && !before.isGone && toKey(before.standing) !== toKey(row);
  const moved = hasMoved ? [makeChange(row, 'moved', before.status, row.status, row.reason)] : [];
  // "A machine whose record that stands is in a source on its first night has no row but `moved`."
  if (findSource(sources, row.source)?.first === true) {
    return moved;
  }
  // "Beside it at most one row."
  return [...moved, ...findChange(row, before, rows)];
}

function findChange(row: Row, before: Entry | undefined, rows: readonly Row[]): ChangeRow[] {
  const isKnown = before !== undefined && !before.isGone;
  if (!isCounted(row)) {
    // "`excluded` for what was counted."
    return isKnown && before.counted
      ? [makeChange(row, 'excluded', before.status, row.status, row.excludedBecause ?? '')]
      : [];
  }
  if (!isKnown) {
    // "`new-installed` and `new-not-installed` (no entry, or gone)."
    const kind = row.status === 'Installed' ? 'new-installed' : 'new-not-installed';
    return [makeChange(row, kind, undefined, row.status, row.reason)];
  }
  if (!before.counted) {
    // "And `included` for what is counted now": "reason = why excluded".
    return [makeChange(row, 'included', before.status, row.status, before.standing.excludedBecause ?? '')];
  }
  // "`lost` and `recovered` only for what was counted before and is now", and not by an older answer.
  if (before.status === row.status || isOlderAnswer(before, row, rows)) {
    return [];
  }
  const kind = row.status === 'Installed' ? 'recovered' : 'lost';
  return [makeChange(row, kind, before.status, row.status, row.reason)];
}

/** "`removed` and `excluded` for what was counted"; where another machine took it, as `excluded`, `superseded`. */
function listLeaving(before: Entry, { takenBy }: Transition, sources: readonly SourceNight[]): ChangeRow[] {
  if (!before.counted || findSource(sources, before.standing.source)?.first === true) {
    return [];
  }
  return takenBy === undefined
    ? [makeChange(before.standing, 'removed', before.status, undefined, before.standing.reason)]
    : [makeChange(before.standing, 'excluded', before.status, undefined, 'superseded')];
}

function makeChange(
  row: Row,
  kind: string,
  from: string | undefined,
  to: string | undefined,
  reason: string,
): ChangeRow {
  const { building, category } = row.facts;
  const places = [row.site, row.department, building, category];
  return { source: row.source, id: row.facts.id, kind, from, to, reason, places };
}
