/** What a night leaves to the next. The baseline moves only on a night that was complete, sound and not suspect. */
import { omitUndefined } from '../omit-undefined.ts';
import { rememberExemptions } from './exemptions.ts';
import type { Facts, SourceFacts } from './facts.ts';
import type { JudgedDevice, JudgedSource } from './judged.ts';
import type { BaselineMatch } from './match-devices.ts';
import type { SourceInput } from './source-input.ts';
import {
  type Baseline,
  type BaselineDevice,
  type DepartedDevice,
  keptDeparted,
  keptTransitions,
  type SourceState,
  type Transition,
} from './state.ts';

/**
 * Since when a device has been Not Installed, "at least": as it was last shown on a night that moved no baseline, or
 * else from its baseline, or from tonight.
 */
export function findNotInstalledSince(
  match: BaselineMatch | undefined,
  shown: SourceState['provisional'][number] | undefined,
  slot: string,
): string {
  if (shown !== undefined) {
    return shown.since ?? slot;
  }
  return match?.known.notInstalledSince ?? slot;
}

export function computeNextSourceState(
  source: JudgedSource,
  input: SourceInput,
  devices: readonly JudgedDevice[],
  facts: Pick<Facts, 'slot' | 'exemptions'>,
): SourceState {
  const { name, kind } = source;
  const { instrumentMemory } = input;
  const before: SourceState = {
    ...(input.state ?? { name, kind, departed: [], provisional: [] }),
    instrumentMemory,
  };
  switch (source.soundness) {
    case 'missing':
    case 'carried':
      return before;
    case 'untrusted':
    case 'suspect':
      return { ...before, provisional: listProvisional(devices, source.soundness, before.provisional) };
    case 'complete': {
      const baseline = buildBaseline(input.source, devices, facts);
      const departed = listDepartedDevices(before, baseline, facts.slot);
      return { ...before, baseline, departed, provisional: [] };
    }
  }
}

/** What is shown otherwise than the baseline has it. A broken instrument's "Installed" ends nothing. */
function listProvisional(
  devices: readonly JudgedDevice[],
  soundness: 'untrusted' | 'suspect',
  earlier: SourceState['provisional'],
): SourceState['provisional'] {
  const shownInstalled = new Set(earlier.filter(({ since }) => since === undefined).map(({ id }) => id));
  return devices.flatMap(({ match, facts: { id }, notInstalledSince: since }) => {
    if (since === match?.known.notInstalledSince) {
      return [];
    }
    if (since !== undefined) {
      return [{ id, since }];
    }
    return soundness === 'suspect' || shownInstalled.has(id) ? [{ id }] : [];
  });
}

function buildBaseline(
  { name, instrument, receipt }: SourceFacts,
  devices: readonly JudgedDevice[],
  { slot, exemptions }: Pick<Facts, 'slot' | 'exemptions'>,
): Baseline {
  const { answersReceived, received, unlisted, overview } = receipt;
  const exemptUsers = rememberExemptions(exemptions, name);
  return {
    slot,
    instrument,
    ...omitUndefined({ answers: answersReceived }),
    ...(unlisted === undefined && overview === undefined
      ? {}
      : { listing: { received, ...omitUndefined({ unlisted, overview }) } }),
    ...(exemptUsers.length === 0 ? {} : { exemptUsers }),
    devices: devices.map((device) => toBaselineDevice(device, slot)),
  };
}

function toBaselineDevice(device: JudgedDevice, slot: string): BaselineDevice {
  return {
    facts: device.facts,
    status: device.status,
    reason: device.reason,
    counted: device.counted,
    ...(device.excludedBecause === undefined ? {} : { excludedBecause: device.excludedBecause }),
    ...(device.notInstalledSince === undefined ? {} : { notInstalledSince: device.notInstalledSince }),
    transitions: appendTransition(device, slot),
  };
}

function appendTransition(device: JudgedDevice, slot: string): readonly Transition[] {
  const before = device.match?.known;
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
