/** What became of each device within the last runs: so that any two of them can be compared without their reports. */
import type { Night } from '../../core/judged.ts';
import { compareCodePoints } from '../../core/order.ts';
import type { BaselineDevice } from '../../core/state.ts';
import { omitUndefined } from '../../omit-undefined.ts';
import type { TransitionReport } from './report-document.ts';

const comparedNights = 30;

/** The runs that can be compared, oldest first. */
function listComparedSlots({ state, slot }: Pick<Night, 'state' | 'slot'>): string[] {
  const slots = state.history.map((entry) => entry.slot).filter((one) => one <= slot);
  return slots.slice(-comparedNights);
}

export function listTransitions(night: Night): TransitionReport[] {
  const [first = night.slot] = listComparedSlots(night);
  const toReports = (source: string, { facts, transitions }: BaselineDevice) =>
    transitions
      .filter(({ slot }) => slot > first && slot <= night.slot)
      .map(({ slot, from, to }) => ({ slot, source, id: facts.id, ...omitUndefined({ name: facts.name, from }), to }));
  const all = night.state.sources.flatMap(({ name: source, baseline, departed }) => [
    ...(baseline?.devices ?? []).flatMap((device) => toReports(source, device)),
    ...departed
      .filter(({ leftOn }) => leftOn > first && leftOn <= night.slot)
      .flatMap((device) => [
        ...toReports(source, device),
        {
          ...{ slot: device.leftOn, source, id: device.facts.id },
          ...omitUndefined({ name: device.facts.name }),
          from: device.status,
        },
      ]),
  ]);
  return all.sort(
    (left, right) =>
      compareCodePoints(left.slot, right.slot) ||
      compareCodePoints(left.source, right.source) ||
      compareCodePoints(left.id, right.id),
  );
}
