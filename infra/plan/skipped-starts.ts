/** Finds the later start that makes the run when EventBridge Scheduler skips one, because clocks skip its time. */
import { addClockHours, deriveVerifyCron, type HealedSchedule } from '../../src/settings/schedule/later-starts.ts';
import type { Slot } from '../../src/settings/schedule/schedule.ts';
import { describeSkippedTime, listSkippedStarts } from '../../src/settings/schedule/skipped-starts.ts';
import { isSkippedTime, toZonedMoment } from '../../src/settings/schedule/zoned-time.ts';
import { patienceHours } from './schedule.ts';

/** Notes about the next such start for the person who deploys, or the reason why the schedule cannot be kept. */
export function planSkippedStarts(schedule: HealedSchedule, now: Date) {
  const starts = listSkippedStarts(schedule, now);
  const [lost] = starts.filter((start) => findFirstHealing(schedule, start) === undefined);
  if (lost !== undefined) {
    const advice = 'Choose another time (schedule.cron), or a later retry (schedule.healAfterHours).';
    const problem = `${describeLeftOut(schedule, lost)}, and no retry makes the run of that date. ${advice}`;
    return { notes: [], problems: [problem] };
  }
  return {
    notes: [
      ...starts.slice(0, 1).map((start) => describeRun(schedule, start)),
      ...listVerificationNotes(schedule, now),
    ],
    problems: [],
  };
}

function describeRun(schedule: HealedSchedule, start: Slot): string {
  const [date = '', time = ''] = findFirstHealing(schedule, start) ?? [];
  const run = `the retry at ${time.slice(0, 'HH:MM'.length)} on ${date} makes the run`;
  const late = toZonedMoment(schedule.timezone, date, time).getTime() - start.moment.getTime();
  const alarm = late < patienceHours * 3_600_000 ? '' : ' The alarm no-published-run rings before it.';
  return `${describeLeftOut(schedule, start)}: ${run}.${alarm}`;
}

function listVerificationNotes(schedule: HealedSchedule, now: Date): string[] {
  const verification = { ...schedule, cron: deriveVerifyCron(schedule.cron) };
  const advice = 'The alarm verify-missed rings unless somebody starts one in that week ({"verify": true}).';
  return listSkippedStarts(verification, now)
    .slice(0, 1)
    .map((start) => `${describeLeftOut(verification, start)} of the weekly verification. ${advice}`);
}

function describeLeftOut(schedule: HealedSchedule, { slot }: Slot): string {
  return `schedule: ${describeSkippedTime(schedule, slot)}, and EventBridge Scheduler leaves out the start`;
}

/** The date and time, on the zone's clocks, of the first healing start that they do not skip. */
function findFirstHealing(schedule: HealedSchedule, { slot }: Slot) {
  return schedule.healAfterHours
    .map((hours) => addClockHours(schedule, slot, hours))
    .find(([date, time]) => !isSkippedTime(schedule.timezone, date, time));
}
