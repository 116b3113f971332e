/** What a night leaves to the next. The baseline moves only on a night that was complete, sound and not suspect. */
import { omitUndefined } from '../omit-undefined.ts';
import { addDays } from './calendar.ts';
import { rememberExemptions } from './exemptions.ts';
import type { Facts } from './facts.ts';
import type { JudgedDevice, JudgedSource } from './judged.ts';
import { readListingFigures } from './listing.ts';
import type { BaselineMatch } from './match-devices.ts';
import type { SourceInput } from './source-input.ts';
import {
  type Baseline,
  type BaselineDevice,
  type DepartedDevice,
  keptDeparted,
  keptTransitions,
  type ProvisionalEntry,
  type SourceState,
  type Transition,
} from './state.ts';

/**
 * Since when a device has been Not Installed, "at least": since its baseline says, or the record whose place it took,
 * unless a night showed it Installed after that; otherwise since the nights that have shown it Not Installed.
 */
export function findNotInstalledSince(
  match: BaselineMatch | undefined,
  shown: ProvisionalEntry | undefined,
  slot: string,
): string {
  const known = match?.known.notInstalledSince;
  if (known !== undefined && !shown?.wasInstalled) {
    return known;
  }
  const isSuccessor = match !== undefined && match.how !== 'same';
  return (isSuccessor ? shown?.inheritedSince : undefined) ?? shown?.since ?? slot;
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
      return { ...before, provisional: listProvisional(devices, source.soundness, before.provisional, facts.slot) };
    case 'complete': {
      const baseline = buildBaseline(input, devices, facts);
      const departed = listDepartedDevices(before, baseline, facts.slot);
      return { ...before, baseline, departed, provisional: [] };
    }
  }
}

/** A broken instrument's "Installed" ends the nights before it, and not what the baseline says. */
function listProvisional(
  devices: readonly JudgedDevice[],
  soundness: 'untrusted' | 'suspect',
  earlier: SourceState['provisional'],
  slot: string,
): SourceState['provisional'] {
  const shownBefore = new Map(earlier.map((entry) => [entry.id, entry]));
  const absent = new Map(shownBefore);
  const entries = devices.flatMap((device): ProvisionalEntry[] => {
    const { match, status, facts } = device;
    const before = findShown(device, shownBefore);
    absent.delete(facts.id);
    const wasInstalled = before?.wasInstalled === true || (status === 'Installed' && soundness === 'suspect');
    const own = shownBefore.get(facts.id);
    const isMissing = status === 'Not Installed';
    const since = isMissing ? (own?.since ?? slot) : undefined;
    const inheritedSince = isMissing ? (own === undefined ? before?.since : own.inheritedSince) : undefined;
    const isSaid = !wasInstalled && match?.how === 'same' && match.known.notInstalledSince !== undefined;
    return isSaid ? [] : listEntry({ id: facts.id, ...omitUndefined({ since, inheritedSince }) }, wasInstalled);
  });
  return [...entries, ...[...absent.values()].flatMap(({ id, wasInstalled }) => listEntry({ id }, wasInstalled))];
}

function listEntry(entry: ProvisionalEntry, wasInstalled: boolean | undefined): ProvisionalEntry[] {
  if (entry.since === undefined && !wasInstalled) {
    return [];
  }
  return [wasInstalled ? { ...entry, wasInstalled } : entry];
}

/** Of this record, or of the one whose place it took while it was not there itself. */
export function findShown(
  { source, facts, match }: Pick<JudgedDevice, 'source' | 'facts' | 'match'>,
  provisional: ReadonlyMap<string, ProvisionalEntry>,
): ProvisionalEntry | undefined {
  return provisional.get(facts.id) ?? (match?.source === source ? provisional.get(match.known.facts.id) : undefined);
}

function buildBaseline(
  { source, instrumentMemory }: Pick<SourceInput, 'source' | 'instrumentMemory'>,
  devices: readonly JudgedDevice[],
  { slot, exemptions }: Pick<Facts, 'slot' | 'exemptions'>,
): Baseline {
  const listing = readListingFigures(source);
  const exemptUsers = rememberExemptions(exemptions, source.name);
  return {
    slot,
    // A part that could not be read leaves the fingerprint as it was last read.
    instrument: { ...omitUndefined({ fingerprint: instrumentMemory.last?.fingerprint }), ...source.instrument },
    ...omitUndefined({ answers: source.receipt.answersReceived }),
    ...(listing.unlisted === undefined && listing.overview === undefined ? {} : { listing }),
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
    ...listMovedFrom(device, slot),
    transitions: appendTransition(device, slot),
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
  const horizon = addDays(slot, -keptDeparted);
  return [...before.departed, ...leaving].filter((device) => !present.has(device.facts.id) && device.leftOn >= horizon);
}
