/** Compares any two judged runs, without those between them, matching machines by the names of their entries. Pure. */
import { indexBy } from '../base/index-by.ts';
import type { JudgedDevice, Night } from '../core/facts/judged.ts';
import type { Entry } from '../core/facts/ledger.ts';
import { shareKinds } from '../core/facts/vocabulary.ts';
import { listChanges, type MachinePair, pairGoneMachine, pairMachine } from '../core/ledger/changes.ts';
import { toStandingRecord } from '../core/ledger/ledger.ts';
import { decideDifferenceKinds } from '../core/ledger/letters.ts';
import { isAnswerProven } from '../core/record/proof.ts';
import { computeTotalCoverage } from '../core/source/coverage.ts';
import { computeDifference } from '../core/source/difference.ts';
import { compareCodePoints } from '../core/text/order.ts';
import { isStanding } from './document/devices.ts';

/** Compares the runs; the most important changes are first. */
export function compareRuns(earlier: Night, later: Night) {
  const pairs = pairMachines(earlier, later);
  const changes = listChanges(pairs, decideDifferenceKinds).sort(
    (left, right) =>
      shareKinds.indexOf(left.kind) - shareKinds.indexOf(right.kind) ||
      compareCodePoints(left.source, right.source) ||
      compareCodePoints(left.device.id, right.device.id),
  );
  return { changes, difference: computeDifference(readFigures(earlier), readFigures(later), pairs) };
}

function readFigures({ slot, coverage }: Night) {
  return { ...(coverage.at(-1) ?? computeTotalCoverage([])), slot };
}

/** Pairs machines as both runs show them, also where a source was carried or suspect. */
function pairMachines(earlier: Night, later: Night): MachinePair[] {
  const before = indexBy(listKnownMachines(earlier).map(toEntry), ({ name }) => name);
  const known = listKnownMachines(later);
  const names = new Set(known.map(({ machine }) => machine));
  const listed = known.map((device): MachinePair => {
    const entry = before.get(device.machine);
    const moved =
      entry !== undefined && (entry.standing.source !== device.source || entry.standing.id !== device.facts.id);
    return pairMachine({ name: device.machine, device, before: entry, isOlderAnswer: false }, moved);
  });
  const gone = [...before.values()].filter(({ name }) => !names.has(name));
  return [...listed, ...gone.map((entry) => pairGoneMachine(entry, false))].filter(
    ({ was, is, moved }) => was !== is || moved,
  );
}

/** Rows of standing records that were read. */
function listKnownMachines({ devices }: Night): JudgedDevice[] {
  return devices.filter((device) => isStanding(device) && device.judgement.unread !== 'blank');
}

/** The machine as an entry, so that two runs are compared like a run with the ledger. */
function toEntry(device: JudgedDevice): Entry {
  const { status, counted } = device.judgement;
  const standing = toStandingRecord(device);
  return {
    name: device.machine,
    standing,
    status,
    counted,
    ...(isAnswerProven(device.judgement) && { proven: true }),
    history: [],
    listedOn: '',
  };
}
