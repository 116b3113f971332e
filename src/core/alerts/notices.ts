/** News of a run that is sent once: first runs, clean-ups, sources that were taken out, measurements that changed. */
import { type AlertDetails, maximumNamedDevices } from '../facts/alert-event.ts';
import type { JudgedDevice, JudgedMachine, JudgedSource } from '../facts/judged.ts';
import { listNames } from '../facts/lists.ts';
import { isWhole } from '../facts/vocabulary.ts';
import { listDevicesNeedingAction, toActionCandidate } from '../machine/needs-action.ts';
import { formatCount } from '../text/format-count.ts';
import { pluralize } from '../text/pluralize.ts';
import { type AlertInput, describeWhere, type SourceAlertInput, toEventDevice, toListedDevice } from './alert-input.ts';
import type { Notice } from './alert-rule.ts';
import { isFirstListRun, readListStanding } from './list-alerts.ts';

export function listNotices(input: AlertInput): readonly Notice[] {
  return [
    ...input.sources.flatMap((source) => [
      ...noticeFirstRun(source, input),
      ...noticeMeasurement(source, input),
      ...noticeCleanUp(source),
    ]),
    ...noticeRemovedSources(input),
    ...noticeListBaselines(input),
  ];
}

function noticeFirstRun(input: SourceAlertInput, run: AlertInput): Notice[] {
  const { name, first } = input.source;
  return first ? [{ key: `baseline:${name}`, kind: 'baseline', details: describeFirstRun(input, run) }] : [];
}

/** Counts, and the first devices that need action, in one notice instead of a message for each. */
function describeFirstRun(input: SourceAlertInput, { canaries, machines }: AlertInput): AlertDetails {
  const { counted, installed, notInstalled, excluded, stale } = input.coverage;
  const devices = input.devices.filter(({ machine }) => !canaries.has(machine));
  const first = listDevicesNeedingAction(devices, toActionCandidate).slice(0, maximumNamedDevices);
  const arrivals = listArrivals(input.source, machines);
  return {
    ...describeWhere(input.source),
    ...(arrivals.length > 0 && { text: describeArrivals(arrivals) }),
    figures: {
      counted,
      installed,
      notInstalled,
      excluded,
      stale,
      ...(arrivals.length > 0 && { hadAgent: arrivals.length }),
    },
    first: first.map((device) => toEventDevice(device)),
  };
}

const mostNamedArrivals = 5;

/** Machines that had the agent by their entry, and lack it in this source, whose first run this is. */
function listArrivals({ name }: JudgedSource, machines: readonly JudgedMachine[]): JudgedMachine[] {
  return machines.filter(
    ({ device, before, after }) =>
      device.source === name && before?.status === 'Installed' && after?.status === 'Not Installed',
  );
}

function describeArrivals(arrivals: readonly JudgedMachine[]): string {
  const { length } = arrivals;
  const names = arrivals.slice(0, mostNamedArrivals).map(({ device: { facts } }) => facts.name ?? facts.id);
  const more = length > mostNamedArrivals ? ', …' : '';
  return `${formatCount(length)} ${pluralize(length, 'machine')} that had the agent before ${pluralize(length, 'lacks', 'lack')} it here: ${names.join(', ')}${more}.`;
}

/** Reports an instrument that differs from the baseline's, in the slot in which it was first read. */
function noticeMeasurement({ source, input }: SourceAlertInput, { facts }: AlertInput): Notice[] {
  const { baseline, instrumentMemory } = input;
  const known = baseline?.instrument.fingerprint;
  const { last } = instrumentMemory;
  if (known === undefined || last === undefined || last.fingerprint === known || last.since !== facts.slot) {
    return [];
  }
  const text = `Its detection method is not the one of ${baseline?.slot}. See its checks.`;
  const details = { ...describeWhere(source), text };
  return [{ key: `measurement:${source.name}`, kind: 'measurement.changed', details }];
}

/** Reports devices that a clean-up rule of the platform removed. */
function noticeCleanUp({ source, cleanedUp }: SourceAlertInput): Notice[] {
  if (!isWhole(source.soundness) || cleanedUp === 0) {
    return [];
  }
  const text = `${formatCount(cleanedUp)} ${pluralize(cleanedUp, 'device is', 'devices are')} gone that had not been heard from for long.`;
  const details = { ...describeWhere(source), text, figures: { devices: cleanedUp } };
  return [{ key: `cleaned-up:${source.name}`, kind: 'count.cleaned-up', details }];
}

function noticeRemovedSources({ previous, sources }: AlertInput): Notice[] {
  const names = new Set(sources.map(({ source }) => source.name));
  const removed = (previous?.sources ?? []).map(({ name }) => name).filter((name) => !names.has(name));
  return removed.map((name) => {
    const details = { source: name, text: 'It was removed from the settings.' };
    return { key: `left:${name}`, kind: 'source.left', details };
  });
}

function noticeListBaselines(input: AlertInput): Notice[] {
  const describe = { expected: describeUnenrolled, reporting: describeSilent };
  return listNames
    .filter((name) => readListStanding(name, input) === 'judged' && isFirstListRun(name, input))
    .map((name) => ({ key: `list-baseline:${name}`, kind: 'list.baseline', details: describe[name](input) }));
}

function describeUnenrolled({ lists, total }: AlertInput): AlertDetails {
  const { expected: all = 0, unenrolled = [] } = lists.expected ?? {};
  const serials = unenrolled.map(({ serialNumber }) => serialNumber);
  const [count, others] = [serials.length, total.notExpected ?? 0];
  const more = count > maximumNamedDevices ? ', …' : '';
  const names = count === 0 ? '' : ` (${serials.slice(0, maximumNamedDevices).join(', ')}${more})`;
  const text = `${formatCount(count)} of ${formatCount(all)} machines on the list ${pluralize(count, 'is', 'are')} enrolled nowhere${names}; ${formatCount(others)} counted ${pluralize(others, 'device is', 'devices are')} not on it.`;
  return { text, figures: { machines: count } };
}

function describeSilent({ sources, canaries, total, facts }: AlertInput): AlertDetails {
  const isShown = ({ machine, judgement, lists }: JudgedDevice) =>
    judgement.counted && judgement.status === 'Installed' && lists?.silent === true && !canaries.has(machine);
  const whole = sources.filter(({ source }) => isWhole(source.soundness));
  const silent = whole.flatMap(({ devices }) => devices.filter(isShown));
  const count = total.silent ?? 0;
  const text = `${formatCount(count)} Installed ${pluralize(count, 'device is', 'devices are')} not checking in: not seen by ${pluralize(count, 'its', 'their')} console for ${facts.policy.reportingWithinDays} days.`;
  const first = silent.slice(0, maximumNamedDevices).map(toListedDevice);
  return { text, figures: { listed: silent.length }, ...(first.length > 0 && { first }) };
}
