/** One reminder a week of all devices that have lacked the agent for long: what is new first, then the longest missing. */

import { addDays, countDaysBetween } from '../calendar.ts';
import type { Policy } from '../facts.ts';
import type { JudgedDevice } from '../judged.ts';
import { isOverdue, listDevicesNeedingAction } from '../needs-action.ts';
import { pluralize } from '../pluralize.ts';
import type { Soundness } from '../vocabulary.ts';
import { type ListedDevice, maximumNamedDevices, reminderIntervalDays, toDeviceAlertKey } from './alert-event.ts';
import type { AlertLog } from './alert-log.ts';
import { toEventDevice } from './device-alerts.ts';

export interface OverdueAlertInput {
  readonly slot: string;
  readonly policy: Policy;
  readonly sourceInputs: readonly {
    readonly source: { readonly name: string; readonly soundness: Soundness };
    readonly devices: readonly JudgedDevice[];
  }[];
}

const overdueKey = 'overdue';

/** Of sources that are complete in this run: of the others nobody knows whether their devices still lack it. */
export function decideOverdueAlert({ slot, policy, sourceInputs }: OverdueAlertInput, alertLog: AlertLog): void {
  const isAllComplete = sourceInputs.every(({ source }) => source.soundness === 'complete');
  const listed = sourceInputs.flatMap(({ source, devices }) => (source.soundness === 'complete' ? devices : []));
  const overdue = listDevicesNeedingAction(listed, ({ facts }) => facts.id).filter(
    (device) => isOverdue(device.notInstalledSince, slot, policy) && wasReported(device, slot, policy, alertLog),
  );
  if (overdue.length === 0) {
    if (isAllComplete) {
      alertLog.resolve(overdueKey, 'device.overdue', {
        text: `No device has been without the agent for ${policy.overdueAfterDays} days or longer.`,
      });
    }
    return;
  }
  const due = overdue.filter(({ acknowledgement }) => acknowledgement === undefined);
  if (due.length === 0) {
    return;
  }
  const before = alertLog.find(overdueKey);
  const isNew = ({ notInstalledSince }: JudgedDevice) =>
    before === undefined || addDays(notInstalledSince ?? slot, policy.overdueAfterDays) > before.last;
  const weeks = before === undefined ? 0 : Math.floor(countDaysBetween(before.since, slot) / reminderIntervalDays);
  const fresh = takeTurns(due.filter(isNew), weeks);
  const others = takeTurns(
    due.filter((device) => !isNew(device)),
    weeks,
  );
  alertLog.raise(overdueKey, 'device.overdue', {
    text: describeOverdue(due, overdue.length, fresh.length, policy),
    figures: { overdue: overdue.length, new: fresh.length, listed: due.length },
    first: [...fresh, ...others].slice(0, maximumNamedDevices).map(toListedDevice),
  });
}

/** A device of which a person has heard, with as long to act as the policy allows, or a week. */
function wasReported(device: JudgedDevice, slot: string, policy: Policy, alertLog: AlertLog): boolean {
  const alert = alertLog.find(toDeviceAlertKey(device.source, device.facts.id));
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

function toListedDevice(device: JudgedDevice): ListedDevice {
  return { ...toEventDevice(device, device.reason), source: device.source };
}

function describeOverdue(due: readonly JudgedDevice[], all: number, fresh: number, policy: Policy): string {
  const counts = [...Map.groupBy(due, ({ source }) => source)].map(([source, { length }]) => `${source} ${length}`);
  const news = fresh === 0 || fresh === due.length ? '' : `, ${fresh} of them new in this list`;
  const resting =
    all === due.length ? '' : ` ${all - due.length} more ${pluralize(all - due.length, 'is', 'are')} acknowledged.`;
  return `${due.length} ${pluralize(due.length, 'device has', 'devices have')} been without the agent for ${policy.overdueAfterDays} days or longer (${counts.sort().join(', ')})${news}.${resting}`;
}
