/**
 * Updates the ledger. An entry is written anew only where the source of its standing record is whole and that record
 * was read. Otherwise it stays exactly as it is, so that a missing answer changes no machine.
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

/** The sources of the settings, as the run judged them, keyed by `toSourceKey`. */
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
  // The fate of the standing record is unknown while its source is not whole.
  return before === undefined || run.records.has(toRecordKey(before.standing)) || isAnswered(before.standing, run);
}

function isSourceWhole(record: RecordReference, { soundness }: LedgerRun): boolean {
  const own = soundness.get(toSourceKey(record));
  return own !== undefined && isWhole(own);
}

/** Whether its source is whole, or has left the settings. */
function isAnswered(record: RecordReference, run: LedgerRun): boolean {
  return !run.soundness.has(toSourceKey(record)) || isSourceWhole(record, run);
}

/** Whether an entry without a machine becomes gone: its sources are in the settings and have all answered. */
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

/** Updates the entries; `devices` are the rows of all records of the run. */
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

/** The standing record in the form that entries keep. */
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

/** Whether the machine has moved: another record stands than in the entry, which was not gone. */
export function isOtherRecord(before: Entry | undefined, standing: RecordReference): boolean {
  return before !== undefined && !before.isGone && !isSameRecord(before.standing, standing);
}

/**
 * Whether another record stands whose last contact is earlier than that of the one before, as listed now or as the
 * entry remembers it. Its answer counts as no change.
 */
function isOlderAnswer(before: Entry | undefined, standing: JudgedRecord, { records }: LedgerRun): boolean {
  if (before === undefined || !isOtherRecord(before, toReference(standing))) {
    return false;
  }
  const listed = records.get(toRecordKey(before.standing));
  const stood = listed === undefined || listed.unread === 'blank' ? before.standing.heardAt : listed.facts.lastSeenAt;
  return (parseTime(standing.facts.lastSeenAt) ?? -1) < (parseTime(stood) ?? -1);
}

/** Whether a machine that lacks the agent opens no alert; while it stays Not Installed, the decision stays as well. */
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

/** Drops old entries of gone machines and of sources that left the settings; beyond the limit, those listed longest ago. */
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
