/** Matches each machine of a run with its entry of the ledger, and names the machines that have none. */
import { indexBy } from '../../base/index-by.ts';
import type { Entry, RecordReference } from '../facts/ledger.ts';
import type { ExcludedBecause } from '../facts/vocabulary.ts';
import type { Machine } from '../machine/machines.ts';
import { compareAges, readHeardTime } from '../machine/standing-record.ts';
import type { JudgedRecord } from '../record/judge-record.ts';
import { toRecordKey } from '../record/references.ts';
import { compareCodePoints } from '../text/order.ts';

export function listRecords({ standing, others = [] }: Pick<Entry, 'standing' | 'others'>): RecordReference[] {
  return [standing, ...others];
}

/** Whether it adds to the count; an entry that is gone does not. */
export function isCountedEntry(entry: Entry | undefined): entry is Entry {
  return entry?.counted === true && !entry.isGone;
}

/** A machine of a run under its name, beside its entry before the run; without an entry it is new. */
export interface NamedMachine {
  readonly name: string;
  readonly machine: Machine;
  readonly before: Entry | undefined;
  /** Undefined where the machine is counted. */
  readonly excludedBecause: ExcludedBecause | undefined;
}

/** An entry without a machine in this run, with the machine that has one of its records, or its number. */
export interface UnmatchedEntry {
  readonly entry: Entry;
  readonly takenBy: NamedMachine | undefined;
}

interface NamedMachines {
  /** In the order of the machines. */
  readonly machines: readonly NamedMachine[];
  readonly unmatched: readonly UnmatchedEntry[];
}

/** Matches machines with entries; `exempted` are records that a person has exempted. */
export function findEntries(
  machines: readonly Machine[],
  exempted: ReadonlySet<JudgedRecord>,
  ledger: readonly Entry[],
  slot: string,
): NamedMachines {
  const taken = matchEntries(machines, ledger);
  const entries = indexBy(taken.keys(), (entry) => taken.get(entry)?.machine);
  const names = new Set(ledger.map(({ name }) => name));
  const named = machines.map((machine): NamedMachine => {
    const { standing } = machine;
    const before = entries.get(machine);
    const name = before?.name ?? nameMachine(machine, names, slot);
    names.add(name);
    const excludedBecause = standing.exclusion ?? (exempted.has(standing) ? 'exempt' : undefined);
    return { name, machine, before, excludedBecause };
  });
  const unmatched = ledger.filter((entry) => !taken.has(entry));
  const takers = findTakers(unmatched, named);
  return { machines: named, unmatched: unmatched.map((entry) => ({ entry, takenBy: takers.get(entry) })) };
}

/** A machine, and the entries that it has not been tried with yet, best first. */
interface AskingMachine {
  readonly machine: Machine;
  readonly wishes: Entry[];
}

/**
 * Matches entries with machines. Each machine asks for the entries that fit it, best first; an entry goes to the
 * machine that fits it best, and the others ask for their next one. The order of machines and entries does not change
 * the result.
 */
function matchEntries(machines: readonly Machine[], ledger: readonly Entry[]): Map<Entry, AskingMachine> {
  const index = indexEntries(ledger);
  const taken = new Map<Entry, AskingMachine>();
  for (const machine of machines) {
    let asking: AskingMachine | undefined = { machine, wishes: rankEntries(machine, listFitting(machine, index)) };
    while (asking !== undefined) {
      const entry = asking.wishes.shift();
      if (entry === undefined) {
        break;
      }
      const rival = taken.get(entry);
      if (rival === undefined || compareMachines(asking.machine, rival.machine, entry) < 0) {
        taken.set(entry, asking);
        asking = rival;
      }
    }
  }
  return taken;
}

/**
 * Maps each entry to the machine that has its standing record, otherwise one with another of its records, otherwise the
 * first with its number.
 */
function findTakers(entries: readonly Entry[], machines: readonly NamedMachine[]): Map<Entry, NamedMachine> {
  const wanted = new Set(entries.flatMap(listKeys));
  const holders = new Map<string, NamedMachine>();
  for (const one of machines) {
    for (const key of listMachineKeys(one.machine)) {
      if (wanted.has(key) && !holders.has(key)) {
        holders.set(key, one);
      }
    }
  }
  return new Map(
    entries.flatMap((entry) => {
      const key = listKeys(entry).find((one) => holders.has(one));
      const taker = key === undefined ? undefined : holders.get(key);
      return taker === undefined ? [] : [[entry, taker]];
    }),
  );
}

/** Keys of its records, and its number if it has one. */
function listKeys(entry: Entry): string[] {
  const keys = listRecords(entry).map(toRecordKey);
  return entry.number === undefined ? keys : [...keys, entry.number];
}

/** Keys of its records and its number, in the form of `listKeys`; a shared number is left out. */
function listMachineKeys(machine: Machine): string[] {
  const keys = machine.records.map(({ key }) => key);
  const number = readOwnNumber(machine);
  return number === undefined ? keys : [...keys, number];
}

/** Maps each key to the entries that have it. */
function indexEntries(ledger: readonly Entry[]): Map<string, Entry[]> {
  const index = new Map<string, Entry[]>();
  for (const entry of ledger) {
    for (const key of listKeys(entry)) {
      const known = index.get(key);
      if (known === undefined) {
        index.set(key, [entry]);
      } else {
        known.push(entry);
      }
    }
  }
  return index;
}

/** Entries that have a record of the machine, or the number that identifies it. */
function listFitting(machine: Machine, index: ReadonlyMap<string, readonly Entry[]>): Entry[] {
  return [...new Set(listMachineKeys(machine).flatMap((key) => index.get(key) ?? []))];
}

/**
 * Sorts the best first: an entry that is not gone, then one whose standing record the machine has, then one that has
 * the machine's, then one with the number, then the one that was listed last.
 */
function rankEntries(machine: Machine, entries: Entry[]): Entry[] {
  if (entries.length < 2) {
    return entries;
  }
  const own = new Set(machine.records.map(({ key }) => key));
  const standing = machine.standing.key;
  const tests: ((entry: Entry) => boolean)[] = [
    (entry) => entry.isGone !== true,
    (entry) => own.has(toRecordKey(entry.standing)),
    (entry) => listRecords(entry).some((record) => toRecordKey(record) === standing),
    (entry) => hasNumber(machine, entry),
  ];
  return entries.sort(
    (left, right) =>
      compareTests(left, right, tests) ||
      compareCodePoints(right.listedOn, left.listedOn) ||
      compareCodePoints(left.name, right.name),
  );
}

/** The number that identifies the machine; undefined where several machines share it. */
function readOwnNumber({ number, isShared }: Machine): string | undefined {
  return isShared ? undefined : number;
}

function hasNumber(machine: Machine, entry: Entry): boolean {
  const number = readOwnNumber(machine);
  return number !== undefined && number === entry.number;
}

/** Orders the best first: the machine with the entry's standing record, then one with its number, then the last heard from. */
function compareMachines(left: Machine, right: Machine, entry: Entry): number {
  const stood = toRecordKey(entry.standing);
  return (
    compareTests(left, right, [
      ({ records }) => records.some(({ key }) => key === stood),
      (machine) => hasNumber(machine, entry),
    ]) ||
    readHeardTime(right.standing) - readHeardTime(left.standing) ||
    compareAges(right.standing, left.standing)
  );
}

function compareTests<Item>(left: Item, right: Item, tests: readonly ((item: Item) => boolean)[]): number {
  for (const test of tests) {
    const difference = Number(test(right)) - Number(test(left));
    if (difference !== 0) {
      return difference;
    }
  }
  return 0;
}

/** Names a machine without an entry: its number, or else its record, with the slot added where that is taken too. */
function nameMachine(machine: Machine, taken: ReadonlySet<string>, slot: string): string {
  const { standing } = machine;
  const number = readOwnNumber(machine);
  const ofRecord = `${standing.source}/${standing.facts.id}`;
  let name = number === undefined || taken.has(number) ? ofRecord : number;
  while (taken.has(name)) {
    name += `@${slot}`;
  }
  return name;
}
