/** What differs between each source's machines and their entries: changes, groups, and who joined and left the count. */
import type { Change, GoneMachine, GroupMember, JudgedDevice, JudgedMachine } from '../facts/judged.ts';
import type { Entry } from '../facts/ledger.ts';
import type { Coverage, ListFigures } from '../facts/state.ts';
import { type ChangeKind, isWhole } from '../facts/vocabulary.ts';
import { listChanges, type MachinePair, pairGoneMachine, pairMachine } from '../ledger/changes.ts';
import type { UnmatchedEntry } from '../ledger/entries.ts';
import { isOlderAnswer, isOtherRecord } from '../ledger/ledger.ts';
import { decideChangeKinds } from '../ledger/letters.ts';
import { toSourceKey } from '../record/references.ts';
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
}

export function compareSources(sources: readonly ListedSource[], ledger: LedgerComparison): ComparedSource[] {
  const kinds = new Map(sources.map(({ source }) => [source.name, source.kind]));
  const standing = Map.groupBy(ledger.machines, ({ device: { source } }) =>
    toSourceKey({ source, kind: kinds.get(source) ?? '' }),
  );
  const stood = listStoodEntries(ledger);
  return sources.map((one) => {
    const { source, key, devices, isCompared, listFigures } = one;
    const pairs = [
      ...(standing.get(key) ?? []).flatMap((machine) => pairStandingMachine(machine, one)),
      ...pairGoneMachines(one, ledger),
    ];
    const changes = listChanges(pairs, (pair) => decideRows(pair, one));
    const before = isCompared ? (stood.get(key) ?? []) : undefined;
    const flow = source.first ? { joined: 0, left: 0 } : countFlow(key, ledger);
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
  { name, device, before, after }: JudgedMachine,
  { source, isCompared }: SourceJudgement,
): MachinePair[] {
  const { unread } = device.judgement;
  const isWritten = after !== before;
  const isShown = isWhole(source.soundness) ? isWritten || unread === 'kept' : isCompared;
  if (!isShown || unread === 'blank') {
    return [];
  }
  const record = { source: device.source, kind: source.kind, id: device.facts.id };
  return [pairMachine(name, device, before, unread === undefined && isOtherRecord(before, record))];
}

/** Entries whose record stood in the source: those that are gone, or, where the source is not to be trusted, seem to be. */
function pairGoneMachines(
  { key, devices, isCompared, source }: ListedSource,
  { unmatched, gone }: LedgerComparison,
): MachinePair[] {
  if (!isCompared) {
    return [];
  }
  const left = new Set(gone.map(({ before }) => before));
  const seemsGone = ({ isGone }: Entry) => !isGone && !isWhole(source.soundness);
  const own = unmatched.filter(
    ({ entry }) => toSourceKey(entry.standing) === key && (left.has(entry) || seemsGone(entry)),
  );
  return own.map(({ entry, takenBy }) => {
    const row = takenBy && devices.find(({ facts }) => facts.id === entry.standing.id);
    return pairGoneMachine(entry, takenBy !== undefined, row);
  });
}

/** A source's first run has no baseline that it could differ from; an older answer is no news of a status. */
function decideRows(pair: MachinePair, { source, isCompared }: SourceJudgement): readonly ChangeKind[] {
  const { device, before, moved } = pair;
  if (device?.judgement.unread !== undefined) {
    return [];
  }
  if (source.first) {
    return moved ? ['moved'] : [];
  }
  const kinds = isCompared ? decideChangeKinds(pair) : [];
  const isNoNews = device !== undefined && !pair.isTaken && isOlderAnswer(before, device.facts.lastSeenAt);
  return isNoNews ? kinds.filter((kind) => kind !== 'lost' && kind !== 'recovered') : kinds;
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

/** Before + joined − left = after, of the ledger's counted entries whose record stands in the source. */
function countFlow(key: string, { before, after }: LedgerComparison): Pick<Coverage, 'joined' | 'left'> {
  const listNames = (ledger: readonly Entry[]) =>
    new Set(ledger.flatMap((entry) => (isCountedIn(entry, key) ? [entry.name] : [])));
  const [was, is] = [listNames(before), listNames(after)];
  const countMissing = (names: ReadonlySet<string>, others: ReadonlySet<string>) =>
    [...names].filter((name) => !others.has(name)).length;
  return { joined: countMissing(is, was), left: countMissing(was, is) };
}

function isCountedIn({ counted, isGone, standing }: Entry, key: string): boolean {
  return counted && !isGone && toSourceKey(standing) === key;
}
