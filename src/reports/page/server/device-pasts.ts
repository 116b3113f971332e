/** What devices were in the runs that the page compares: those that are there, and those that left. */
import { omitUndefined } from '../../../base/omit-undefined.ts';
import { toDeviceKey } from '../../../core/device/match-devices.ts';
import { addDays } from '../../../core/facts/calendar.ts';
import type { JudgedDevice, Night } from '../../../core/facts/judged.ts';
import type { BaselineDevice, PastCountLetter } from '../../../core/facts/state.ts';
import { toCountLetter } from '../../../core/source/count-letter.ts';
import { findFirstCompared } from '../../document/devices.ts';
import type { DepartedDevice, ListedDevice } from '../shared/page-data.ts';

/** What each device was in the compared runs, as its baseline knows. */
export function indexPasts({ state }: Night): ReadonlyMap<string, BaselineDevice> {
  const known = state.sources.flatMap(({ name, baseline }) =>
    (baseline?.devices ?? []).map((device) => [toDeviceKey(name, device.facts.id), device] as const),
  );
  return new Map(known);
}

/** In a run whose baseline did not move, a device can be something else than the baseline has. */
export function readPast(
  { source, facts, judgement }: JudgedDevice,
  pasts: ReturnType<typeof indexPasts>,
  slot: string,
  first: string,
): ListedDevice['past'] {
  const known = pasts.get(toDeviceKey(source, facts.id));
  const was = known === undefined ? '-' : toCountLetter(known);
  const isOther = was !== toCountLetter(judgement) && judgement.unread !== 'blank';
  return selectPast([...(known?.past ?? []), ...(isOther ? [{ slot, was }] : [])], first);
}

function selectPast(past: readonly PastCountLetter[] = [], first: string): ListedDevice['past'] {
  const compared = past.filter(({ slot }) => slot > first);
  return compared.length === 0 ? undefined : compared;
}

const daysOfDeparted = 90;

export function listDeparted(night: Night): DepartedDevice[] {
  const { state, slot } = night;
  const first = findFirstCompared(night);
  const oldest = addDays(slot, -daysOfDeparted);
  return state.sources.flatMap(({ name: source, departed }) =>
    departed
      .filter(({ leftOn }) => leftOn > oldest)
      .map(({ facts: { id, name, serialNumber }, leftOn, status, past }) => ({
        source,
        id,
        ...omitUndefined({ name, serialNumber, past: selectPast(past, first) }),
        leftOn,
        status,
      })),
  );
}
