/** What a night leaves to the next. The baseline moves only on a night that was complete, sound and not suspect. */
import { omitUndefined } from '../../base/omit-undefined.ts';
import { recallExemptions, rememberExemptions } from '../device/exemptions.ts';
import { toDeviceKey } from '../device/match-devices.ts';
import { addDays } from '../facts/calendar.ts';
import { createSharing } from '../facts/device-fields.ts';
import type { Facts, Status } from '../facts/facts.ts';
import type { BaselineMatch, FindMatch, JudgedDevice, JudgedSource } from '../facts/judged.ts';
import {
  type Baseline,
  type BaselineDevice,
  type CountLetter,
  type DepartedDevice,
  keptCountLetters,
  keptDeparted,
  keptTransitions,
  mostDepartedDevices,
  type PastCountLetter,
  type SourceState,
  selectBaselineFields,
  type Transition,
} from '../facts/state.ts';
import { toCountLetter } from '../source/count-letter.ts';
import { readListingFigures } from '../source/listing.ts';
import { listExemptionMemory, type SourceInput } from '../source/source-input.ts';
import { noProvisionalNights, rememberProvisionalNight } from './provisional.ts';

/** A source's devices, and what they were in the baselines. */
interface JudgedDevices {
  readonly devices: readonly JudgedDevice[];
  readonly findMatch: FindMatch;
}

export function computeNextSourceState(
  source: JudgedSource,
  input: SourceInput,
  tonight: JudgedDevices,
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
      return { ...before, provisional: rememberProvisionalNight(before.provisional, night, tonight.devices, known) };
    }
    case 'partial':
    case 'complete': {
      const baseline = buildBaseline(input, tonight, facts);
      const departed = listDepartedDevices(before, baseline, facts.slot);
      return { ...before, baseline, departed, provisional: noProvisionalNights };
    }
  }
}

function buildBaseline(
  input: SourceInput,
  { devices, findMatch }: JudgedDevices,
  { slot, exemptions }: Pick<Facts, 'slot' | 'exemptions'>,
): Baseline {
  const { source, instrumentMemory } = input;
  const listing = readListingFigures(source);
  const recalled = recallExemptions(exemptions, new Map(listExemptionMemory(input)));
  const exemptUsers = rememberExemptions(recalled, source.name);
  const share = createSharing<readonly Transition[]>();
  const sharePast = createSharing<readonly PastCountLetter[] | undefined>();
  return {
    slot,
    // A part that could not be read leaves the fingerprint as it was last read.
    instrument: { ...omitUndefined({ fingerprint: instrumentMemory.last?.fingerprint }), ...source.instrument },
    ...omitUndefined({ answers: source.receipt.answersReceived }),
    ...((listing.unlisted !== undefined || listing.overview !== undefined) && { listing }),
    ...(exemptUsers.length > 0 && { exemptUsers }),
    devices: devices
      .filter(({ judgement }) => judgement.unread !== 'blank')
      .map((device): BaselineDevice => {
        const { source: name, facts, judgement } = device;
        const match = findMatch(name, facts.id);
        const fields = {
          transitions: share(appendTransition(match?.known, judgement.status, slot)),
          past: sharePast(appendCountLetter(match, toCountLetter(judgement), slot)),
          movedFrom: listMovedFrom(name, match, slot),
          answeredOn: judgement.answeredOn === slot ? undefined : judgement.answeredOn,
        };
        return { facts, ...selectBaselineFields({ ...judgement, ...fields }) };
      }),
  };
}

function listMovedFrom(source: string, match: BaselineMatch | undefined, on: string): BaselineDevice['movedFrom'] {
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
  return [...past, { slot, ...(before && { from: before.status }), to }].slice(-keptTransitions);
}

function appendCountLetter(match: BaselineMatch | undefined, is: CountLetter, slot: string): BaselineDevice['past'] {
  const { known, wasAway, how, ownPast } = match ?? {};
  const was = known === undefined || wasAway || ownPast ? '-' : toCountLetter(known);
  const past = ownPast ?? known?.past;
  if (was === is && how !== 'moved') {
    return past;
  }
  const moved = (how === 'moved' && ownPast === undefined) || undefined;
  return extendPast(past, { slot, was, ...omitUndefined({ moved }) });
}

function extendPast(past: readonly PastCountLetter[] = [], last: PastCountLetter): readonly PastCountLetter[] {
  return [...past, last].slice(-keptCountLetters);
}

function listDepartedDevices(before: SourceState, baseline: Baseline, slot: string): readonly DepartedDevice[] {
  const present = new Set(baseline.devices.map(({ facts }) => facts.id));
  const isAbsent = ({ facts }: BaselineDevice) => !present.has(facts.id);
  const absent = (before.baseline?.devices ?? []).filter(isAbsent);
  const leaving = absent.map((device): DepartedDevice => {
    const past = extendPast(device.past, { slot, was: toCountLetter(device) });
    return { ...device, past, leftOn: slot };
  });
  const horizon = addDays(slot, -keptDeparted);
  const departed = before.departed.filter((device) => isAbsent(device) && device.leftOn >= horizon);
  // Those that left last: where machines are enrolled anew every day, the others would be most of what is kept.
  return [...departed, ...leaving].slice(-mostDepartedDevices);
}

/** What a machine was goes on with its newest record alone: the former one, where it is still listed, begins tonight. */
export function forgetMovedPasts(state: SourceState, moved: ReadonlySet<string>, slot: string): SourceState {
  if (moved.size === 0) {
    return state;
  }
  const forget = <Device extends BaselineDevice>(device: Device, past: BaselineDevice['past']): Device =>
    moved.has(toDeviceKey(state.name, device.facts.id)) ? { ...device, past } : device;
  const begun = [{ slot, was: '-' }] as const;
  const devices = state.baseline?.devices.map((device) => forget(device, begun)) ?? [];
  const baseline = state.baseline && { ...state.baseline, devices };
  const departed = state.departed.map((device) => forget(device, undefined));
  return { ...state, ...omitUndefined({ baseline }), departed };
}
