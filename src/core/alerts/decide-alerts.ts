/** The events of a run, and the alerts that are open after it. Pure, like all judgement. */

import { computeInterval } from '../coverage.ts';
import type { ClockDifference, Policy, Statement, UnfinishedStep } from '../facts.ts';
import type { Coverage } from '../figures.ts';
import type { JudgedAcknowledgement, JudgedExemption } from '../judged.ts';
import type { HeldBack } from '../state.ts';
import { decideAcknowledgementAlerts } from './acknowledgement-alerts.ts';
import { type AlertEvent, toDeviceAlertKey } from './alert-event.ts';
import { type AlertLog, createAlertLog } from './alert-log.ts';
import type { AlertState } from './alert-state.ts';
import { decideClockAlerts } from './clock-alerts.ts';
import { type DeviceAlertInput, decideDeviceAlerts, recordBaselineDevices } from './device-alerts.ts';
import { decideExemptionAlerts } from './exemption-alerts.ts';
import { decideOverdueAlert } from './overdue-alerts.ts';
import {
  decideDriftAlerts,
  decideMeasurementAlerts,
  decideSoundnessAlerts,
  type SourceAlertInput,
} from './source-alerts.ts';
import { decideStatementAlerts } from './statement-alerts.ts';
import { decideHousekeepingAlerts, decideRetentionAlerts } from './store-alerts.ts';
import { findDevicesAwaitingTransfer, transferAlerts } from './transfer-alerts.ts';

export interface NightAlertInput {
  readonly slot: string;
  readonly policy: Policy;
  readonly sourceInputs: readonly (SourceAlertInput &
    Omit<DeviceAlertInput, 'source' | 'platform' | 'movedAway' | 'waiting'>)[];
  /** By `toDeviceKey`: records of machines that have another record now. */
  readonly movedAway: ReadonlySet<string>;
  /** The row for all sources. */
  readonly all: Coverage;
  readonly exemptions: readonly JudgedExemption[];
  readonly acknowledgements: readonly JudgedAcknowledgement[];
  readonly statements: readonly Statement[];
  /** Sources of the last run that are no longer in the settings. */
  readonly left: readonly string[];
  /** Channels with undelivered messages when this run began, and since which slot. */
  readonly undelivered: readonly { readonly channel: string; readonly since: string }[];
  /** Housekeeping that could not be done when this night began; undefined where none was tried. */
  readonly unfinished: readonly UnfinishedStep[] | undefined;
  /** Runs past their retention that are kept until a person confirms it. */
  readonly heldBack: HeldBack | undefined;
  readonly clockDifferences: readonly ClockDifference[] | undefined;
  /** Slots whose runs failed, which was reported, and for which nothing was published since. */
  readonly failedRuns: readonly string[];
  readonly alertStates: readonly AlertState[];
  /** The slot of the last weekly reminders. */
  readonly reminded: string | undefined;
}

export function decideAlerts(input: NightAlertInput): {
  events: readonly AlertEvent[];
  alertStates: readonly AlertState[];
  reminded: string | undefined;
} {
  const { alertStates, slot, reminded } = input;
  const alertLog = createAlertLog({ alertStates, slot, reminded });
  transferAlerts(input.sourceInputs, alertLog);
  const transfers = { movedAway: input.movedAway, waiting: findDevicesAwaitingTransfer(input.sourceInputs) };
  for (const sourceInput of input.sourceInputs) {
    const { name, platform, soundness, first } = sourceInput.source;
    decideSoundnessAlerts(sourceInput, alertLog);
    decideMeasurementAlerts(sourceInput, alertLog);
    decideDriftAlerts(sourceInput, alertLog);
    if (soundness !== 'complete') {
      continue;
    }
    if (first) {
      recordBaselineDevices(name, sourceInput, input.slot, alertLog);
    } else {
      decideDeviceAlerts({ ...sourceInput, ...transfers, source: name, platform }, alertLog);
    }
  }
  for (const key of alertLog.keys('left:')) {
    if (alertLog.find(key)?.about !== input.slot) {
      alertLog.close(key, { source: key.slice('left:'.length), text: 'It was reported.', isBookkeeping: true });
    }
  }
  for (const name of input.left) {
    raiseSourceLeft(name, alertLog, input.slot);
  }
  decideOverdueAlert(input, alertLog);
  decideCoverageAlerts(input, alertLog);
  const sources = input.sourceInputs.map(({ source }) => source);
  decideExemptionAlerts(input.exemptions, sources, alertLog);
  decideAcknowledgementAlerts(input.acknowledgements, sources, alertLog);
  decideStatementAlerts(input.statements, input.slot, alertLog);
  decideChannelAlerts(input, alertLog);
  decideHousekeepingAlerts(input.unfinished, alertLog);
  decideRetentionAlerts(input.heldBack, alertLog);
  decideClockAlerts(input.clockDifferences, alertLog);
  decideFailedRunAlerts(input, alertLog);
  return alertLog.finish();
}

/** What failed was reported at once, by the run that failed; the run that succeeds says that it is over. */
function decideFailedRunAlerts({ failedRuns, slot }: NightAlertInput, alertLog: AlertLog): void {
  for (const failed of failedRuns) {
    const key = `run:${failed}`;
    const sentAs = [{ kind: 'run.failed' as const }];
    alertLog.record({ key, kind: 'run.failed', since: failed, last: failed, sentAs });
    alertLog.resolve(key, 'run.failed', { text: `The run of ${failed} failed; the run of ${slot} succeeded.` });
  }
}

/** Removed from the settings: one message, and none of its alerts stays open. */
function raiseSourceLeft(name: string, alertLog: AlertLog, slot: string): void {
  const details = { source: name, text: 'It was removed from the settings.' };
  alertLog.raise(`left:${name}`, 'source.left', details, { about: slot });
  const text = `Its source ${name} was removed from the settings.`;
  const close = (key: string) => alertLog.close(key, { source: name, text, isBookkeeping: true });
  for (const prefix of [toDeviceAlertKey(name, ''), `deployment:${name}/`]) {
    alertLog.keys(prefix).forEach(close);
  }
  for (const subject of ['source', 'measurement', 'baseline']) {
    close(`${subject}:${name}`);
  }
}

/** Judged on the low figure, and only when every source was complete: missing data neither opens nor resolves the alert. */
function decideCoverageAlerts({ policy, all }: NightAlertInput, alertLog: AlertLog): void {
  const { minimumCoverage } = policy;
  if (minimumCoverage === undefined) {
    alertLog.resolve('coverage', 'coverage.restored', { text: 'policy.minimumCoverage is not set any more.' });
    return;
  }
  if (all.soundness !== 'complete' || all.counted === 0) {
    return;
  }
  const { low, coverage, high } = computeInterval(all);
  const figures = { low: Number(low), coverage: Number(coverage), high: Number(high), minimum: minimumCoverage };
  const isBelow = all.provenInstalled * 100 < minimumCoverage * all.counted;
  if (isBelow) {
    alertLog.raise('coverage', 'coverage.below', { figures });
  } else {
    alertLog.resolve('coverage', 'coverage.restored', { figures });
  }
}

function decideChannelAlerts({ undelivered, unfinished = [] }: NightAlertInput, alertLog: AlertLog): void {
  // Messages that could not be read or marked say nothing of their channels.
  const isKnown = unfinished.every(({ step }) => step !== 'messages');
  const prefix = 'channel:';
  const failing = new Set<string>();
  for (const { channel, since } of undelivered) {
    const key = `${prefix}${channel}`;
    failing.add(key);
    alertLog.raise(key, 'channel.undelivered', {
      text: `The channel ${channel} has accepted no message since ${since}.`,
    });
  }
  for (const key of alertLog.keys(prefix)) {
    if (isKnown && !failing.has(key)) {
      const text = `No message of the channel ${key.slice(prefix.length)} waits to be delivered.`;
      alertLog.resolve(key, 'channel.undelivered', { text });
    }
  }
}
