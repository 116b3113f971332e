/** One reminder a week of all devices that have lacked the agent for long: what is new first, then the longest missing. */
import { isOverdue, listDevicesNeedingAction, toActionCandidate } from '../device/needs-action.ts';
import { maximumNamedDevices, reminderIntervalDays, toDeviceAlertKey } from '../facts/alert-event.ts';
import { addDays, countDaysBetween } from '../facts/calendar.ts';
import type { Facts, Policy } from '../facts/facts.ts';
import type { JudgedDevice } from '../facts/judged.ts';
import { isWhole } from '../facts/vocabulary.ts';
import { formatCount } from '../text/format-count.ts';
import { pluralize } from '../text/pluralize.ts';
import { type NightAlertInput, type ReportedAlerts, toListedDevice } from './alert-input.ts';
import type { AlertCondition } from './reconcile.ts';

const key = 'overdue';

/** Only complete sources are asked: of the others nobody knows whether their devices still lack the agent. */
export function decideOverdueAlert(
  { facts, sources }: NightAlertInput,
  reported: ReportedAlerts,
): readonly AlertCondition[] {
  const { slot, policy } = facts;
  const complete = sources.filter(({ source }) => isWhole(source.soundness));
  const devices = complete.flatMap((input) => input.devices);
  const overdue = listOverdueDevices(devices, facts, reported);
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
  const first = [...takeTurns(fresh, weeks), ...takeTurns(others, weeks)].slice(0, maximumNamedDevices);
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
  night: Pick<Facts, 'slot' | 'policy'>,
  reported: ReportedAlerts,
): JudgedDevice[] {
  return listDevicesNeedingAction(devices, toActionCandidate).filter(
    (device) =>
      isOverdue(device.judgement.notInstalledSince, night.slot, night.policy) && wasReported(device, night, reported),
  );
}

/** A device of which a person has heard, with as long to act as the policy allows, or a week. */
function wasReported(
  device: JudgedDevice,
  { slot, policy }: Pick<Facts, 'slot' | 'policy'>,
  reported: ReportedAlerts,
): boolean {
  const alert = reported.get(toDeviceAlertKey(device.source, device.facts.id));
  const patience = Math.min(reminderIntervalDays, policy.overdueAfterDays);
  return alert !== undefined && countDaysBetween(alert.last, slot) >= patience;
}

/** One of each source in turn, in the order of each; the source that begins changes by the week. */
function takeTurns(devices: readonly JudgedDevice[], weeks: number): JudgedDevice[] {
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
