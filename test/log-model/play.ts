/** Plays a schedule on the model, one request at a time. */
import { isUnwritable, meetsFault } from './faults.ts';
import { findLandmark, type Position, type Tracker, trackLandmarks } from './landmarks.ts';
import { describeMemory, type GroupOutcome, type RunEnd } from './outcome.ts';
import {
  type Answer,
  answerRequest,
  type Memory,
  makeMemory,
  type Request,
  requestFailed,
  type Steps,
} from './requests.ts';
import { type LogRules, writtenRules } from './rules.ts';
import { playRun } from './run.ts';
import type { Group, RunPlan, Schedule, Unwritable } from './schedule.ts';
import { verify } from './verify.ts';

/** The view of an observer, after each group and at each pause in it. */
export interface Moment {
  readonly memory: Memory;
  readonly group: number;
  readonly isEnd: boolean;
  /** Requests so far that may have changed something. */
  readonly changes: number;
  /** Whether a run of the group was paused at its put of `latest.json` or a copy while a rival published. */
  readonly isLate: boolean;
}

type Answering = (request: Request) => Answer;

interface Actor {
  readonly plan: RunPlan;
  readonly steps: Steps<number>;
  readonly track: Tracker;
  pending: Request | undefined;
  position: Position | undefined;
  isCutOff: boolean;
  end: RunEnd | undefined;
  /** Commits that the group had created at this run's last pause. */
  commits: number;
}

export type Observe = (moment: Moment) => void;

/** The outcome of a schedule, group by group; `observe` sees the store at each pause. */
export function playSchedule(
  schedule: Schedule,
  rules: LogRules = writtenRules,
  observe: Observe = () => undefined,
): GroupOutcome[] {
  const memory = makeMemory();
  return schedule.groups.map((group, index): GroupOutcome => {
    const ends = playGroup(memory, { schedule, group, index, rules }, observe);
    return { ...describeMemory(memory, verify(memory, schedule)), ends };
  });
}

export interface GroupPlay {
  readonly schedule: Pick<Schedule, 'isSigned' | 'hasAudit'>;
  readonly group: Group;
  readonly index: number;
  readonly rules: LogRules;
}

export function playGroup(memory: Memory, play: GroupPlay, observe: Observe): RunEnd[] {
  const { group, index } = play;
  const seen = { changes: 0, isLate: false };
  let commits = 0;
  const answer = (request: Request): Answer => {
    const given = answerRequest(memory, request);
    seen.changes += request.kind === 'read' || request.kind === 'list' ? 0 : 1;
    commits += given.isTaken === false && findLandmark(request) === 'commit' ? 1 : 0;
    return given;
  };
  const actors = startActors(play);
  const turns = [...group.turns, ...actors.keys().map((run) => ({ run, until: 'end' }))];
  for (const { run, until } of turns) {
    const actor = actors[run];
    if (actor !== undefined) {
      seen.isLate ||= isOverwriting(actor) && commits > actor.commits;
      playUntil(actor, until, answer, group.unwritable);
      actor.commits = commits;
      observe({ memory, group: index, isEnd: false, ...seen });
    }
  }
  observe({ memory, group: index, isEnd: true, ...seen });
  return actors.map(({ end }) => end ?? 'killed');
}

function isOverwriting({ end, position }: Actor): boolean {
  return end === undefined && (position?.landmark === 'latest' || position?.landmark === 'copies');
}

export function labelRun(group: number, run: number): string {
  return `g${group}r${run}`;
}

function startActors({ schedule: { isSigned, hasAudit }, group, index, rules }: GroupPlay): Actor[] {
  return group.runs.map(
    (plan, run): Actor => ({
      plan,
      steps: playRun({ plan, label: labelRun(index, run), isSigned, hasAudit, rules, attempts: { made: 0 } }),
      track: trackLandmarks(),
      pending: undefined,
      position: undefined,
      isCutOff: false,
      end: undefined,
      commits: 0,
    }),
  );
}

function playUntil(actor: Actor, until: string, answer: Answering, unwritable: readonly Unwritable[]): void {
  if (actor.end === undefined && actor.pending === undefined) {
    resume(actor, () => actor.steps.next({}));
  } else if (actor.end === undefined) {
    playOne(actor, answer, unwritable);
  }
  while (actor.end === undefined && !actor.position?.begins.some((landmark) => landmark === until)) {
    playOne(actor, answer, unwritable);
  }
}

function playOne(actor: Actor, answer: Answering, unwritable: readonly Unwritable[]): void {
  const { pending, position, plan } = actor;
  if (pending === undefined || position === undefined) {
    return;
  }
  const fault = meetsFault(plan.fault, position) ? plan.fault : undefined;
  const isFailing = actor.isCutOff || isUnwritable(position, unwritable);
  const given = isFailing || fault?.isDone === false ? {} : answer(pending);
  if (fault?.outcome === 'kill') {
    actor.end = 'killed';
  } else if (fault !== undefined || isFailing) {
    actor.isCutOff ||= fault?.outcome === 'cut-off';
    resume(actor, () => actor.steps.throw(requestFailed));
  } else {
    resume(actor, () => actor.steps.next(given));
  }
}

function resume(actor: Actor, proceed: () => IteratorResult<Request, number>): void {
  const result = proceed();
  if (result.done === true) {
    actor.end = result.value;
    return;
  }
  actor.pending = result.value;
  actor.position = actor.track(result.value);
}
