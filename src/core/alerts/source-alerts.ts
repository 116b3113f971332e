/** What holds for a source as a whole: its soundness, its first run, its instrument, its deployment, that it is gone. */
import { omitUndefined } from '../../base/omit-undefined.ts';
import { type EventDevice, maximumNamedDevices, removedReason } from '../facts/alert-event.ts';
import { countDaysBetween } from '../facts/calendar.ts';
import type { Finding } from '../facts/facts.ts';
import type { JudgedMachine, JudgedSource } from '../facts/judged.ts';
import { isWhole, type Soundness } from '../facts/vocabulary.ts';
import { listDevicesNeedingAction, toActionCandidate } from '../machine/needs-action.ts';
import { isCanaryCheck } from '../source/canaries.ts';
import { formatFinding } from '../source/instrument.ts';
import { formatCount } from '../text/format-count.ts';
import { pluralize } from '../text/pluralize.ts';
import {
  describeWhere,
  type NightAlertInput,
  type ReportedAlerts,
  type SourceAlertInput,
  toDeviceIdentity,
  toEventDevice,
} from './alert-input.ts';
import type { AlertCondition, AlertDetails } from './reconcile.ts';

/**
 * While a source is not sound, each run says so: in full when it begins and whenever the cause or the numbers change,
 * otherwise in one line.
 */
export function decideSoundnessAlerts(
  input: SourceAlertInput,
  night: NightAlertInput,
  reported: ReportedAlerts,
): readonly AlertCondition[] {
  const { slot } = night.facts;
  const { source } = input;
  const where = describeWhere(source);
  const key = `source:${source.name}`;
  const text = 'Later runs are compared with it.';
  const baseline = `baseline:${source.name}`;
  const firstRun: AlertCondition = source.first
    ? { state: 'firing', key: baseline, kind: 'baseline', about: slot, details: describeFirstRun(input, night) }
    : { state: 'resolved', key: baseline, details: { ...where, text, isBookkeeping: true } };
  if (source.soundness === 'complete') {
    return [{ state: 'resolved', key, kind: 'source.sound-again', details: where }, firstRun];
  }
  const details = describeUnsoundness(input);
  const about = JSON.stringify([details.text?.slice(0, 300), details.figures]);
  const since = reported.get(key)?.since ?? slot;
  const { text: _, first: __, ...brief } = details;
  const repeated = { ...brief, text: formatStillUnsound(source, source.soundness, countDaysBetween(since, slot) + 1) };
  return [
    { state: 'firing', key, kind: `source.${source.soundness}`, about, since, details, repeated },
    ...(source.soundness === 'partial' ? [firstRun] : []),
  ];
}

function describeUnsoundness(input: SourceAlertInput): AlertDetails {
  const { soundness, problem, receipt } = input.source;
  const { claimed, received } = receipt;
  const affected = listAffectedDevices[soundness]?.(input);
  return {
    ...describeWhere(input.source),
    ...omitUndefined({ text: problem?.message }),
    figures: { received, ...omitUndefined({ claimed, affected: affected?.length }) },
    ...omitUndefined({ first: affected?.slice(0, maximumNamedDevices) }),
  };
}

/** The devices that the message names. */
const listAffectedDevices: Readonly<Partial<Record<Soundness, (input: SourceAlertInput) => readonly EventDevice[]>>> = {
  suspect: listImplausibleDevices,
  partial: ({ devices }) =>
    devices.filter(({ judgement }) => judgement.unread !== undefined).map((device) => toEventDevice(device)),
};

/** The devices behind the numbers that tripped the breaker: lost ones first, then those that are gone. */
function listImplausibleDevices({ changes }: SourceAlertInput): EventDevice[] {
  const kinds = ['lost', 'removed', 'excluded', 'recovered'] as const;
  const chosen = kinds.flatMap((kind) => changes.filter((change) => change.kind === kind));
  return chosen.map(({ device, to, from, reason }) => ({
    ...toDeviceIdentity(device),
    status: to ?? from ?? ('Not Installed' as const),
    reason: to === undefined ? removedReason : reason,
  }));
}

type Unsound = Exclude<JudgedSource['soundness'], 'complete'>;

const unsoundnessSentences: Readonly<Record<Unsound, string>> = {
  missing: 'still no complete answer from',
  carried: 'still no complete answer from',
  untrusted: 'still nothing proven of',
  suspect: 'still an implausible answer from',
  partial: 'still devices that could not be read of',
};

/** As `still no complete answer from macs, 3rd day, HTTP 401`. */
function formatStillUnsound({ name, problem }: JudgedSource, soundness: Unsound, day: number): string {
  const status = /\bHTTP \d{3}\b/.exec(problem?.message ?? '')?.[0] ?? problem?.code;
  const cause = status === undefined ? '' : `, ${status}`;
  return `${unsoundnessSentences[soundness]} ${name}, ${formatOrdinal(day)} day${cause}`;
}

function formatOrdinal(number: number): string {
  const isTeen = number % 100 >= 11 && number % 100 <= 13;
  return `${number}${(isTeen ? undefined : ['th', 'st', 'nd', 'rd'][number % 10]) ?? 'th'}`;
}

/** Counts and the first names, instead of a message for each. */
function describeFirstRun(input: SourceAlertInput, { canaries, machines }: NightAlertInput): AlertDetails {
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

/** Machines that had the agent by their entry, and lack it in the source of which this is the first run. */
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

/** The instrument is another than the one the baseline was measured with: reported once for each change. */
export function decideMeasurementAlert(
  { source, input: { baseline } }: SourceAlertInput,
  _: NightAlertInput,
  reported: ReportedAlerts,
): readonly AlertCondition[] {
  const { name, soundness } = source;
  const { fingerprint } = source.instrument;
  const key = `measurement:${name}`;
  if (soundness === 'missing' || soundness === 'carried' || fingerprint === undefined) {
    return [];
  }
  const where = describeWhere(source);
  const known = baseline?.instrument.fingerprint;
  if (known !== undefined && known !== fingerprint) {
    const text = `Its detection method is not the one of ${baseline?.slot}. See its checks.`;
    return [{ state: 'firing', key, kind: 'measurement.changed', about: fingerprint, details: { ...where, text } }];
  }
  // The sound run after the change makes it part of the baseline.
  const details: AlertDetails =
    reported.get(key)?.about === fingerprint
      ? { ...where, text: 'It is part of the baseline now.', isBookkeeping: true }
      : { ...where, text: 'It measures with what it measured with before.' };
  return [{ state: 'resolved', key, details }];
}

/** What a clean-up rule removed is one message, which the next run ends. */
export function decideCleanUpAlert(
  { source, cleanedUp }: SourceAlertInput,
  { facts: { slot } }: NightAlertInput,
): readonly AlertCondition[] {
  const key = toCleanUpKey(source.name);
  const where = describeWhere(source);
  if (!isWhole(source.soundness)) {
    return [];
  }
  if (cleanedUp === 0) {
    return [{ state: 'resolved', key, details: { ...where, text: 'It was reported.', isBookkeeping: true } }];
  }
  const text = `${formatCount(cleanedUp)} ${pluralize(cleanedUp, 'device is', 'devices are')} gone that had not been heard from for long.`;
  const details = { ...where, text, figures: { devices: cleanedUp } };
  return [{ state: 'firing', key, kind: 'count.cleaned-up', about: slot, details }];
}

function toCleanUpKey(source: string): string {
  return `cleaned-up:${source}`;
}

/** Checks that do not decide about values. What could not be read neither opens nor resolves an alert. */
export function decideDriftAlerts({ source }: SourceAlertInput): readonly AlertCondition[] {
  const prefix = toDeploymentPrefix(source.name);
  const details = { ...describeWhere(source), text: 'It is no longer found.' };
  const resolve = () => (isWhole(source.soundness) ? { details } : undefined);
  return [
    { state: 'others', prefix, resolve },
    ...source.findings.map((finding) => decideDriftAlert(finding, prefix + finding.check, describeWhere(source))),
  ];
}

function decideDriftAlert(finding: Finding, key: string, where: AlertDetails): AlertCondition {
  const { check, result, instrument } = finding;
  if (result === 'unknown' || (result === 'fail' && instrument) || isCanaryCheck({ check })) {
    return { state: 'unknown', key };
  }
  if (result === 'fail') {
    return { state: 'firing', key, kind: 'deployment.drift', details: { ...where, text: formatFinding(finding) } };
  }
  const text = result === 'pass' ? `${check} is as documented again.` : `${check} is not checked any more.`;
  return { state: 'resolved', key, details: { ...where, text } };
}

function toDeploymentPrefix(source: string): string {
  return `deployment:${source}/`;
}

/** A source that was removed from the settings is one message, which the next run ends, and none of its alerts stays. */
export function decideRemovedSourceAlerts({ facts, previous, sources }: NightAlertInput): readonly AlertCondition[] {
  const names = new Set(sources.map(({ source }) => source.name));
  const removed = (previous?.sources ?? []).map(({ name }) => name).filter((name) => !names.has(name));
  return [
    {
      state: 'others',
      prefix: leftPrefix,
      resolve: ({ key, about }) =>
        about === facts.slot
          ? undefined
          : { details: { source: key.slice(leftPrefix.length), text: 'It was reported.', isBookkeeping: true } },
    },
    ...removed.flatMap((name) => endRemovedSource(name, facts.slot)),
  ];
}

const leftPrefix = 'left:';

function endRemovedSource(name: string, slot: string): AlertCondition[] {
  const text = `Its source ${name} was removed from the settings.`;
  const details = { source: name, text, isBookkeeping: true } as const;
  const said = { source: name, text: 'It was removed from the settings.' };
  return [
    { state: 'firing', key: `${leftPrefix}${name}`, kind: 'source.left', about: slot, details: said },
    // An error that people were told of ends for them too.
    { state: 'resolved', key: `source:${name}`, details: { source: name, text } },
    { state: 'others', prefix: toDeploymentPrefix(name), resolve: () => ({ details }) },
    { state: 'resolved', key: `measurement:${name}`, details },
    { state: 'resolved', key: `baseline:${name}`, details },
    { state: 'resolved', key: toCleanUpKey(name), details },
  ];
}
