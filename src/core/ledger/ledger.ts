/**
 * The ledger moves on: an entry is written anew where the source of the record that stands is whole and that record was
 * read. On any other run it stays as it is, to the letter, so that nothing that failed to answer changes a machine.
 */
import { indexBy } from '../../base/index-by.ts';
import { createInterner } from '../facts/device-fields.ts';
import { pickPlaces } from '../facts/device-places.ts';
import type { GoneMachine, JudgedDevice, JudgedMachine } from '../facts/judged.ts';
import {
  type CountLetter,
  type Entry,
  type HistoryStep,
  keptGoneDays,
  keptHistorySteps,
  mostGoneEntries,
  type RecordReference,
  type StandingRecord,
} from '../facts/ledger.ts';
import { isWhole, type Soundness } from '../facts/vocabulary.ts';
import type { Machine } from '../machine/machines.ts';
import { fitsExclusion, type JudgedRecord } from '../record/judge-record.ts';
import { isAnswerProven } from '../record/proof.ts';
import { isSameRecord, toRecordKey, toReference, toSourceKey } from '../record/references.ts';
import { compareCodePoints } from '../text/order.ts';
import { addDays, parseTime } from '../time/calendar.ts';
import { isCountedEntry, listRecords, type NamedMachine, type UnmatchedEntry } from './entries.ts';
import { toCountLetter } from './letters.ts';

/** The sources of the settings, as the run judged them; the keys are those of `toSourceKey`. */
export interface LedgerRun {
  readonly slot: string;
  readonly soundness: ReadonlyMap<string, Soundness>;
  /** Sources that are whole for the first time. */
  readonly first: ReadonlySet<string>;
  /** All records that the run shows, by their keys. */
  readonly records: ReadonlyMap<string, JudgedRecord>;
}

/** Whether the entry of a machine is written anew; `before` is missing where the machine is new. */
function movesOn({ standing }: Pick<Machine, 'standing'>, before: Entry | undefined, run: LedgerRun): boolean {
  if (standing.unread !== undefined || !isSourceWhole(toReference(standing), run)) {
    return false;
  }
  // Nobody can tell what became of the record that stood while its source is not whole.
  return before === undefined || run.records.has(toRecordKey(before.standing)) || isAnswered(before.standing, run);
}

function isSourceWhole(record: RecordReference, { soundness }: LedgerRun): boolean {
  const own = soundness.get(toSourceKey(record));
  return own !== undefined && isWhole(own);
}

/** Its source is whole, or in the settings no more. */
function isAnswered(record: RecordReference, run: LedgerRun): boolean {
  return !run.soundness.has(toSourceKey(record)) || isSourceWhole(record, run);
}

/** An entry that no machine has is gone when all its sources have answered; one whose source left the settings waits. */
function becomesGone(entry: Entry, run: LedgerRun): boolean {
  return (
    entry.isGone !== true &&
    run.soundness.has(toSourceKey(entry.standing)) &&
    listRecords(entry).every((record) => isAnswered(record, run))
  );
}

export interface MovedLedger {
  /** In the order of the machines. */
  readonly machines: readonly JudgedMachine[];
  readonly gone: readonly GoneMachine[];
  /** Ordered by name. */
  readonly ledger: readonly Entry[];
}

/** `devices` are the rows of all records of the run. */
export function moveLedgerOn(
  machines: readonly NamedMachine[],
  unmatched: readonly UnmatchedEntry[],
  devices: readonly JudgedDevice[],
  run: LedgerRun,
): MovedLedger {
  const standing = devices.filter(({ judgement }) => judgement.supersededBy === undefined);
  const byName = indexBy(standing, ({ machine }) => machine);
  const intern = createInterner<readonly HistoryStep[]>();
  const judged = machines.flatMap(({ name, machine, before }): JudgedMachine[] => {
    const device = byName.get(name);
    if (device === undefined) {
      return [];
    }
    const judgedMachine = { name, device, before, isOlderAnswer: isOlderAnswer(before, machine.standing, run) };
    const after = movesOn(machine, before, run) ? writeEntry(judgedMachine, machine, run, intern) : before;
    return [{ ...judgedMachine, after }];
  });
  const gone = unmatched.filter(({ entry }) => becomesGone(entry, run));
  const left = new Set(gone.map(({ entry }) => entry));
  const others = unmatched.map(({ entry }) => (left.has(entry) ? leaveEntry(entry, run.slot) : entry));
  const ledger = forgetEntries([...judged.flatMap(({ after }) => after ?? []), ...others], run);
  return {
    machines: judged,
    gone: gone.map(({ entry, takenBy }) => ({ before: entry, takenBy: takenBy?.name })),
    ledger: ledger.sort((one, other) => compareCodePoints(one.name, other.name)),
  };
}

function writeEntry(
  judged: Omit<JudgedMachine, 'after'>,
  machine: Machine,
  run: LedgerRun,
  intern: (history: readonly HistoryStep[]) => readonly HistoryStep[],
): Entry {
  const { name, device, before } = judged;
  const { counted, status } = device.judgement;
  const proven = isAnswerProven(device.judgement);
  const standing = toStandingRecord(device);
  const others = machine.records.filter((record) => record !== machine.standing).map(toReference);
  const history = extendHistory(before, toCountLetter(device.judgement, proven), run.slot);
  return {
    name,
    number: machine.number,
    standing,
    others: others.length > 0 ? others : undefined,
    counted,
    status,
    proven: proven || undefined,
    notInstalledSince: device.judgement.notInstalledSince,
    opensNoAlert: opensNoAlert(judged, machine.standing, run) || undefined,
    history: history === before?.history ? history : intern(history),
    listedOn: run.slot,
    isGone: undefined,
  };
}

/** The row of the record that stands, as entries remember it. */
export function toStandingRecord(device: JudgedDevice): StandingRecord {
  const { source, facts, judgement } = device;
  const { id, operatingSystem, name, serialNumber, lastSeenAt: heardAt } = facts;
  const { rules, reason, excludedBecause, stale } = judgement;
  return {
    source,
    kind: rules.kind,
    id,
    operatingSystem,
    name,
    serialNumber,
    ...pickPlaces(facts),
    reason,
    excludedBecause,
    heardAt,
    stale: stale || undefined,
    isPersonal: fitsExclusion('personal', { facts, rules }) || undefined,
  };
}

/** Another record stands than in the entry, which was not gone: the machine has moved. */
export function isOtherRecord(before: Entry | undefined, standing: RecordReference): boolean {
  return before !== undefined && !before.isGone && !isSameRecord(before.standing, standing);
}

/**
 * Another record stands, and was last heard from before the one that stood: as that is listed now, or was when the entry
 * moved on last. Its answer is no news.
 */
function isOlderAnswer(before: Entry | undefined, standing: JudgedRecord, { records }: LedgerRun): boolean {
  if (before === undefined || !isOtherRecord(before, toReference(standing))) {
    return false;
  }
  const listed = records.get(toRecordKey(before.standing));
  const stood = listed === undefined || listed.unread === 'blank' ? before.standing.heardAt : listed.facts.lastSeenAt;
  return (parseTime(standing.facts.lastSeenAt) ?? -1) < (parseTime(stood) ?? -1);
}

/** Whether no alert opens for it; for a machine that stays Not Installed, as it was when it became so. */
function opensNoAlert(
  { device, before }: Omit<JudgedMachine, 'after'>,
  standing: JudgedRecord,
  { first }: LedgerRun,
): boolean {
  const { counted, status } = device.judgement;
  if (!counted || status === 'Installed') {
    return false;
  }
  return isCountedEntry(before) && before.status === 'Not Installed'
    ? before.opensNoAlert === true
    : first.has(toSourceKey(toReference(standing)));
}

function extendHistory(before: Entry | undefined, letter: CountLetter, slot: string): readonly HistoryStep[] {
  const { history = [] } = before ?? {};
  return history.at(-1)?.[1] === letter ? history : [...history, [slot, letter] as const].slice(-keptHistorySteps);
}

function leaveEntry(entry: Entry, slot: string): Entry {
  const { opensNoAlert: _, ...left } = entry;
  return { ...left, history: extendHistory(entry, '-', slot), isGone: true };
}

/** Entries of gone machines, and of sources that left the settings, are kept for a while, those that were listed last. */
function forgetEntries(entries: readonly Entry[], { slot, soundness }: LedgerRun): Entry[] {
  const horizon = addDays(slot, -keptGoneDays);
  const isLeft = ({ isGone, standing }: Entry) => isGone === true || !soundness.has(toSourceKey(standing));
  const kept = entries.filter((entry) => entry.listedOn >= horizon || !isLeft(entry));
  if (kept.length <= mostGoneEntries) {
    return kept;
  }
  const left = kept.filter(isLeft);
  left.sort((one, other) => compareCodePoints(other.listedOn, one.listedOn) || compareCodePoints(one.name, other.name));
  const forgotten = new Set(left.slice(mostGoneEntries));
  return kept.filter((entry) => !forgotten.has(entry));
}
