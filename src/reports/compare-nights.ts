/** What changed between any two judged nights, without what lay between them: the earlier one is taken as the baseline. Pure. */

import { matchDevices, type PreviousSource } from '../core/device/match-devices.ts';
import type { Change, JudgedDevice, JudgedSource, Night } from '../core/facts/judged.ts';
import type { RulesTable } from '../core/facts/rules.ts';
import type { BaselineDevice } from '../core/facts/state.ts';
import { changeKinds } from '../core/facts/vocabulary.ts';
import { listChanges } from '../core/source/changes.ts';
import { compareCodePoints } from '../core/text/order.ts';

export function compareNights(earlier: Night, later: Night, rules: RulesTable): Change[] {
  const sources = new Map([...later.sources, ...earlier.sources].map((source) => [source.name, source]));
  const pasts = [...sources.values()].map((source) => toPreviousSource(source, earlier, rules));
  const matches = matchDevices(later.devices, pasts);
  return pasts
    .flatMap(({ state }) => listChanges(state, selectDevices(later, state.name), matches))
    .sort(
      (left, right) =>
        changeKinds.indexOf(left.kind) - changeKinds.indexOf(right.kind) ||
        compareCodePoints(left.source, right.source) ||
        compareCodePoints(left.device.id, right.device.id),
    );
}

/** The devices of the earlier night, as a baseline has them. */
function toPreviousSource({ name, kind, instrument }: JudgedSource, earlier: Night, rules: RulesTable): PreviousSource {
  const baseline = { slot: earlier.slot, instrument, devices: selectDevices(earlier, name).map(toBaselineDevice) };
  const memory = { departed: [], provisional: { nights: [], devices: [] }, instrumentMemory: {} };
  return { state: { name, kind, baseline, ...memory }, rules: rules.rulesFor(kind), isConfigured: true };
}

function selectDevices({ devices }: Night, name: string): JudgedDevice[] {
  return devices.filter(({ source }) => source === name);
}

function toBaselineDevice({ facts, judgement }: JudgedDevice): BaselineDevice {
  const { status, reason, counted, excludedBecause } = judgement;
  return { facts, status, reason, counted, excludedBecause, transitions: [] };
}
