/** What differs between each source's machines and their entries: changes, groups, and who joined and left the count. */
import type { Change, GoneMachine, GroupMember, JudgedDevice, JudgedMachine } from '../facts/judged.ts';
import type { Entry, RecordReference } from '../facts/ledger.ts';
import type { Coverage, ListFigures } from '../facts/state.ts';
import { type ChangeKind, isWhole } from '../facts/vocabulary.ts';
import { listChanges, type MachinePair, pairGoneMachine, pairMachine } from '../ledger/changes.ts';
import { listRecords, type UnmatchedEntry } from '../ledger/entries.ts';
import { countFlow } from '../ledger/flow.ts';
import { isOtherRecord } from '../ledger/ledger.ts';
import { decideChangeKinds } from '../ledger/letters.ts';
import type { JudgedRecord } from '../record/judge-record.ts';
import { toRecordKey, toSourceKey } from '../record/references.ts';
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
  /** Machines that stand in the source beside their entries, and entries whose machines are gone from it. */
  readonly pairs: readonly MachinePair[];
}

/** All machines and entries of the run; `before` and `after` are the ledger. */
interface LedgerComparison {
  readonly machines: readonly JudgedMachine[];
  readonly unmatched: readonly UnmatchedEntry[];
  readonly gone: readonly GoneMachine[];
  readonly before: readonly Entry[];
  readonly after: readonly Entry[];
  /** All records that the run shows, by their keys. */
  readonly records: ReadonlyMap<string, JudgedRecord>;
}

export function compareSources(sources: readonly ListedSource[], ledger: LedgerComparison): ComparedSource[] {
  const kinds = new Map(sources.map(({ source }) => [source.name, source.kind]));
  const standing = Map.groupBy(ledger.machines, ({ device: { source } }) =>
    toSourceKey({ source, kind: kinds.get(source) ?? '' }),
  );
  const stood = listStoodEntries(ledger);
  const unanswered = new Set(sources.flatMap(({ input, key }) => (input.reading === 'fresh' ? [] : key)));
  const isUnanswered = (record: RecordReference) => unanswered.has(toSourceKey(record));
  const isAwaited = ({ standing: record }: Entry) => isUnanswered(record) && !ledger.records.has(toRecordKey(record));
  return sources.map((one) => {
    const { source, key, devices, isCompared, listFigures } = one;
    const pairs = [
      ...(standing.get(key) ?? []).flatMap((machine) => pairStandingMachine(machine, one, isAwaited)),
      ...pairGoneMachines(one, ledger, isUnanswered),
    ];
    const changes = listChanges(pairs, (pair) => decideRows(pair, one));
    const before = isCompared ? (stood.get(key) ?? []) : undefined;
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

/** None where nobody knows what the machine is, and where its entry waits for the source of the record that stood. */
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

/** Entries whose record stood in the source: those that are gone, or, where the source is not to be trusted, seem to be. */
function pairGoneMachines(
  { key, isCompared, source }: ListedSource,
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
    ({ entry }) => toSourceKey(entry.standing) === key && (left.has(entry) || seemsGone(entry)),
  );
  return own.map(({ entry, takenBy }) => pairGoneMachine(entry, takenBy !== undefined));
}

/** Before a source has a baseline, nothing can differ from it. */
function decideRows(pair: MachinePair, { isCompared }: SourceJudgement): readonly ChangeKind[] {
  const { device, moved } = pair;
  if (device?.judgement.unread !== undefined) {
    return [];
  }
  return isCompared ? decideChangeKinds(pair) : moved ? ['moved'] : [];
}

/** Entries by the source in which their record stood. */
function listStoodEntries({ machines, unmatched }: LedgerComparison): Map<string, StoodEntry[]> {
  const known = machines.flatMap(({ before, device }) => (before ? [{ entry: before, device }] : []));
  const all = [...known, ...unmatched.map(({ entry }) => ({ entry, device: undefined }))];
  const stood = all
    .filter(({ entry }) => !entry.isGone)
    .map(({ entry, device }): StoodEntry => {
      const standingId = device?.source === entry.standing.source ? device.facts.id : undefined;
      return { entry, standingId };
    });
  return Map.groupBy(stood, ({ entry }) => toSourceKey(entry.standing));
}
