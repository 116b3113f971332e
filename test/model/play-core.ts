/** Random histories as the core judges them: with slots that are run again or accepted, and published runs that are taken back. */
import type { Facts, SourceFacts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import { listNames } from '../../src/core/facts/lists.ts';
import type { AlertState } from '../../src/core/facts/remembered.ts';
import type { State } from '../../src/core/facts/state.ts';
import { listReadingsToKeep, rememberReadings } from '../../src/run/rerun.ts';
import { type JudgedFacts, judgeAfter } from '../judge-after.ts';
import { rulesUnderTest } from '../kinds.ts';
import { generateHistory, type Step } from './generate.ts';
import { makeRandom, type Random } from './random.ts';

export interface PlayedRun {
  readonly facts: Facts;
  readonly night: Night;
  /** The state that the run was compared with. */
  readonly previous: State | undefined;
  /** Alerts that were open before the run. */
  readonly open: readonly AlertState[];
  /** The slot of its commit, or of one before it, was new. */
  readonly isFirstAttempt: boolean;
}

interface Commit {
  readonly judged: JudgedFacts;
  readonly before: JudgedFacts | undefined;
  readonly number: number;
}

/** The log of a store, without a store. */
interface Log {
  head: Commit | undefined;
  readonly commits: Map<number, Commit>;
  /** Readings of attempts that were not published since the head. */
  kept: SourceFacts[];
}

/** Calls `see` with each judged attempt, in order. */
export function playCore(seed: number, see: (run: PlayedRun) => void): void {
  const random = makeRandom(seed + 2_000_003);
  const log: Log = { head: undefined, commits: new Map(), kept: [] };
  const settings = { overdueAfterDays: random.pick([1, 3, 3, 14]), minimumCoverage: random.pick([undefined, 50, 90]) };
  for (const step of generateHistory(seed, random.pick([undefined, 12, 24]))) {
    const attempts = step.attempts.map((facts) => addSettings(random, facts, settings));
    playStep({ ...step, attempts }, log, see);
    if (random.chance(0.12)) {
      const retraction = retractHead(log);
      if (retraction !== undefined) {
        see(retraction);
        playAgain(random, { ...step, attempts }, log, see);
      }
    }
  }
}

/** Sometimes the slot that was taken back is run again, and that too is taken back. */
function playAgain(random: Random, step: Step, log: Log, see: (run: PlayedRun) => void): void {
  if (random.chance(0.5)) {
    playStep(step, log, see);
    const second = random.chance(0.3) ? retractHead(log) : undefined;
    if (second !== undefined) {
      see(second);
    }
  }
}

function addSettings(
  random: Random,
  facts: Facts,
  { overdueAfterDays, minimumCoverage }: { overdueAfterDays: number; minimumCoverage: number | undefined },
): Facts {
  const serials = facts.sources.flatMap(({ devices }) => devices.flatMap(({ serialNumber }) => serialNumber ?? []));
  const acknowledgements = serials
    .filter(() => random.chance(0.1))
    .map((serial) => {
      const until = new Date(Date.parse(facts.moment) + random.pick([-1, 0, 30]) * 86_400_000).toISOString();
      return { serial, by: 'ada', until: until.slice(0, 10), ticket: '', note: '' };
    });
  const policy = { ...facts.policy, overdueAfterDays, ...(minimumCoverage !== undefined && { minimumCoverage }) };
  return { ...facts, policy, acknowledgements };
}

function playStep({ attempts, isPublished, isAccepted }: Step, log: Log, see: (run: PlayedRun) => void): void {
  for (const [index, facts] of attempts.entries()) {
    see(judgeAttempt(facts, isPublished[index] ?? true, log));
  }
  const { night, facts } = log.head?.judged ?? {};
  if (isAccepted && night !== undefined && facts !== undefined && facts.accepted === undefined) {
    const sources = night.sources.flatMap(({ name, soundness }) => (soundness === 'suspect' ? name : []));
    const lists = listNames.filter((name) => night.lists[name]?.soundness === 'shrunk');
    if (sources.length + lists.length > 0) {
      const { runsBefore: _, ...repeated } = facts;
      see(judgeAttempt({ ...repeated, accepted: { by: 'ada', at: facts.moment, sources, lists } }, true, log));
    }
  }
}

function judgeAttempt(attempt: Facts, isPublished: boolean, log: Log): PlayedRun {
  const { head, kept } = log;
  const isSameSlot = head?.judged.facts.slot === attempt.slot;
  const before = isSameSlot ? head.before : head?.judged;
  const { openAlerts = [], noticed = [] } = head?.judged.night.state ?? {};
  const readings =
    head !== undefined && (kept.length > 0 || isSameSlot)
      ? { earlierReadings: rememberReadings(head.judged.night.state.sources, kept, head.judged.facts) }
      : {};
  const repeated = isSameSlot ? { openAlerts, noticed } : {};
  const facts = { ...attempt, ...readings, ...repeated, ...listRunsBefore(head) };
  const judged = judgeAfter(facts, before, rulesUnderTest);
  // Only beside a published run is an attempt not published.
  if (isPublished || head === undefined) {
    publish(judged, before, log);
  } else {
    log.kept = [...kept, ...listReadingsToKeep(judged)];
  }
  return { ...judged, previous: before?.night.state, open: openAlerts, isFirstAttempt: !isSameSlot };
}

function publish(judged: JudgedFacts, before: JudgedFacts | undefined, log: Log): void {
  const commit = { judged, before, number: log.commits.size + 1 };
  log.commits.set(commit.number, commit);
  log.head = commit;
  log.kept = [];
}

/** The runs that the head leaves, with itself. */
function listRunsBefore(head: Commit | undefined): Pick<Facts, 'runsBefore'> {
  if (head === undefined) {
    return {};
  }
  const { slot, runs } = head.judged.night.state;
  const kept = runs.kept.filter((run) => run.slot !== slot);
  return { runsBefore: { ...runs, kept: [...kept, { slot, number: head.number, sha256: '' }] } };
}

/** The run before the head's slot once more, from its own facts, with the head's open alerts. */
function retractHead(log: Log): PlayedRun | undefined {
  const { head, commits } = log;
  const older = head?.judged.night.state.runs.kept.filter(({ slot }) => slot < head.judged.facts.slot) ?? [];
  const [last] = older.toSorted((one, other) => other.number - one.number);
  const before = commits.get(last?.number ?? 0);
  if (head === undefined || before === undefined) {
    return undefined;
  }
  const { noticed: _, ...stored } = before.judged.facts;
  const { openAlerts = [] } = head.judged.night.state;
  const retracts = { slot: head.judged.facts.slot, by: 'ada', why: 'a wrong clock', openedFrom: before.number + 1 };
  const judged = judgeAfter(
    { ...stored, openAlerts, retracts, ...listRunsBefore(head) },
    before.before,
    rulesUnderTest,
  );
  publish(judged, before.before, log);
  return { ...judged, previous: before.before?.night.state, open: openAlerts, isFirstAttempt: false };
}
