/** One reminder a week of all devices that have lacked the agent for long, longest missing first. */

import { type AlertDetails, maximumNamedDevices, reminderIntervalDays } from '../facts/alert-event.ts';
import type { JudgedDevice } from '../facts/judged.ts';
import { isWhole } from '../facts/vocabulary.ts';
import { isOverdue, listDevicesNeedingAction, toActionCandidate } from '../machine/needs-action.ts';
import { formatCount } from '../text/format-count.ts';
import { pluralize } from '../text/pluralize.ts';
import { countDaysBetween } from '../time/calendar.ts';
import { type AlertInput, type JudgedFacts, toListedDevice } from './alert-input.ts';
import type { RuleVerdict } from './alert-rule.ts';

const key = 'overdue';

/** Leaves out devices of sources that are not whole, since their status is unknown. */
export function decideOverdueAlert({ facts, sources, canaries }: AlertInput): RuleVerdict {
  const whole = sources.filter(({ source }) => isWhole(source.soundness));
  const devices = whole.flatMap((input) => input.devices);
  const overdue = sortOverdueDevices(devices, facts, canaries);
  const isAny = overdue.all.length > 0;
  return {
    prefix: key,
    firing: isAny ? [{ key, kind: 'device.overdue', details: describeOverdue(overdue, facts) }] : [],
    isUnknown: () => whole.length < sources.length,
  };
}

export interface OverdueDevices {
  /** Every counted device that has been Not Installed for so long. */
  readonly all: readonly JudgedDevice[];
  /** Those without an acknowledgement, longest missing first. */
  readonly due: readonly JudgedDevice[];
  readonly acknowledged: number;
  readonly canaries: number;
}

export function sortOverdueDevices(
  devices: readonly JudgedDevice[],
  { slot, policy }: Pick<JudgedFacts, 'slot' | 'policy'>,
  canaries: ReadonlySet<string>,
): OverdueDevices {
  const all = listDevicesNeedingAction(devices, toActionCandidate).filter(({ judgement }) =>
    isOverdue(judgement.notInstalledSince, slot, policy),
  );
  const others = all.filter(({ machine }) => !canaries.has(machine));
  const due = others.filter(({ judgement }) => judgement.acknowledgement === undefined);
  return { all, due, acknowledged: others.length - due.length, canaries: all.length - others.length };
}

export function describeOverdue(
  { all, due, acknowledged, canaries }: OverdueDevices,
  { slot, policy }: Pick<JudgedFacts, 'slot' | 'policy'>,
  named = maximumNamedDevices,
): AlertDetails {
  const days = ({ judgement }: JudgedDevice) => countDaysBetween(judgement.notInstalledSince ?? slot, slot);
  const fresh = due.filter((device) => days(device) < policy.overdueAfterDays + reminderIntervalDays).length;
  const counts = [...Map.groupBy(due, ({ source }) => source)].map(
    ([source, { length }]) => `${source} ${formatCount(length)}`,
  );
  const where = counts.length === 0 ? '' : ` (${counts.sort().join(', ')})`;
  const recent = fresh === 0 || fresh === due.length ? '' : `, ${formatCount(fresh)} of them since this week`;
  const others = describeOthers(acknowledged, canaries);
  return {
    text:
      due.length === 0
        ? `Each device that has been without the agent for ${policy.overdueAfterDays} days or longer is taken care of: ${others}.`
        : `${formatCount(due.length)} ${pluralize(due.length, 'device has', 'devices have')} been without the agent for ${policy.overdueAfterDays} days or longer${where}${recent}.${others === '' ? '' : ` Besides these, ${others}.`}`,
    figures: { overdue: all.length, new: fresh, listed: due.length, acknowledged, canaries },
    first: due.slice(0, named).map(toListedDevice),
  };
}

function describeOthers(acknowledged: number, canaries: number): string {
  const parts = [
    ...(acknowledged === 0
      ? []
      : [`${formatCount(acknowledged)} ${pluralize(acknowledged, 'is', 'are')} acknowledged`]),
    ...(canaries === 0 ? [] : [`${formatCount(canaries)} ${pluralize(canaries, 'is a canary', 'are canaries')}`]),
  ];
  return parts.join(' and ');
}
