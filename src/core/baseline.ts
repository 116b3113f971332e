/** What a night leaves to the next. The baseline moves only on a night that was complete, sound and not suspect. */
import type { SourceFacts } from './facts.ts';
import { noteInstrument } from './instrument.ts';
import type { JudgedDevice, JudgedSource } from './judged.ts';
import type { BaselineMatch } from './match-devices.ts';
import {
  type Baseline,
  type BaselineDevice,
  type DepartedDevice,
  keptDeparted,
  keptTransitions,
  type SourceState,
  type Transition,
} from './state.ts';

/** Since when a device has been Not Installed, "at least": from its baseline, or from the first night that said so. */
export function findNotInstalledSince(
  ancestor: BaselineMatch | undefined,
  provisional: string | undefined,
  slot: string,
): string {
  const known = ancestor?.known;
  if (known?.status === 'Not Installed' && known.notInstalledSince !== undefined) {
    return known.notInstalledSince;
  }
  return provisional ?? slot;
}

export function computeNextSourceState(
  source: JudgedSource,
  facts: SourceFacts,
  devices: readonly JudgedDevice[],
  ancestorOf: ReadonlyMap<JudgedDevice, BaselineMatch>,
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
      return { ...before, untrusted: true, provisional: listProvisional(devices, ancestorOf) };
    case 'suspect':
      return { ...markRepaired(before, night.moment), provisional: listProvisional(devices, ancestorOf) };
    case 'complete': {
      const baseline = buildBaseline(facts, devices, ancestorOf, night.slot);
      const departed = listDepartedDevices(before, baseline, night.slot);
      return { ...markRepaired(before, night.moment), baseline, departed, provisional: [] };
    }
  }
}

/** The first sound night after an untrusted one: what was measured before it proves nothing. */
function markRepaired(state: SourceState, moment: string): SourceState {
  return state.untrusted ? { ...state, untrusted: false, soundAgainAt: moment } : state;
}

/** What the baseline does not already know under the same id. */
function listProvisional(
  devices: readonly JudgedDevice[],
  ancestorOf: ReadonlyMap<JudgedDevice, BaselineMatch>,
): SourceState['provisional'] {
  return devices.flatMap((device) => {
    const ancestor = ancestorOf.get(device);
    const isKnown = ancestor?.how === 'same' && ancestor.known.status === 'Not Installed';
    const since = device.notInstalledSince;
    return since === undefined || isKnown ? [] : [{ id: device.facts.id, since }];
  });
}

function buildBaseline(
  facts: SourceFacts,
  devices: readonly JudgedDevice[],
  ancestorOf: ReadonlyMap<JudgedDevice, BaselineMatch>,
  slot: string,
): Baseline {
  return {
    slot,
    instrument: facts.instrument,
    ...(facts.receipt.answersReceived === undefined ? {} : { answers: facts.receipt.answersReceived }),
    devices: devices.map((device) => toBaselineDevice(device, ancestorOf.get(device)?.known, slot)),
  };
}

function toBaselineDevice(device: JudgedDevice, before: BaselineDevice | undefined, slot: string): BaselineDevice {
  return {
    facts: device.facts,
    status: device.status,
    reason: device.reason,
    counted: device.counted,
    ...(device.excludedBecause === undefined ? {} : { excludedBecause: device.excludedBecause }),
    ...(device.notInstalledSince === undefined ? {} : { notInstalledSince: device.notInstalledSince }),
    transitions: appendTransition(device, before, slot),
  };
}

function appendTransition(
  device: JudgedDevice,
  before: BaselineDevice | undefined,
  slot: string,
): readonly Transition[] {
  const past = before?.transitions ?? [];
  if (before?.status === device.status) {
    return past;
  }
  const step: Transition = { slot, ...(before === undefined ? {} : { from: before.status }), to: device.status };
  return [...past, step].slice(-keptTransitions);
}

function listDepartedDevices(before: SourceState, baseline: Baseline, slot: string): readonly DepartedDevice[] {
  const present = new Set(baseline.devices.map((device) => device.facts.id));
  const leaving = (before.baseline?.devices ?? []).map((device) => ({ ...device, leftOn: slot }));
  const horizon = subtractDays(slot, keptDeparted);
  return [...before.departed, ...leaving].filter((device) => !present.has(device.facts.id) && device.leftOn >= horizon);
}

function subtractDays(slot: string, days: number): string {
  return new Date(Date.parse(`${slot}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10);
}
