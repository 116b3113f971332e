/** What a night leaves to the next. The baseline moves only on a night that was complete, sound and not suspect. */
import { omitUndefined } from '../omit-undefined.ts';
import { type BaselineFields, createBaselineDevice, selectBaselineFields } from './baseline-views.ts';
import { addDays } from './calendar.ts';
import { rememberExemptions } from './exemptions.ts';
import type { Facts, Status } from './facts.ts';
import type { JudgedSource, MatchedDevice } from './judged.ts';
import { readListingFigures } from './listing.ts';
import { createIdFinder } from './order.ts';
import { noProvisionalNights, rememberProvisionalNight } from './provisional.ts';
import { createSharing } from './share-equal.ts';
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
import { unpack } from './views.ts';

export function computeNextSourceState(
  source: JudgedSource,
  input: SourceInput,
  devices: readonly MatchedDevice[],
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
  devices: readonly MatchedDevice[],
  { slot, exemptions }: Pick<Facts, 'slot' | 'exemptions'>,
): Baseline {
  const listing = readListingFigures(source);
  const exemptUsers = rememberExemptions(exemptions, source.name);
  const decideFields = createFieldsDecision(slot);
  return {
    slot,
    // A part that could not be read leaves the fingerprint as it was last read.
    instrument: { ...omitUndefined({ fingerprint: instrumentMemory.last?.fingerprint }), ...source.instrument },
    ...omitUndefined({ answers: source.receipt.answersReceived }),
    ...(listing.unlisted === undefined && listing.overview === undefined ? {} : { listing }),
    ...(exemptUsers.length === 0 ? {} : { exemptUsers }),
    devices: devices.map((device) => createBaselineDevice(device.facts, decideFields(device))),
  };
}

function createFieldsDecision(slot: string): (device: MatchedDevice) => BaselineFields {
  const share = createSharing<BaselineFields>();
  return (device) => {
    const { status, reason, counted, excludedBecause, notInstalledSince, match } = device;
    const transitions = appendTransition(match?.known, status, slot);
    const movedFrom = listMovedFrom(device, slot);
    return share(
      selectBaselineFields({ status, reason, counted, excludedBecause, notInstalledSince, movedFrom, transitions }),
    );
  };
}

function listMovedFrom({ source, match }: MatchedDevice, on: string): BaselineDevice['movedFrom'] {
  const earlier = match?.known.movedFrom ?? [];
  const movedFrom =
    match?.how === 'moved' && match.source !== source && match.known.counted
      ? [...earlier, { source: match.source, id: match.known.facts.id, on }]
      : earlier;
  return movedFrom.length === 0 ? undefined : movedFrom;
}

function appendTransition(before: BaselineDevice | undefined, to: Status, slot: string): readonly Transition[] {
  const past = before?.transitions ?? [];
  if (before?.status === to) {
    return past;
  }
  return [...past, { slot, ...(before === undefined ? {} : { from: before.status }), to }].slice(-keptTransitions);
}

function listDepartedDevices(before: SourceState, baseline: Baseline, slot: string): readonly DepartedDevice[] {
  const present = createIdFinder(baseline.devices, (device) => device.facts.id);
  const isAbsent = (device: BaselineDevice) => present.find(device.facts.id) === undefined;
  const absent = (before.baseline?.devices ?? []).filter(isAbsent);
  const leaving = absent.map((device) => ({ ...unpack(device), leftOn: slot }));
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
