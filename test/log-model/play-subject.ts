/** Plays a schedule on a subject, as `play.ts` does on the model. */
import { isUnwritable, meetsFault } from './faults.ts';
import { Gate, type WaitingRequest } from './gate.ts';
import { type Position, type Tracker, trackLandmarks } from './landmarks.ts';
import type { GroupOutcome, RunEnd } from './outcome.ts';
import { labelRun } from './play.ts';
import type { Group, RunPlan, Schedule, Unwritable } from './schedule.ts';
import type { LogSubject } from './subject.ts';

interface Actor {
  readonly plan: RunPlan;
  readonly gate: Gate;
  readonly track: Tracker;
  readonly start: () => void;
  pending: WaitingRequest | undefined;
  position: Position | undefined;
  isCutOff: boolean;
  end: RunEnd | undefined;
  failure: unknown;
}

export async function playOnSubject(schedule: Schedule, subject: LogSubject): Promise<GroupOutcome[]> {
  const outcomes: GroupOutcome[] = [];
  for (const [index, group] of schedule.groups.entries()) {
    const actors = group.runs.map((plan, run) => createActor(subject, schedule, plan, labelRun(index, run)));
    const turns = [...group.turns, ...actors.keys().map((run) => ({ run, until: 'end' }))];
    for (const { run, until } of turns) {
      const actor = actors[run];
      if (actor !== undefined) {
        await playUntil(actor, until, subject, group);
      }
    }
    const ends = actors.map(({ end }) => end ?? 'killed');
    outcomes.push({ ...(await subject.describe(schedule)), ends });
  }
  return outcomes;
}

function createActor(subject: LogSubject, { isSigned, hasAudit }: Schedule, plan: RunPlan, label: string): Actor {
  const gate = new Gate();
  const actor: Actor = {
    plan,
    gate,
    track: trackLandmarks(),
    start: () => {
      const store = gate.wrap(subject.store, 'store');
      const audit = hasAudit ? gate.wrap(subject.audit, 'audit') : undefined;
      subject
        .play({ plan, label, isSigned, store, audit })
        .then((exit) => {
          actor.end = exit;
        })
        .catch((error: unknown) => {
          actor.failure = error;
        })
        .finally(() => gate.close());
    },
    pending: undefined,
    position: undefined,
    isCutOff: false,
    end: undefined,
    failure: undefined,
  };
  return actor;
}

async function playUntil(actor: Actor, until: string, subject: LogSubject, { unwritable }: Group): Promise<void> {
  if (actor.end === undefined && actor.pending === undefined) {
    actor.start();
    await awaitNext(actor);
  } else if (actor.end === undefined) {
    await playOne(actor, subject, unwritable);
  }
  while (actor.end === undefined && !actor.position?.begins.some((landmark) => landmark === until)) {
    await playOne(actor, subject, unwritable);
  }
}

async function playOne(actor: Actor, subject: LogSubject, unwritable: readonly Unwritable[]): Promise<void> {
  const { pending, position, plan } = actor;
  if (pending === undefined || position === undefined) {
    return;
  }
  const fault = meetsFault(plan.fault, position) ? plan.fault : undefined;
  const isFailing = actor.isCutOff || isUnwritable(position, unwritable);
  if (fault === undefined && !isFailing) {
    const answer = pending.perform();
    await Promise.allSettled([answer]);
    pending.grant(answer);
    await awaitNext(actor);
    return;
  }
  if (!isFailing && fault?.isDone === true) {
    await Promise.allSettled([pending.perform()]);
  }
  if (fault?.outcome === 'kill') {
    actor.end = 'killed';
    return;
  }
  actor.isCutOff ||= fault?.outcome === 'cut-off';
  pending.refuse(subject.makeFailure(pending.request));
  await awaitNext(actor);
}

async function awaitNext(actor: Actor): Promise<void> {
  actor.pending = await actor.gate.takeNext();
  if (actor.failure !== undefined) {
    throw actor.failure;
  }
  actor.position = actor.pending === undefined ? undefined : actor.track(actor.pending.request);
}
