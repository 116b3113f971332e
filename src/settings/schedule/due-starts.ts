/** Finds the starts of `muster schedule` that came due since it last looked, also while its process slept or was busy. */
import { deriveHealingCron, deriveVerifyCron, type HealedSchedule } from './later-starts.ts';
import { findNextMoment, listSlots, type Schedule, type Slot } from './schedule.ts';

export interface DueStarts {
  /** The newest slot that came due. */
  readonly slot: Slot | undefined;
  /** Earlier slots, which get no run of their own any more. */
  readonly missed: readonly Slot[];
  /** Healing starts, in order. */
  readonly healings: readonly Date[];
  /** The newest weekly verification. */
  readonly verification: Date | undefined;
}

export function findDueStarts(schedule: HealedSchedule, after: Date, now: Date): DueStarts {
  const listDue = (due: Schedule) => listSlots(due, after, now);
  const missed = listDue(schedule);
  const slot = missed.pop();
  const healings = schedule.healAfterHours
    .flatMap((hours) => listDue({ ...schedule, cron: deriveHealingCron(schedule.cron, hours) }))
    .map(({ moment }) => moment)
    .sort((one, other) => one.getTime() - other.getTime());
  return { slot, missed, healings, verification: listDue(deriveVerifySchedule(schedule)).at(-1)?.moment };
}

export function findNextStarts(schedule: HealedSchedule, now: Date) {
  return {
    next: findNextMoment(schedule, now),
    nextVerification: findNextMoment(deriveVerifySchedule(schedule), now),
  };
}

function deriveVerifySchedule({ cron, timezone }: Schedule): Schedule {
  return { cron: deriveVerifyCron(cron), timezone };
}
