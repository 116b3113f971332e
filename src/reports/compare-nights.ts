/** What changed between any two judged nights, without what lay between them: the earlier one is taken as the baseline. Pure. */

import { matchDevices, type PreviousSource } from '../core/device/match-devices.ts';
import type { JudgedDevice, JudgedSource, Night } from '../core/facts/judged.ts';
import type { RulesTable } from '../core/facts/rules.ts';
import type { BaselineDevice } from '../core/facts/state.ts';
import { shareKinds } from '../core/facts/vocabulary.ts';
import { listChanges, pairDevices } from '../core/source/changes.ts';
import { decideDifferenceKinds } from '../core/source/count-letter.ts';
import { computeTotalCoverage } from '../core/source/coverage.ts';
import { computeDifference } from '../core/source/difference.ts';
import { compareCodePoints } from '../core/text/order.ts';

/** The changes that matter most are first. */
export function compareNights(earlier: Night, later: Night, rules: RulesTable) {
  const sources = new Map([...later.sources, ...earlier.sources].map((source) => [source.name, source]));
  const pasts = [...sources.values()].map((source) => toPreviousSource(source, earlier, rules));
  const matches = matchDevices(later.devices, pasts);
  const parts = pasts.map(({ state: { name, baseline } }) => ({
    name,
    pairs: pairDevices({ name, baseline }, selectDevices(later, name), matches),
  }));
  const changes = parts
    .flatMap(({ name, pairs }) => listChanges(name, pairs, decideDifferenceKinds))
    .sort(
      (left, right) =>
        shareKinds.indexOf(left.kind) - shareKinds.indexOf(right.kind) ||
        compareCodePoints(left.source, right.source) ||
        compareCodePoints(left.device.id, right.device.id),
    );
  const pairs = parts.flatMap((part) => part.pairs);
  return { changes, difference: computeDifference(readFigures(earlier), readFigures(later), pairs) };
}

function readFigures({ slot, coverage }: Night) {
  return { ...(coverage.at(-1) ?? computeTotalCoverage([])), slot };
}

/** The devices of the earlier night, as a baseline has them, beside those that it knew to be gone. */
function toPreviousSource({ name, kind, instrument }: JudgedSource, earlier: Night, rules: RulesTable): PreviousSource {
  const known = selectDevices(earlier, name).filter(({ judgement }) => judgement.unread !== 'blank');
  const baseline = { slot: earlier.slot, instrument, devices: known.map(toBaselineDevice) };
  const departed = earlier.state.sources.find((source) => source.name === name)?.departed ?? [];
  const memory = { departed, provisional: { nights: [], devices: [] }, instrumentMemory: {} };
  return { state: { name, kind, baseline, ...memory }, rules: rules.rulesFor(kind), isConfigured: true };
}

function selectDevices({ devices }: Night, name: string): JudgedDevice[] {
  return devices.filter(({ source }) => source === name);
}

function toBaselineDevice({ facts, judgement }: JudgedDevice): BaselineDevice {
  const { status, reason, counted, proven, excludedBecause } = judgement;
  return { facts, status, reason, counted, proven, excludedBecause, transitions: [] };
}
