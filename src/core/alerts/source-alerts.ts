/** Events about a source as a whole: its soundness, its first run, its instrument, its deployment. */

import { isCanaryCheck } from '../canaries.ts';
import type { Coverage } from '../figures.ts';
import type { Change, JudgedDevice, JudgedSource } from '../judged.ts';
import { listDevicesNeedingAction } from '../needs-action.ts';
import type { SourceState } from '../state.ts';
import { maximumNamedDevices, removedReason } from './alert-event.ts';
import type { AlertLog } from './alert-log.ts';
import { isCanary, toDeviceIdentity, toEventDevice } from './device-alerts.ts';

export interface SourceAlertInput {
  readonly source: JudgedSource;
  readonly coverage: Coverage;
  readonly devices: readonly JudgedDevice[];
  readonly changes: readonly Change[];
  readonly before: SourceState | undefined;
  readonly canarySerialNumbers: ReadonlySet<string>;
  readonly slot: string;
}

export function decideSoundnessAlerts(input: SourceAlertInput, alertLog: AlertLog): void {
  const { name, platform, soundness, problem, receipt } = input.source;
  const key = `source:${name}`;
  const { claimed, received } = receipt;
  if (soundness === 'complete') {
    alertLog.resolve(key, 'source.sound-again', { source: name, platform });
    if (input.source.first) {
      raiseBaseline(input, alertLog);
    } else {
      alertLog.forget(`baseline:${name}`);
    }
    return;
  }
  const affected = soundness === 'suspect' ? listAffectedDevices(input) : undefined;
  alertLog.raise(key, `source.${soundness}`, {
    ...{ source: name, platform },
    ...(problem === undefined ? {} : { text: problem.message }),
    figures: {
      received,
      ...(claimed === undefined ? {} : { claimed }),
      ...(affected && { affected: affected.length }),
    },
    ...(affected && { first: affected.slice(0, maximumNamedDevices) }),
  });
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
    slot,
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
    alertLog.forget(key);
    return;
  }
  const text = `What it measures with is not what it was on ${before?.baseline?.slot}. See its checks.`;
  // Reported once for each change; the next sound run makes it part of the baseline.
  if (alertLog.find(key)?.about === instrument.fingerprint) {
    return;
  }
  alertLog.raise(key, 'measurement.changed', { source: name, platform, text }, instrument.fingerprint);
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
      alertLog.forget(key);
    }
  }
}

function toDeploymentAlertKey(source: string, check: string): string {
  return `deployment:${source}/${check}`;
}
