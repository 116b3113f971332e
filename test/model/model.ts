/**
 * A slow, obvious model of a run: the rules of judgement once more, written from the design by somebody who does not
 * look at the core. It remembers earlier runs whole and looks everything up again; it shares nothing with the core but
 * the shape of facts. A sentence in quotation marks is the design's.
 */
import type { Facts } from '../../src/core/facts/facts.ts';
import { followAlerts } from './alerts.ts';
import { findBaseline } from './baselines.ts';
import { listChanges } from './changes.ts';
import { computeCoverage, computeTotal } from './coverage.ts';
import { countReasons } from './differences.ts';
import { assignEntries } from './entries.ts';
import { excludeRecords } from './exclusions.ts';
import { judgeExemption } from './exemptions.ts';
import { listGroups } from './groups.ts';
import { followInstrument, type InstrumentPast } from './instrument.ts';
import { countLists, judgeListsByModel } from './lists.ts';
import { formMachines } from './machines.ts';
import { listKept, moveOn } from './moving.ts';
import { listOwnDoubts } from './proof.ts';
import { listRecords } from './records.ts';
import { findPublished, findSource, type ListsNight, listPublished, type ModelNight, type Past } from './rows.ts';
import { rememberShared } from './shared-numbers.ts';
import { judgeSources } from './soundness.ts';
import { countFlow } from './sums.ts';

/**
 * One attempt at a run; `earlier` are the attempts at the same slot before it. Each is judged against the ledger that the
 * run before the slot left.
 */
export function judgeByModel(past: Past, earlier: readonly ModelNight[], facts: Facts): ModelNight {
  const before = listPublished(past).at(-1);
  const ledger = before?.ledger ?? [];

  // "Each record's own answer is judged first."
  const rows = listRecords(past, facts);
  const instruments = new Map(
    facts.sources.map(({ name }) => [name, followInstrument(past, earlier, facts, name)] as const),
  );
  for (const row of rows) {
    row.against = listOwnDoubts(row, instruments.get(row.source) as InstrumentPast, facts);
  }

  // "Then records are put together to machines."
  const sharedOn = rememberShared(before, rows, facts);
  const machines = formMachines(rows, ledger, sharedOn, facts);
  for (const machine of machines) {
    excludeRecords(machine, facts);
    // "The machine is not proven."
    if (machine.disagreeing.length > 0) {
      machine.standing.against.push('contradicted');
    }
  }
  const standing = machines.map((machine) => machine.standing);
  const exemptions = facts.exemptions.map((exemption) => judgeExemption(exemption, facts, standing));
  for (const row of exemptions.flatMap(({ excused }) => excused)) {
    row.excludedBecause = 'exempt';
  }
  const entries = assignEntries(machines, ledger);
  for (const machine of machines) {
    const entry = entries.get(machine);
    for (const row of machine.records.filter(({ status }) => status === 'Not Installed')) {
      // "A device has its entry's date if that is Not Installed, else the night's own."
      row.since = entry?.status === 'Not Installed' ? entry.since : (row.answeredOn ?? facts.slot);
    }
  }

  // What each source's answer was worth.
  const sources = judgeSources(past, facts, { machines, ledger, entries });
  for (const row of rows.filter(({ source }) => findSource(sources, source)?.soundness === 'untrusted')) {
    row.against.push('canary-wrong');
  }
  const lists = judgeListsByModel(past, { facts, rows, sources, machines, ledger });

  // What the run leaves, and how it differs from what was there.
  const transitions = moveOn({ facts, sources, rows, machines, ledger, entries });
  const changes = listChanges(transitions, rows, sources);
  const coverage = sources.map((night) => {
    const { name } = night.facts;
    const own = rows.filter(({ source }) => source === name);
    const ownChanges = changes.filter(({ source }) => source === name);
    const flow = countFlow(transitions, sources, name);
    return { ...computeCoverage(night, own, ownChanges, flow), ...countLists({ lists }, own) };
  });
  const total = computeTotal(coverage, countFlow(transitions, sources, undefined));
  const latest = findPublished(earlier) ?? before;
  return {
    facts,
    isPublished: true,
    sources,
    rows,
    machines,
    transitions,
    ledger: listKept(transitions, facts),
    sharedOn,
    // "A finding names them."
    sharing: [
      ...Map.groupBy(
        machines.filter(({ isShared }) => isShared),
        ({ number }) => number,
      ).values(),
    ].map((shared) => shared.map((machine) => machine.standing)),
    // "A finding names both."
    contradicting: machines.map(({ disagreeing }) => disagreeing),
    changes,
    reasons: countReasons(transitions, rows, sources),
    countedBefore: sources.reduce((sum, { facts: { name } }) => sum + countInBaseline(past, name), 0),
    groups: sources.flatMap((night) => {
      const { name } = night.facts;
      const own = rows.filter(({ source }) => source === name);
      return listGroups(night, own, { machines, ledger, entries });
    }),
    lists,
    coverage: [...coverage, { ...total, ...countLists({ lists }, rows), ...countMissing(lists) }],
    exemptions: exemptions.map(({ result, devices }) => ({ result, devices })),
    alerts: followAlerts(latest, { facts, sources, rows, transitions, instruments }),
    instruments,
  };
}

function countInBaseline(past: Past, name: string): number {
  return findBaseline(past, name)?.coverage.find(({ source }) => source === name)?.counted ?? 0;
}

function countMissing({ expected }: ListsNight) {
  return expected?.unenrolled && { expected: expected.expected, enrolledNowhere: expected.unenrolled.length };
}
