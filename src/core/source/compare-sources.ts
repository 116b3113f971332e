/** Compares each source's machines with their entries: changes, groups, and the machines that joined and left the count. */
import type { Change, GoneMachine, GroupMember, JudgedDevice, JudgedMachine } from '../facts/judged.ts';
import type { Entry, RecordReference } from '../facts/ledger.ts';
import type { Coverage, ListFigures } from '../facts/state.ts';
import { type ChangeKind, isWhole } from '../facts/vocabulary.ts';
import { listChanges, type MachinePair, pairGoneMachine, pairMachine } from '../ledger/changes.ts';
import { listRecords, type UnmatchedEntry } from '../ledger/entries.ts';
import { countFlow } from '../ledger/flow.ts';
import { isOtherRecord } from '../ledger/ledger.ts';
import { decideChangeKinds, toCountLetter } from '../ledger/letters.ts';
import type { JudgedRecord } from '../record/judge-record.ts';
import { isOfSource, toRecordKey, toSourceKey } from '../record/references.ts';
import { computeCoverage } from './coverage.ts';
import { compareGroups, type StoodEntry } from './groups.ts';
import type { SourceJudgement } from './judge-source.ts';

/** A source with its rows and the figures of lists. */
export interface ListedSource extends SourceJudgement {
  readonly devices: readonly JudgedDevice[];
  readonly listFigures?: ListFigures;
}

export interface ComparedSource extends ListedSource {
  readonly changes: readonly Change[];
  readonly groups: readonly GroupMember[];
  readonly coverage: Coverage;
  /** The source's machines beside their entries, and its entries whose machines are gone. */
  readonly pairs: readonly MachinePair[];
}

/** All machines and entries of the run. */
interface LedgerComparison {
  readonly machines: readonly JudgedMachine[];
  readonly unmatched: readonly UnmatchedEntry[];
  readonly gone: readonly GoneMachine[];
  /** All records that the run shows, by their keys. */
  readonly records: ReadonlyMap<string, JudgedRecord>;
}

export function compareSources(sources: readonly ListedSource[], ledger: LedgerComparison): ComparedSource[] {
  const unanswered = new Set(sources.flatMap(({ input, key }) => (input.reading === 'fresh' ? [] : key)));
  const isUnanswered = (record: RecordReference) => unanswered.has(toSourceKey(record));
  const isAwaited = ({ standing: record }: Entry) => isUnanswered(record) && !ledger.records.has(toRecordKey(record));
  const baselines = new Map(sources.map(({ key, input }) => [key, input.baseline?.slot]));
  return sources.map((one) => {
    const { source, devices, isCompared, listFigures } = one;
    const standing = ledger.machines.filter(({ device }) => device.source === source.name);
    const pairs = [
      ...standing.flatMap((machine) => pairStandingMachine(machine, one, isAwaited)),
      ...pairGoneMachines(one, ledger, isUnanswered),
    ].map((pair) => correctUnread(pair, baselines));
    const changes = listChanges(pairs, (pair) => decideRows(pair, one));
    const before = isCompared ? listStoodEntries(source, ledger) : undefined;
    const flow = countFlow([one], ledger);
    return {
      ...one,
      pairs,
      changes,
      groups: compareGroups({ ...one.input, soundness: source.soundness, devices, before }),
      coverage: { ...computeCoverage(source, devices, changes, flow), ...listFigures },
    };
  });
}

/** Pairs a machine with its entry; nothing while the machine's state is not known, or its entry waits for another source. */
function pairStandingMachine(
  machine: JudgedMachine,
  { source, input }: SourceJudgement,
  isAwaited: (before: Entry) => boolean,
): MachinePair[] {
  const { device, before, after } = machine;
  const { unread } = device.judgement;
  const seemsOther = input.reading === 'fresh' && !(before && isAwaited(before));
  const isShown = isWhole(source.soundness) ? after !== before || unread === 'kept' : seemsOther;
  if (!isShown || unread === 'blank') {
    return [];
  }
  const record = { source: device.source, kind: source.kind, id: device.facts.id };
  return [pairMachine(machine, isOtherRecord(before, record))];
}

/** Marks an entry as not proven where the baseline of its source did not update it: its machine could not be read. */
function correctUnread(pair: MachinePair, baselines: ReadonlyMap<string, string | undefined>): MachinePair {
  const { before, was } = pair;
  const baseline = before && baselines.get(toSourceKey(before.standing));
  const wasUnread = before !== undefined && was !== '-' && baseline !== undefined && before.listedOn < baseline;
  return wasUnread ? { ...pair, was: toCountLetter(before, false) } : pair;
}

/** Entries of the source whose machines are gone or, where the source is not whole, seem to be. */
function pairGoneMachines(
  { isCompared, source }: ListedSource,
  { unmatched, gone }: LedgerComparison,
  isUnanswered: (record: RecordReference) => boolean,
): MachinePair[] {
  if (!isCompared) {
    return [];
  }
  const left = new Set(gone.map(({ before }) => before));
  const seemsGone = (entry: Entry) =>
    !entry.isGone && !isWhole(source.soundness) && !listRecords(entry).some(isUnanswered);
  const own = unmatched.filter(
    ({ entry }) => isOfSource(entry.standing, source) && (left.has(entry) || seemsGone(entry)),
  );
  return own.map(({ entry, takenBy }) => pairGoneMachine(entry, takenBy !== undefined));
}

/** The rows of a pair; a source without a baseline has no changes but moves. */
function decideRows(pair: MachinePair, { isCompared }: SourceJudgement): readonly ChangeKind[] {
  const { device, moved } = pair;
  if (device?.judgement.unread !== undefined) {
    return [];
  }
  return isCompared ? decideChangeKinds(pair) : moved ? ['moved'] : [];
}

/** Entries whose standing record is in the source. */
function listStoodEntries(
  source: ListedSource['source'],
  { machines, unmatched }: Pick<LedgerComparison, 'machines' | 'unmatched'>,
): StoodEntry[] {
  const stoodHere = (entry: Entry | undefined): entry is Entry =>
    entry !== undefined && !entry.isGone && isOfSource(entry.standing, source);
  return [
    ...machines.flatMap(({ before: entry, device }) => {
      const standingId = device.source === source.name ? device.facts.id : undefined;
      return stoodHere(entry) ? [{ entry, standingId }] : [];
    }),
    ...unmatched.flatMap(({ entry }) => (stoodHere(entry) ? [{ entry, standingId: undefined }] : [])),
  ];
}
