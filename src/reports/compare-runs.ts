/** Compares any two judged runs, without those between them: a machine is the same where its entry has the same name. Pure. */
import type { JudgedMachine, Night } from '../core/facts/judged.ts';
import type { Entry } from '../core/facts/ledger.ts';
import { shareKinds } from '../core/facts/vocabulary.ts';
import { listChanges, type MachinePair, pairGoneMachine, pairMachine } from '../core/ledger/changes.ts';
import { toStandingRecord } from '../core/ledger/ledger.ts';
import { decideDifferenceKinds } from '../core/ledger/letters.ts';
import { computeTotalCoverage } from '../core/source/coverage.ts';
import { computeDifference } from '../core/source/difference.ts';
import { compareCodePoints } from '../core/text/order.ts';

/** The changes that matter most are first. */
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

/** Machines as both runs show them, also where a source was carried or suspect. */
function pairMachines(earlier: Night, later: Night): MachinePair[] {
  const before = new Map(earlier.machines.filter(isKnown).map((machine) => [machine.name, toEntry(machine)]));
  const known = later.machines.filter(isKnown);
  const names = new Set(known.map(({ name }) => name));
  const listed = known.map(({ name, device }): MachinePair => {
    const entry = before.get(name);
    const moved =
      entry !== undefined && (entry.standing.source !== device.source || entry.standing.id !== device.facts.id);
    return pairMachine({ name, device, before: entry, isOlderAnswer: false }, moved);
  });
  const gone = [...before.values()].filter(({ name }) => !names.has(name));
  return [...listed, ...gone.map((entry) => pairGoneMachine(entry, false))].filter(
    ({ was, is, moved }) => was !== is || moved,
  );
}

function isKnown({ device }: JudgedMachine): boolean {
  return device.judgement.unread !== 'blank';
}

/** The machine as an entry, so that two runs are compared as a run is with the ledger. */
function toEntry({ name, device }: JudgedMachine): Entry {
  const { status, counted, proven } = device.judgement;
  const standing = toStandingRecord(device);
  return { name, standing, status, counted, ...(proven && { proven }), history: [], listedOn: '' };
}
