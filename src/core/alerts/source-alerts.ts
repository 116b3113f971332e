/** Events about a source as a whole: its soundness, its first run, its instrument, its deployment. */

import { countDaysBetween } from '../calendar.ts';
import { isCanaryCheck } from '../canaries.ts';
import type { Coverage } from '../figures.ts';
import type { Change, JudgedSource, MatchedDevice } from '../judged.ts';
import { listDevicesNeedingAction } from '../needs-action.ts';
import type { SourceState } from '../state.ts';
import { maximumNamedDevices, removedReason } from './alert-event.ts';
import type { AlertLog } from './alert-log.ts';
import { isCanary, toDeviceIdentity, toEventDevice } from './device-alerts.ts';

export interface SourceAlertInput {
  readonly source: JudgedSource;
  readonly coverage: Coverage;
  readonly devices: readonly MatchedDevice[];
  readonly changes: readonly Change[];
  readonly before: SourceState | undefined;
  readonly canarySerialNumbers: ReadonlySet<string>;
  readonly slot: string;
}

/**
 * While a source is not sound, each run says so: in full when it begins and whenever the cause or the numbers change,
 * otherwise in one line.
 */
export function decideSoundnessAlerts(input: SourceAlertInput, alertLog: AlertLog): void {
  const { name, platform, soundness } = input.source;
  const key = `source:${name}`;
  if (soundness === 'complete') {
    alertLog.resolve(key, 'source.sound-again', { source: name, platform });
    if (input.source.first) {
      raiseBaseline(input, alertLog);
    } else {
      const text = 'Later runs are compared with it.';
      alertLog.close(`baseline:${name}`, { source: name, platform, text, isBookkeeping: true });
    }
    return;
  }
  const kind = `source.${soundness}` as const;
  const details = describeBlindness(input);
  const before = alertLog.find(key);
  const about = JSON.stringify([details.text?.slice(0, 300), details.figures]);
  if (before?.kind === kind && before.about === about) {
    const { text: _, first: __, ...others } = details;
    alertLog.remind(key, { ...others, text: formatStillBlind(input, before.since) });
  } else {
    alertLog.raise(key, kind, details, { about, since: before?.since ?? input.slot });
  }
}

function describeBlindness(input: SourceAlertInput) {
  const { name, platform, soundness, problem, receipt } = input.source;
  const { claimed, received } = receipt;
  const affected = soundness === 'suspect' ? listAffectedDevices(input) : undefined;
  return {
    ...{ source: name, platform },
    ...(problem === undefined ? {} : { text: problem.message }),
    figures: {
      received,
      ...(claimed === undefined ? {} : { claimed }),
      ...(affected && { affected: affected.length }),
    },
    ...(affected && { first: affected.slice(0, maximumNamedDevices) }),
  };
}

const blindnessSentences = {
  missing: 'still no complete answer from',
  carried: 'still no complete answer from',
  untrusted: 'still nothing proven of',
  suspect: 'still an implausible answer from',
} as const;

/** As `still no complete answer from macs, 3rd day, HTTP 401`. */
function formatStillBlind({ source, slot }: SourceAlertInput, since: string): string {
  const { name, soundness, problem } = source;
  if (soundness === 'complete') {
    return '';
  }
  const status = /\bHTTP \d{3}\b/.exec(problem?.message ?? '')?.[0] ?? problem?.code;
  const day = formatOrdinal(countDaysBetween(since, slot) + 1);
  return `${blindnessSentences[soundness]} ${name}, ${day} day${status === undefined ? '' : `, ${status}`}`;
}

function formatOrdinal(number: number): string {
  const isTeen = number % 100 >= 11 && number % 100 <= 13;
  return `${number}${(isTeen ? undefined : ['th', 'st', 'nd', 'rd'][number % 10]) ?? 'th'}`;
}

/** Counts and the first names, instead of a message for each. */
function raiseBaseline(input: SourceAlertInput, alertLog: AlertLog): void {
  const { source, coverage, slot } = input;
  const devices = input.devices.filter((device) => !isCanary(device, input));
  const { name, platform } = source;
  const { counted, installed, notInstalled, excluded, stale } = coverage;
  const first = listDevicesNeedingAction(devices, ({ facts }) => facts.id).slice(0, maximumNamedDevices);
  alertLog.raise(
    `baseline:${name}`,
    'baseline',
    {
      ...{ source: name, platform, figures: { counted, installed, notInstalled, excluded, stale } },
      first: first.map((device) => toEventDevice(device, device.reason)),
    },
    { about: slot },
  );
}

/** The devices behind the numbers that tripped the breaker: lost ones first, then those that are gone. */
function listAffectedDevices({ changes }: SourceAlertInput) {
  const kinds = ['lost', 'removed', 'excluded', 'recovered'] as const;
  const chosen = kinds.flatMap((kind) => changes.filter((change) => change.kind === kind));
  return chosen.map(({ device, to, from, reason }) => ({
    ...toDeviceIdentity(device),
    status: to ?? from ?? ('Not Installed' as const),
    reason: to === undefined ? removedReason : reason,
  }));
}

/** The instrument is another than the one the baseline was measured with. */
export function decideMeasurementAlerts({ source, before }: SourceAlertInput, alertLog: AlertLog): void {
  const { name, platform, instrument, soundness } = source;
  const key = `measurement:${name}`;
  const known = before?.baseline?.instrument.fingerprint;
  if (soundness === 'missing' || soundness === 'carried' || instrument.fingerprint === undefined) {
    return;
  }
  if (known === undefined || known === instrument.fingerprint) {
    if (alertLog.find(key)?.about === instrument.fingerprint) {
      alertLog.close(key, { source: name, platform, text: 'It is part of the baseline now.', isBookkeeping: true });
    } else {
      alertLog.close(key, { source: name, platform, text: 'It measures with what it measured with before.' });
    }
    return;
  }
  const text = `Its detection method is not the one of ${before?.baseline?.slot}. See its checks.`;
  // Reported once for each change; the next sound run makes it part of the baseline.
  alertLog.raise(key, 'measurement.changed', { source: name, platform, text }, { about: instrument.fingerprint });
}

/** Checks that do not decide about values. What could not be read neither opens nor resolves an alert. */
export function decideDriftAlerts({ source }: SourceAlertInput, alertLog: AlertLog): void {
  const { name, platform, soundness } = source;
  const listed = new Set(source.findings.map(({ check }) => toDeploymentAlertKey(name, check)));
  if (soundness === 'complete') {
    for (const key of alertLog.keys(toDeploymentAlertKey(name, ''))) {
      if (!listed.has(key)) {
        alertLog.resolve(key, 'deployment.drift', { source: name, platform, text: 'It is no longer found.' });
      }
    }
  }
  for (const { check, result, expected, found, instrument } of source.findings) {
    if (isCanaryCheck({ check })) {
      continue;
    }
    const key = toDeploymentAlertKey(name, check);
    const text = `${check}: expected ${expected}; found ${found}.`;
    if (result === 'fail' && !instrument) {
      alertLog.raise(key, 'deployment.drift', { source: name, platform, text });
    }
    if (result === 'pass') {
      alertLog.resolve(key, 'deployment.drift', { source: name, platform, text: `${check} is as documented again.` });
    }
    if (result === 'not-checked') {
      alertLog.close(key, { source: name, platform, text: `${check} is not checked any more.` });
    }
  }
}

function toDeploymentAlertKey(source: string, check: string): string {
  return `deployment:${source}/${check}`;
}
