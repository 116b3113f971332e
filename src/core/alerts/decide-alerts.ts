/** Everything a night has to tell, and what it must remember of it. Pure, like all judgement. */

import { intervalOf } from '../coverage.ts';
import type { Policy } from '../facts.ts';
import type { Coverage } from '../figures.ts';
import type { JudgedExemption } from '../judged.ts';
import { type Memory, memoryOf } from './alert-log.ts';
import type { Told } from './alert-state.ts';
import { type DeviceScene, deviceEvents, noteBaseline } from './device-alerts.ts';
import { deviceMatter, type Event } from './event.ts';
import { exemptionEvents } from './exemption-alerts.ts';
import { driftEvents, measurementEvents, type SourceScene, soundnessEvents } from './source-alerts.ts';
import { inherit, waiting } from './transfer-alerts.ts';

export interface Telling {
  readonly slot: string;
  readonly policy: Policy;
  readonly scenes: readonly (SourceScene & Omit<DeviceScene, 'source' | 'platform' | 'movedAway' | 'waiting'>)[];
  /** By `deviceKey`: records of machines that live on under another one. */
  readonly movedAway: ReadonlySet<string>;
  /** The row for all sources. */
  readonly all: Coverage;
  readonly exemptions: readonly JudgedExemption[];
  /** Sources of the last night that are no longer in the settings. */
  readonly left: readonly string[];
  /** Channels that could not be reached when this night began, and since which slot. */
  readonly undelivered: readonly { readonly channel: string; readonly since: string }[];
  readonly told: readonly Told[];
}

export function eventsOf(telling: Telling): { events: readonly Event[]; told: readonly Told[] } {
  const notes = memoryOf(telling.told, telling.slot);
  inherit(telling.scenes, notes);
  const lives = { movedAway: telling.movedAway, waiting: waiting(telling.scenes) };
  for (const scene of telling.scenes) {
    const { name, platform, soundness, first } = scene.source;
    soundnessEvents(scene, notes);
    measurementEvents(scene, notes);
    driftEvents(scene, notes);
    if (soundness !== 'complete') continue;
    if (first) noteBaseline(name, scene.devices, telling.slot, notes);
    else deviceEvents({ ...scene, ...lives, source: name, platform }, notes);
  }
  for (const key of notes.keys('left:')) if (notes.recall(key)?.about !== telling.slot) notes.forget(key);
  for (const name of telling.left) sourceLeft(name, notes, telling.slot);
  coverageEvents(telling, notes);
  exemptionEvents(
    telling.exemptions,
    telling.scenes.map(({ source }) => source),
    notes,
  );
  channelEvents(telling, notes);
  return { events: notes.events(), told: notes.told() };
}

/** Taken out of the settings: one message, and nothing that was told of it is left open. */
function sourceLeft(name: string, notes: Memory, slot: string): void {
  notes.stands(`left:${name}`, 'source.left', { source: name, text: 'It was taken out of the settings.' }, slot);
  for (const prefix of [deviceMatter(name, ''), `deployment:${name}/`]) {
    for (const key of notes.keys(prefix)) notes.forget(key);
  }
  for (const matter of ['source', 'measurement', 'baseline']) notes.forget(`${matter}:${name}`);
}

/** Judged on the low figure, and only when every source was complete: missing data neither alarms nor reassures. */
function coverageEvents({ policy, all }: Telling, notes: Memory): void {
  const { minimumCoverage } = policy;
  if (minimumCoverage === undefined) {
    notes.forget('coverage');
    return;
  }
  if (all.soundness !== 'complete' || all.counted === 0) return;
  const { low, coverage, high } = intervalOf(all);
  const figures = { low: Number(low), coverage: Number(coverage), high: Number(high), minimum: minimumCoverage };
  const isBelow = all.provenInstalled * 100 < minimumCoverage * all.counted;
  if (isBelow) notes.stands('coverage', 'coverage.below', { figures });
  else notes.over('coverage', 'coverage.restored', { figures });
}

function channelEvents({ undelivered }: Telling, notes: Memory): void {
  const prefix = 'channel:';
  const failing = new Set<string>();
  for (const { channel, since } of undelivered) {
    const key = `${prefix}${channel}`;
    failing.add(key);
    notes.stands(key, 'channel.undelivered', {
      text: `The channel ${channel} has not taken a message since ${since}.`,
    });
  }
  for (const key of notes.keys(prefix)) if (!failing.has(key)) notes.forget(key);
}
