/** What a night leaves to the next. The baseline moves only on a night that was complete, sound and not suspect. */
import { omitUndefined } from '../omit-undefined.ts';
import { addDays } from './calendar.ts';
import { rememberExemptions } from './exemptions.ts';
import type { Facts, Status } from './facts.ts';
import type { JudgedDevice, JudgedSource } from './judged.ts';
import { readListingFigures } from './listing.ts';
import { noProvisionalNights, rememberProvisionalNight } from './provisional.ts';
import type { SourceInput } from './source-input.ts';
import {
  type Baseline,
  type BaselineDevice,
  type DepartedDevice,
  keptDeparted,
  keptTransitions,
  mostDepartedDevices,
  type SourceState,
  type Transition,
} from './state.ts';

export function computeNextSourceState(
  source: JudgedSource,
  input: SourceInput,
  devices: readonly JudgedDevice[],
  facts: Pick<Facts, 'slot' | 'exemptions'>,
): SourceState {
  const { name, kind } = source;
  const { instrumentMemory } = input;
  const before: SourceState = {
    ...(input.state ?? { name, kind, departed: [], provisional: noProvisionalNights }),
    instrumentMemory,
  };
  switch (source.soundness) {
    case 'missing':
    case 'carried':
      return before;
    case 'untrusted':
    case 'suspect': {
      const night = { slot: facts.slot, soundness: source.soundness };
      const known = before.baseline?.devices ?? [];
      return { ...before, provisional: rememberProvisionalNight(before.provisional, night, devices, known) };
    }
    case 'complete': {
      const baseline = buildBaseline(input, devices, facts);
      const departed = listDepartedDevices(before, baseline, facts.slot);
      return { ...before, baseline, departed, provisional: noProvisionalNights };
    }
  }
}

function buildBaseline(
  { source, instrumentMemory }: Pick<SourceInput, 'source' | 'instrumentMemory'>,
  devices: readonly JudgedDevice[],
  { slot, exemptions }: Pick<Facts, 'slot' | 'exemptions'>,
): Baseline {
  const listing = readListingFigures(source);
  const exemptUsers = rememberExemptions(exemptions, source.name);
  const append = createTransitionAppending(slot);
  return {
    slot,
    // A part that could not be read leaves the fingerprint as it was last read.
    instrument: { ...omitUndefined({ fingerprint: instrumentMemory.last?.fingerprint }), ...source.instrument },
    ...omitUndefined({ answers: source.receipt.answersReceived }),
    ...(listing.unlisted === undefined && listing.overview === undefined ? {} : { listing }),
    ...(exemptUsers.length === 0 ? {} : { exemptUsers }),
    devices: devices.map((device) => toBaselineDevice(device, slot, append)),
  };
}

function toBaselineDevice(
  device: JudgedDevice,
  slot: string,
  append: (before: BaselineDevice | undefined, to: Status) => readonly Transition[],
): BaselineDevice {
  return {
    facts: device.facts,
    status: device.status,
    reason: device.reason,
    counted: device.counted,
    ...(device.excludedBecause === undefined ? {} : { excludedBecause: device.excludedBecause }),
    ...(device.notInstalledSince === undefined ? {} : { notInstalledSince: device.notInstalledSince }),
    ...listMovedFrom(device, slot),
    transitions: append(device.match?.known, device.status),
  };
}

function listMovedFrom({ source, match }: JudgedDevice, on: string): Pick<BaselineDevice, 'movedFrom'> {
  const earlier = match?.known.movedFrom ?? [];
  const movedFrom =
    match?.how === 'moved' && match.source !== source && match.known.counted
      ? [...earlier, { source: match.source, id: match.known.facts.id, on }]
      : earlier;
  return movedFrom.length === 0 ? {} : { movedFrom };
}

/** Devices that had the same transitions, and have the same now, share one list. */
function createTransitionAppending(
  slot: string,
): (before: BaselineDevice | undefined, to: Status) => readonly Transition[] {
  const none: readonly Transition[] = [];
  const appended = new Map<readonly Transition[], Map<string, readonly Transition[]>>();
  return (before, to) => {
    const past = before?.transitions ?? none;
    if (before?.status === to) {
      return past;
    }
    const step: Transition = { slot, ...(before === undefined ? {} : { from: before.status }), to };
    const key = `${step.from} ${to}`;
    const known = appended.get(past) ?? new Map<string, readonly Transition[]>();
    appended.set(past, known);
    const list = known.get(key) ?? [...past, step].slice(-keptTransitions);
    known.set(key, list);
    return list;
  };
}

function listDepartedDevices(before: SourceState, baseline: Baseline, slot: string): readonly DepartedDevice[] {
  const present = new Set(baseline.devices.map((device) => device.facts.id));
  const isAbsent = (device: BaselineDevice) => !present.has(device.facts.id);
  const leaving = (before.baseline?.devices ?? []).filter(isAbsent).map((device) => ({ ...device, leftOn: slot }));
  const horizon = addDays(slot, -keptDeparted);
  const departed = before.departed.filter((device) => isAbsent(device) && device.leftOn >= horizon);
  return boundDeparted([...departed, ...leaving]);
}

/** Those that left last: where machines are enrolled anew every day, the others would be most of what is kept. */
export function boundDeparted(
  departed: readonly DepartedDevice[],
  most = mostDepartedDevices,
): readonly DepartedDevice[] {
  return departed.length <= most ? departed : departed.slice(-most);
}
