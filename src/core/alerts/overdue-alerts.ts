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

/** Counts devices of sources that are not whole, and lists none of them, since their status is unknown. */
export function decideOverdueAlert({ facts, sources, canaries }: AlertInput): RuleVerdict {
  const whole = sources.filter(({ source }) => isWhole(source.soundness));
  const overdue = sortOverdueDevices(
    { devices: whole.flatMap((input) => input.devices), others: listOthers(sources, whole) },
    facts,
    canaries,
  );
  const isAny = overdue.all.length > 0;
  return {
    prefix: key,
    firing: isAny ? [{ key, kind: 'device.overdue', details: describeOverdue(overdue, facts) }] : [],
    isUnknown: () => whole.length < sources.length,
  };
}

function listOthers(sources: AlertInput['sources'], whole: AlertInput['sources']): readonly JudgedDevice[] {
  return sources.flatMap((input) => (whole.includes(input) ? [] : input.devices));
}

export interface OverdueDevices {
  /** Every counted device of whole sources that has been Not Installed for so long. */
  readonly all: readonly JudgedDevice[];
  /** Those without an acknowledgement, longest missing first. */
  readonly due: readonly JudgedDevice[];
  readonly acknowledged: number;
  readonly canaries: number;
  /** Those of the other sources. */
  readonly others: readonly JudgedDevice[];
}

export function sortOverdueDevices(
  { devices, others }: Readonly<Record<'devices' | 'others', readonly JudgedDevice[]>>,
  { slot, policy }: Pick<JudgedFacts, 'slot' | 'policy'>,
  canaries: ReadonlySet<string>,
): OverdueDevices {
  const select = (listed: readonly JudgedDevice[]) =>
    listDevicesNeedingAction(listed, toActionCandidate).filter(({ judgement }) =>
      isOverdue(judgement.notInstalledSince, slot, policy),
    );
  const all = select(devices);
  const unkept = all.filter(({ machine }) => !canaries.has(machine));
  const due = unkept.filter(({ judgement }) => judgement.acknowledgement === undefined);
  const counts = { acknowledged: unkept.length - due.length, canaries: all.length - unkept.length };
  return { all, due, ...counts, others: select(others) };
}

export function describeOverdue(
  { all, due, acknowledged, canaries, others }: OverdueDevices,
  { slot, policy }: Pick<JudgedFacts, 'slot' | 'policy'>,
  named = maximumNamedDevices,
): AlertDetails {
  const days = ({ judgement }: JudgedDevice) => countDaysBetween(judgement.notInstalledSince ?? slot, slot);
  const fresh = due.filter((device) => days(device) < policy.overdueAfterDays + reminderIntervalDays).length;
  const shown = [...all, ...others];
  const where = countBySource(shown, (source, count) => `${source} ${count}`).join(', ');
  const recent = fresh === 0 || fresh === due.length ? '' : `, ${formatCount(fresh)} of them since this week`;
  const taken = describeTaken(acknowledged, canaries);
  const main =
    due.length === 0
      ? `Each device that has been without the agent for ${policy.overdueAfterDays} days or longer is taken care of: ${taken}.`
      : `${formatCount(shown.length)} ${pluralize(shown.length, 'device has', 'devices have')} been without the agent for ${policy.overdueAfterDays} days or longer (${where})${recent}.${taken === '' ? '' : ` Of these, ${taken}.`}`;
  return {
    text: [main, ...describeOthers(others)].join(' '),
    figures: {
      overdue: all.length,
      new: fresh,
      listed: due.length,
      acknowledged,
      canaries,
      ...(others.length > 0 && { notListed: others.length }),
    },
    first: due.slice(0, named).map(toListedDevice),
  };
}

function countBySource(devices: readonly JudgedDevice[], format: (source: string, count: string) => string): string[] {
  const groups = [...Map.groupBy(devices, ({ source }) => source)];
  return groups.map(([source, { length }]) => format(source, formatCount(length))).sort();
}

function describeTaken(acknowledged: number, canaries: number): string {
  const parts = [
    ...(acknowledged === 0
      ? []
      : [`${formatCount(acknowledged)} ${pluralize(acknowledged, 'is', 'are')} acknowledged`]),
    ...(canaries === 0 ? [] : [`${formatCount(canaries)} ${pluralize(canaries, 'is a canary', 'are canaries')}`]),
  ];
  return parts.join(' and ');
}

function describeOthers(others: readonly JudgedDevice[]): string[] {
  const counts = countBySource(others, (source, count) => `${count} of ${source}`);
  const why = pluralize(counts.length, 'this source is', 'these sources are');
  return counts.length === 0
    ? []
    : [`Not listed: ${counts.join(' and ')}, since ${why} not complete and sound in this run.`];
}
