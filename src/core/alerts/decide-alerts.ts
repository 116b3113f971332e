/** Everything a night has to tell, and what it must remember of it. Pure, like all judgement. */

import { computeInterval } from '../coverage.ts';
import type { Policy, UnfinishedStep } from '../facts.ts';
import type { Coverage } from '../figures.ts';
import type { JudgedExemption } from '../judged.ts';
import type { HeldBack } from '../state.ts';
import { type AlertEvent, toDeviceAlertKey } from './alert-event.ts';
import { type AlertLog, createAlertLog } from './alert-log.ts';
import type { AlertState } from './alert-state.ts';
import { type DeviceAlertInput, decideDeviceAlerts, recordBaselineDevices } from './device-alerts.ts';
import { decideExemptionAlerts } from './exemption-alerts.ts';
import {
  decideDriftAlerts,
  decideMeasurementAlerts,
  decideSoundnessAlerts,
  type SourceAlertInput,
} from './source-alerts.ts';
import { decideHousekeepingAlerts, decideRetentionAlerts } from './store-alerts.ts';
import { findDevicesAwaitingTransfer, transferAlerts } from './transfer-alerts.ts';

export interface NightAlertInput {
  readonly slot: string;
  readonly policy: Policy;
  readonly sourceInputs: readonly (SourceAlertInput &
    Omit<DeviceAlertInput, 'source' | 'platform' | 'movedAway' | 'waiting'>)[];
  /** By `deviceKey`: records of machines that live on under another one. */
  readonly movedAway: ReadonlySet<string>;
  /** The row for all sources. */
  readonly all: Coverage;
  readonly exemptions: readonly JudgedExemption[];
  /** Sources of the last night that are no longer in the settings. */
  readonly left: readonly string[];
  /** Channels that could not be reached when this night began, and since which slot. */
  readonly undelivered: readonly { readonly channel: string; readonly since: string }[];
  /** Housekeeping that could not be done when this night began; undefined where none was tried. */
  readonly unfinished: readonly UnfinishedStep[] | undefined;
  /** Runs past their retention that are kept until a person confirms it. */
  readonly heldBack: HeldBack | undefined;
  readonly alertStates: readonly AlertState[];
}

export function decideAlerts(telling: NightAlertInput): {
  events: readonly AlertEvent[];
  alertStates: readonly AlertState[];
} {
  const notes = createAlertLog(telling.alertStates, telling.slot);
  transferAlerts(telling.sourceInputs, notes);
  const lives = { movedAway: telling.movedAway, waiting: findDevicesAwaitingTransfer(telling.sourceInputs) };
  for (const scene of telling.sourceInputs) {
    const { name, platform, soundness, first } = scene.source;
    decideSoundnessAlerts(scene, notes);
    decideMeasurementAlerts(scene, notes);
    decideDriftAlerts(scene, notes);
    if (soundness !== 'complete') {
      continue;
    }
    if (first) {
      recordBaselineDevices(name, scene.devices, telling.slot, notes);
    } else {
      decideDeviceAlerts({ ...scene, ...lives, source: name, platform }, notes);
    }
  }
  for (const key of notes.keys('left:')) {
    if (notes.find(key)?.about !== telling.slot) {
      notes.forget(key);
    }
  }
  for (const name of telling.left) {
    raiseSourceLeft(name, notes, telling.slot);
  }
  decideCoverageAlerts(telling, notes);
  decideExemptionAlerts(
    telling.exemptions,
    telling.sourceInputs.map(({ source }) => source),
    notes,
  );
  decideChannelAlerts(telling, notes);
  decideHousekeepingAlerts(telling.unfinished, notes);
  decideRetentionAlerts(telling.heldBack, notes);
  return { events: notes.events(), alertStates: notes.alertStates() };
}

/** Taken out of the settings: one message, and nothing that was told of it is left open. */
function raiseSourceLeft(name: string, notes: AlertLog, slot: string): void {
  notes.raise(`left:${name}`, 'source.left', { source: name, text: 'It was taken out of the settings.' }, slot);
  for (const prefix of [toDeviceAlertKey(name, ''), `deployment:${name}/`]) {
    for (const key of notes.keys(prefix)) {
      notes.forget(key);
    }
  }
  for (const matter of ['source', 'measurement', 'baseline']) {
    notes.forget(`${matter}:${name}`);
  }
}

/** Judged on the low figure, and only when every source was complete: missing data neither alarms nor reassures. */
function decideCoverageAlerts({ policy, all }: NightAlertInput, notes: AlertLog): void {
  const { minimumCoverage } = policy;
  if (minimumCoverage === undefined) {
    notes.forget('coverage');
    return;
  }
  if (all.soundness !== 'complete' || all.counted === 0) {
    return;
  }
  const { low, coverage, high } = computeInterval(all);
  const figures = { low: Number(low), coverage: Number(coverage), high: Number(high), minimum: minimumCoverage };
  const isBelow = all.provenInstalled * 100 < minimumCoverage * all.counted;
  if (isBelow) {
    notes.raise('coverage', 'coverage.below', { figures });
  } else {
    notes.resolve('coverage', 'coverage.restored', { figures });
  }
}

function decideChannelAlerts({ undelivered, unfinished = [] }: NightAlertInput, notes: AlertLog): void {
  // Messages that could not be read or marked say nothing of their channels.
  const isKnown = unfinished.every(({ step }) => step !== 'messages');
  const prefix = 'channel:';
  const failing = new Set<string>();
  for (const { channel, since } of undelivered) {
    const key = `${prefix}${channel}`;
    failing.add(key);
    notes.raise(key, 'channel.undelivered', {
      text: `The channel ${channel} has not taken a message since ${since}.`,
    });
  }
  for (const key of notes.keys(prefix)) {
    if (isKnown && !failing.has(key)) {
      notes.forget(key);
    }
  }
}
