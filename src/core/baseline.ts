/** What a night leaves to the next. The baseline moves only on a night that was complete, sound and not suspect. */
import { omitUndefined } from '../omit-undefined.ts';
import { rememberExemptions } from './exemptions.ts';
import type { Facts } from './facts.ts';
import type { JudgedDevice, JudgedSource } from './judged.ts';
import { readListingFigures } from './listing.ts';
import type { BaselineMatch } from './match-devices.ts';
import { compareCodePoints } from './order.ts';
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

/** What nights that moved no baseline have shown since it: of this record, and of the one whose place it took. */
export interface ShownSince {
  readonly own: ProvisionalEntry | undefined;
  readonly former: ProvisionalEntry | undefined;
}

type ProvisionalEntry = SourceState['provisional'][number];

/** Since when a device has been Not Installed, "at least". A record that took another's place has been since that one. */
export function findNotInstalledSince(
  match: BaselineMatch | undefined,
  { own, former }: ShownSince,
  slot: string,
): string {
  if (own !== undefined && (own.since === undefined || match?.how === 'same')) {
    return own.since ?? slot;
  }
  const inherited = former === undefined ? match?.known.notInstalledSince : former.since;
  return [own?.since, inherited, slot].filter((since) => since !== undefined).sort(compareCodePoints)[0] ?? slot;
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

/** What is shown otherwise than the baseline has it. A broken instrument's "Installed" ends nothing. */
function listProvisional(
  devices: readonly JudgedDevice[],
  soundness: 'untrusted' | 'suspect',
  earlier: SourceState['provisional'],
  slot: string,
): SourceState['provisional'] {
  const before = new Map(earlier.map((entry) => [entry.id, entry]));
  return devices.flatMap(({ match, facts: { id }, notInstalledSince }): ProvisionalEntry[] => {
    const own = before.get(id);
    if (notInstalledSince !== undefined) {
      // Of a record that took another's place only its own nights count here: the match can be another tomorrow.
      const since = match?.how === 'same' ? notInstalledSince : (own?.since ?? slot);
      return match?.how === 'same' && since === match.known.notInstalledSince ? [] : [{ id, since }];
    }
    const isNews = match?.known.notInstalledSince !== undefined;
    const wasShownInstalled = own !== undefined && own.since === undefined;
    return isNews && (soundness === 'suspect' || wasShownInstalled) ? [{ id }] : [];
  });
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
