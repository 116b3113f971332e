/** "Whose entry": which machine of a run goes on with which entry of the ledger. */
import { compareText, type Entry, type Machine, toKey } from './rows.ts';
import { isNewer } from './serial-numbers.ts';
import { findHeard } from './shared-numbers.ts';

/** "An entry fits a machine when it has one of its records or its number (a shared number fits nobody)." */
export function fits(entry: Entry, machine: Machine): boolean {
  return machine.records.some((row) => entry.records.includes(toKey(row))) || hasNumber(entry, machine);
}

function hasNumber(entry: Entry, { number, isShared }: Machine): boolean {
  return number !== undefined && !isShared && entry.number === number;
}

function hasStanding(entry: Entry, { records }: Machine): boolean {
  return records.some((row) => toKey(row) === toKey(entry.standing));
}

/** "The others take the next entry that fits, or are new." */
export function assignEntries(machines: readonly Machine[], ledger: readonly Entry[]): Map<Machine, Entry> {
  const wishes = new Map(machines.map((machine) => [machine, listWishes(machine, ledger)]));
  const holders = new Map<Entry, Machine>();
  const waiting = [...machines];
  for (let machine = waiting.shift(); machine !== undefined; machine = waiting.shift()) {
    const entry = wishes.get(machine)?.shift();
    const holder = entry && holders.get(entry);
    if (entry === undefined) {
      continue;
    }
    if (holder === undefined || comesFirst(entry, machine, holder)) {
      holders.set(entry, machine);
      waiting.push(...(holder === undefined ? [] : [holder]));
    } else {
      waiting.push(machine);
    }
  }
  return new Map([...holders].map(([entry, machine]) => [machine, entry]));
}

/**
 * "Of several entries one that is not gone comes first, then the one whose standing record the machine has, then the one
 * that has the machine's, then the one with the number, then the one listed last."
 */
function listWishes(machine: Machine, ledger: readonly Entry[]): Entry[] {
  const describe = (entry: Entry) => [
    !entry.isGone,
    hasStanding(entry, machine),
    entry.records.includes(toKey(machine.standing)),
    hasNumber(entry, machine),
  ];
  return ledger
    .filter((entry) => fits(entry, machine))
    .sort(
      (one, other) =>
        findFirstDifference(describe(one), describe(other)) ||
        compareText(other.listedOn, one.listedOn) ||
        compareText(one.name, other.name),
    );
}

/**
 * "Of several machines that fit one entry, the one with the record that stood takes it, then the one with the number,
 * then the one heard from last."
 */
function comesFirst(entry: Entry, one: Machine, other: Machine): boolean {
  const describe = (machine: Machine) => [hasStanding(entry, machine), hasNumber(entry, machine)];
  const difference = findFirstDifference(describe(one), describe(other));
  const later = findHeard(one.standing) - findHeard(other.standing) || 0;
  return difference !== 0 ? difference < 0 : later !== 0 ? later > 0 : isNewer(one.standing, other.standing);
}

/** Negative where the first of them that differs holds on the left. */
function findFirstDifference(left: readonly boolean[], right: readonly boolean[]): number {
  const index = left.findIndex((holds, place) => holds !== right[place]);
  return index === -1 ? 0 : left[index] === true ? -1 : 1;
}
