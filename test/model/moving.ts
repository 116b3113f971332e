/** "Moving on": the ledger before a run, its machines, and the ledger after it. */
import type { Facts } from '../../src/core/facts/facts.ts';
import { fits } from './entries.ts';
import { addLetter, toLetter } from './history.ts';
import { isProven } from './proof.ts';
import {
  countDays,
  type Entry,
  findSource,
  isAnswered,
  isBlank,
  isCounted,
  isWhole,
  type Machine,
  type Row,
  type SourceNight,
  type Transition,
  toKey,
} from './rows.ts';
import { findHeard } from './shared-numbers.ts';

export interface Ledgers {
  facts: Facts;
  sources: readonly SourceNight[];
  rows: readonly Row[];
  machines: readonly Machine[];
  ledger: readonly Entry[];
  entries: ReadonlyMap<Machine, Entry>;
}

export function moveOn(ledgers: Ledgers): Transition[] {
  const { machines, ledger, entries } = ledgers;
  const taken = new Set(entries.values());
  const names = ledger.map(({ name }) => name);
  const transitions: Transition[] = [];
  for (const machine of machines) {
    const transition = moveMachine(machine, ledgers, names);
    transitions.push(transition);
    names.push(...(transition.after === undefined ? [] : [transition.after.name]));
  }
  for (const entry of ledger.filter((one) => !taken.has(one))) {
    transitions.push(leaveEntry(entry, ledgers));
  }
  return transitions;
}

/** "Entries that are gone, or whose source left the settings, are kept for 400 nights." */
export function listKept(transitions: readonly Transition[], { slot, sources }: Facts): Entry[] {
  return transitions
    .flatMap(({ after }) => after ?? [])
    .filter(
      ({ isGone, standing, listedOn }) =>
        (!isGone && sources.some(({ name }) => name === standing.source)) || countDays(listedOn, slot) <= 400,
    );
}

function moveMachine(machine: Machine, ledgers: Ledgers, names: readonly string[]): Transition {
  const before = ledgers.entries.get(machine);
  const { standing } = machine;
  const source = findSource(ledgers.sources, standing.source) as SourceNight;
  // "And that record was read."
  const canMove = !standing.isUnread;
  // "An entry is written anew on a night on which the source of the record that stands is whole."
  const isWritten = canMove && isWhole(source) && !isHeldBack(before, ledgers, isWhole);
  // "On a suspect or untrusted night the same rows are shown against the unmoved entry."
  const isDoubtful = isAnswered(source) && !isWhole(source);
  const isShown = isWritten || (canMove && isDoubtful && !isHeldBack(before, ledgers, isAnswered));
  const after = isWritten ? writeEntry(machine, before, source, ledgers, names) : before;
  return { machine, before, after, isWritten, isShown, takenBy: undefined };
}

/** "Where the record that stood is not among the night's records and its source, still in the settings, is not whole." */
function isHeldBack(
  before: Entry | undefined,
  { rows, sources }: Ledgers,
  isEnough: (source: SourceNight) => boolean,
): boolean {
  if (before === undefined || rows.some((row) => toKey(row) === toKey(before.standing))) {
    return false;
  }
  const source = findSource(sources, before.standing.source);
  return source !== undefined && !isEnough(source);
}

function writeEntry(
  machine: Machine,
  before: Entry | undefined,
  source: SourceNight,
  { facts: { slot } }: Ledgers,
  names: readonly string[],
): Entry {
  const { records, standing, number } = machine;
  const { status, since } = standing;
  const proven = isProven(standing);
  const counted = isCounted(standing);
  const lacksAgent = counted && status === 'Not Installed';
  // "Did not become so on its source's first night."
  const becameSo = before === undefined || before.isGone || !before.counted || before.status === 'Installed';
  const isQuiet = becameSo ? source.first : before.isQuiet;
  return {
    name: before?.name ?? makeName(machine, slot, names),
    records: records.map(toKey),
    number,
    standing,
    counted,
    status,
    proven,
    since,
    history: addLetter(before?.history ?? [], slot, toLetter({ counted, status, proven })),
    listedOn: slot,
    isGone: false,
    isQuiet: lacksAgent && isQuiet,
  };
}

/** "Where the record that stands was last heard from before the one that stood": as that is listed now, or was last. */
export function isOlderAnswer(before: Entry | undefined, standing: Row, rows: readonly Row[]): boolean {
  if (before === undefined || before.isGone || toKey(before.standing) === toKey(standing)) {
    return false;
  }
  const stood = rows.find((row) => toKey(row) === toKey(before.standing) && !isBlank(row)) ?? before.standing;
  return findHeard(standing) < findHeard(stood);
}

/**
 * "`macos/C02ABC123`, or `source/id` where it has no number of its own or that name is taken; where that is taken too,
 * with `@SLOT` behind it."
 */
function makeName({ number, isShared, standing }: Machine, slot: string, names: readonly string[]): string {
  if (number !== undefined && !isShared && !names.includes(number)) {
    return number;
  }
  const key = toKey(standing);
  return names.includes(key) ? `${key}@${slot}` : key;
}

/** An entry that no machine takes. */
function leaveEntry(before: Entry, ledgers: Ledgers): Transition {
  const { facts, sources, machines } = ledgers;
  const takenBy = findTaker(before, machines);
  const stays = { machine: undefined, before, after: before, isWritten: false, isShown: false, takenBy };
  const source = findSource(sources, before.standing.source);
  // "Where the source of the record that stood is in the settings no more, it is not gone."
  if (before.isGone || source === undefined) {
    return stays;
  }
  // "Is gone when the sources of all its records that are in the settings are whole."
  const others = sources.filter(({ facts: { name } }) => before.records.some((key) => key.startsWith(`${name}/`)));
  if (others.every(isWhole)) {
    const history = addLetter(before.history, facts.slot, '-');
    return { ...stays, after: { ...before, history, isGone: true }, isWritten: true, isShown: true };
  }
  return { ...stays, isShown: isAnswered(source) && !isWhole(source) && others.every(isAnswered) };
}

/** "One whose record or number another machine took." */
export function findTaker(entry: Entry, machines: readonly Machine[]): Machine | undefined {
  const fitting = machines.filter((machine) => fits(entry, machine));
  const hasRecord = (key: string) => fitting.find(({ records }) => records.some((row) => toKey(row) === key));
  return [toKey(entry.standing), ...entry.records].map(hasRecord).find((found) => found !== undefined) ?? fitting[0];
}
