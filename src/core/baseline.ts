/** What a night leaves to the next. The baseline moves only on a night that was complete, sound and not suspect. */
import type { SourceFacts } from './facts.ts';
import { noteInstrument } from './instrument.ts';
import type { JudgedDevice, JudgedSource } from './judged.ts';
import type { Ancestor } from './match-devices.ts';
import {
  type Baseline,
  type Departed,
  type KnownDevice,
  keptDeparted,
  keptTransitions,
  type SourceState,
  type Transition,
} from './state.ts';

/** Since when a device has been Not Installed, "at least": from its baseline, or from the first night that said so. */
export function notInstalledSince(
  ancestor: Ancestor | undefined,
  provisional: string | undefined,
  slot: string,
): string {
  const known = ancestor?.known;
  if (known?.status === 'Not Installed' && known.notInstalledSince !== undefined) return known.notInstalledSince;
  return provisional ?? slot;
}

export function nextSourceState(
  source: JudgedSource,
  facts: SourceFacts,
  devices: readonly JudgedDevice[],
  ancestorOf: ReadonlyMap<JudgedDevice, Ancestor>,
  previous: SourceState | undefined,
  night: { slot: string; moment: string },
): SourceState {
  const { name, kind } = source;
  const last: SourceState = previous ?? { name, kind, departed: [], provisional: [], untrusted: false };
  const before = { ...last, ...noteInstrument(facts, last, night.slot) };
  switch (source.soundness) {
    case 'missing':
    case 'carried':
      return before;
    case 'untrusted':
      return { ...before, untrusted: true, provisional: provisionalOf(devices, ancestorOf) };
    case 'suspect':
      return { ...repaired(before, night.moment), provisional: provisionalOf(devices, ancestorOf) };
    case 'complete': {
      const baseline = baselineOf(facts, devices, ancestorOf, night.slot);
      const departed = departedOf(before, baseline, night.slot);
      return { ...repaired(before, night.moment), baseline, departed, provisional: [] };
    }
  }
}

/** The first sound night after an untrusted one: what was measured before it proves nothing. */
function repaired(state: SourceState, moment: string): SourceState {
  return state.untrusted ? { ...state, untrusted: false, soundAgainAt: moment } : state;
}

/** What the baseline does not already know under the same id. */
function provisionalOf(
  devices: readonly JudgedDevice[],
  ancestorOf: ReadonlyMap<JudgedDevice, Ancestor>,
): SourceState['provisional'] {
  return devices.flatMap((device) => {
    const ancestor = ancestorOf.get(device);
    const isKnown = ancestor?.how === 'same' && ancestor.known.status === 'Not Installed';
    const since = device.notInstalledSince;
    return since === undefined || isKnown ? [] : [{ id: device.facts.id, since }];
  });
}

function baselineOf(
  facts: SourceFacts,
  devices: readonly JudgedDevice[],
  ancestorOf: ReadonlyMap<JudgedDevice, Ancestor>,
  slot: string,
): Baseline {
  return {
    slot,
    instrument: facts.instrument,
    ...(facts.receipt.answersReceived === undefined ? {} : { answers: facts.receipt.answersReceived }),
    devices: devices.map((device) => known(device, ancestorOf.get(device)?.known, slot)),
  };
}

function known(device: JudgedDevice, before: KnownDevice | undefined, slot: string): KnownDevice {
  return {
    facts: device.facts,
    status: device.status,
    reason: device.reason,
    counted: device.counted,
    ...(device.excludedBecause === undefined ? {} : { excludedBecause: device.excludedBecause }),
    ...(device.notInstalledSince === undefined ? {} : { notInstalledSince: device.notInstalledSince }),
    transitions: transitionsOf(device, before, slot),
  };
}

function transitionsOf(device: JudgedDevice, before: KnownDevice | undefined, slot: string): readonly Transition[] {
  const past = before?.transitions ?? [];
  if (before?.status === device.status) return past;
  const step: Transition = { slot, ...(before === undefined ? {} : { from: before.status }), to: device.status };
  return [...past, step].slice(-keptTransitions);
}

function departedOf(before: SourceState, baseline: Baseline, slot: string): readonly Departed[] {
  const present = new Set(baseline.devices.map((device) => device.facts.id));
  const leaving = (before.baseline?.devices ?? []).map((device) => ({ ...device, leftOn: slot }));
  const horizon = dateBefore(slot, keptDeparted);
  return [...before.departed, ...leaving].filter((device) => !present.has(device.facts.id) && device.leftOn >= horizon);
}

function dateBefore(slot: string, days: number): string {
  return new Date(Date.parse(`${slot}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10);
}
