/** One reminder a week of all devices that have lacked the agent for long: what is new first, then the longest missing. */

import { maximumNamedDevices, reminderIntervalDays } from '../facts/alert-event.ts';
import { addDays, countDaysBetween } from '../facts/calendar.ts';
import type { Policy } from '../facts/company.ts';
import type { JudgedDevice } from '../facts/judged.ts';
import { isWhole } from '../facts/vocabulary.ts';
import { isOverdue, listDevicesNeedingAction, toActionCandidate } from '../machine/needs-action.ts';
import { formatCount } from '../text/format-count.ts';
import { pluralize } from '../text/pluralize.ts';
import { type JudgedFacts, type NightAlertInput, type ReportedAlerts, toListedDevice } from './alert-input.ts';
import type { AlertCondition } from './reconcile.ts';

const key = 'overdue';

/** Only whole sources are asked: of the others nobody knows whether their devices still lack the agent. */
export function decideOverdueAlert(
  { facts, sources, canaries }: NightAlertInput,
  reported: ReportedAlerts,
): readonly AlertCondition[] {
  const { slot, policy } = facts;
  const complete = sources.filter(({ source }) => isWhole(source.soundness));
  const devices = complete.flatMap((input) => input.devices).filter(({ machine }) => !canaries.has(machine));
  const overdue = listOverdueDevices(devices, facts);
  if (overdue.length === 0) {
    const text = `No device has been without the agent for ${policy.overdueAfterDays} days or longer.`;
    return complete.length === sources.length ? [{ state: 'resolved', key, details: { text } }] : [];
  }
  const due = overdue.filter(({ judgement }) => judgement.acknowledgement === undefined);
  if (due.length === 0) {
    return [];
  }
  const before = reported.get(key);
  const isNew = ({ judgement }: JudgedDevice) =>
    before === undefined || addDays(judgement.notInstalledSince ?? slot, policy.overdueAfterDays) > before.last;
  const weeks = before === undefined ? 0 : Math.floor(countDaysBetween(before.since, slot) / reminderIntervalDays);
  const { fresh = [], others = [] } = Object.groupBy(due, (device) => (isNew(device) ? 'fresh' : 'others'));
  const first = [...rotateByWeek(fresh, weeks), ...rotateByWeek(others, weeks)].slice(0, maximumNamedDevices);
  const details = {
    text: describeOverdue(due, overdue.length, fresh.length, policy),
    figures: { overdue: overdue.length, new: fresh.length, listed: due.length },
    first: first.map(toListedDevice),
  };
  return [{ state: 'firing', key, kind: 'device.overdue', details }];
}

/** Longest missing first. */
export function listOverdueDevices(
  devices: readonly JudgedDevice[],
  { slot, policy }: Pick<JudgedFacts, 'slot' | 'policy'>,
): JudgedDevice[] {
  return listDevicesNeedingAction(devices, toActionCandidate).filter(({ judgement }) =>
    isOverdue(judgement.notInstalledSince, slot, policy),
  );
}

/** One of each source in turn, in the order of each; the source that begins changes by the week. */
function rotateByWeek(devices: readonly JudgedDevice[], weeks: number): JudgedDevice[] {
  const queues = [...Map.groupBy(devices, ({ source }) => source)]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, queue]) => queue);
  const turns = queues.map((_, index) => queues[(index + weeks) % queues.length] ?? []);
  const longest = Math.max(0, ...turns.map(({ length }) => length));
  return Array.from({ length: longest }, (_, place) => turns.flatMap((queue) => queue[place] ?? [])).flat();
}

export function describeOverdue(due: readonly JudgedDevice[], all: number, fresh: number, policy: Policy): string {
  const counts = [...Map.groupBy(due, ({ source }) => source)].map(
    ([source, { length }]) => `${source} ${formatCount(length)}`,
  );
  const news = fresh === 0 || fresh === due.length ? '' : `, ${formatCount(fresh)} of them new in this list`;
  const resting =
    all === due.length
      ? ''
      : ` ${formatCount(all - due.length)} more ${pluralize(all - due.length, 'is', 'are')} acknowledged.`;
  return `${formatCount(due.length)} ${pluralize(due.length, 'device has', 'devices have')} been without the agent for ${policy.overdueAfterDays} days or longer (${counts.sort().join(', ')})${news}.${resting}`;
}
