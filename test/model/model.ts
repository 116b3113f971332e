/**
 * A slow, obvious model of a night: the rules of judgement once more, written from the design by somebody who does not
 * look at the core. It remembers earlier nights whole and looks everything up again; it shares nothing with the core
 * but the shape of facts.
 */
import type { Facts, SourceFacts } from '../../src/core/facts/facts.ts';
import { readDevice } from './answers.ts';
import {
  findPredecessor,
  findSince,
  hasGoneOnElsewhere,
  isSameRecord,
  listBaselineRows,
  listBaselines,
  listKnownDevices,
  type Predecessor,
} from './baselines.ts';
import { listChanges, type Pairing } from './changes.ts';
import { computeCoverage, computeTotal } from './coverage.ts';
import { countReasons, sumReasons } from './differences.ts';
import { findExclusion, findSuperseder, listTwins } from './exclusions.ts';
import { judgeExemption } from './exemptions.ts';
import { listGroups } from './groups.ts';
import { followInstrument, type InstrumentPast, isSoundInstrument, wasTakenSoundly } from './instrument.ts';
import { countLists, judgeListsByModel } from './lists.ts';
import {
  compareText,
  day,
  isBlank,
  isCounted,
  isWhole,
  type ListsNight,
  type ModelNight,
  type Past,
  type Row,
  type SourceNight,
} from './rows.ts';
import {
  type DeviceRecord,
  dropUnknownDates,
  filterSameMachine,
  foldSerial,
  isSharedSerial,
} from './serial-numbers.ts';
import { isSuspect } from './soundness.ts';

/** One attempt at a night; `earlier` are the attempts at the same slot before it. */
export function judgeByModel(past: Past, earlier: readonly ModelNight[], facts: Facts): ModelNight {
  const moment = Date.parse(facts.moment);
  const { policy } = facts;

  // Which rows are shown: tonight's, the baseline's, or none.
  const baselines = new Map(facts.sources.map(({ name }) => [name, listBaselines(past, name)[0]]));
  const carried = new Map<string, Facts>();
  for (const source of facts.sources) {
    const baseline = baselines.get(source.name);
    if (source.reading === 'incomplete' && baseline !== undefined) {
      carried.set(source.name, baseline.facts);
    }
  }
  const rows = facts.sources.flatMap((source): Row[] => {
    const before = listBaselineRows(baselines.get(source.name), source.name);
    const keep = (row: Row): Row => ({ ...row, ...readDevice(row.facts, row.kind, policy, moment), isUnread: false });
    if (source.reading === 'incomplete') {
      return before.map(keep);
    }
    const unread = (source.unread ?? []).map((one): Row => {
      const kept = before.find((row) => row.facts.id === one.id);
      const row = kept === undefined ? makeRow(source, { ...one, answers: [] }, facts) : keep(kept);
      const answeredOn = kept?.answeredOn;
      return { ...row, answeredOn, reason: 'unread', isClear: false, isUnread: true };
    });
    const read = source.devices.map((device) => makeRow(source, device, facts));
    return [...read, ...unread].sort((one, other) => compareText(one.facts.id, other.facts.id));
  });

  // What the instrument says about the values.
  const instruments = new Map(
    facts.sources.map(({ name }) => [name, followInstrument(past, earlier, facts, name)] as const),
  );
  for (const row of rows) {
    const instrument = instruments.get(row.source) as InstrumentPast;
    row.proven = row.isClear && wasTakenSoundly(row, row.facts, row.kind, instrument, policy);
  }
  const sourceOf = (name: string) => facts.sources.find((source) => source.name === name) as SourceFacts;
  const isMeasured = ({ reading, findings }: SourceFacts) => reading === 'incomplete' || isSoundInstrument(findings);
  const canBeProven = (row: Row) => row.proven && isMeasured(sourceOf(row.source));

  // A source that is taken out of the settings tonight was still known last night.
  const lastNight = past.at(-1)?.at(-1)?.facts.sources ?? [];
  const names = new Set([...facts.sources, ...lastNight].map(({ name }) => name));
  const known = [...names].flatMap((name) => listKnownDevices(past, name));
  const gone = known
    .filter(({ row }) => !rows.some((other) => isSameRecord(other, row)))
    .filter(({ leftOn, age }) => age === 0 || Date.parse(facts.slot) - Date.parse(leftOn) < 30 * day)
    .map(({ row }): DeviceRecord => ({ ...row, isGone: true }));

  // Who is counted.
  const machines = { rows, gone, moment, staleAfterDays: policy.staleAfterDays };
  const populationOf = (name: string) => sourceOf(name).population;
  const superseders = new Map<Row, Row>();
  const doubted: Row[] = [];
  for (const row of rows) {
    const twins = listTwins(row, machines, populationOf, canBeProven);
    const superseder = findSuperseder(row, machines, twins);
    if (superseder !== undefined) {
      superseders.set(row, superseder);
    }
    const clear = twins.filter(canBeProven);
    if (row === twins[0] && clear.some(({ status }) => status !== row.status)) {
      doubted.push(row);
    }
  }
  for (const row of rows) {
    row.isSuperseded = superseders.has(row);
    row.excludedBecause = isBlank(row) ? undefined : findExclusion(row, populationOf(row.source));
    row.proven = row.proven && !doubted.includes(row);
  }
  const exemptions = facts.exemptions.map((exemption) => judgeExemption(exemption, facts, rows, past));
  for (const row of exemptions.flatMap(({ excused }) => excused)) {
    row.excludedBecause = 'exempt';
  }

  // What each device was before.
  // A record continues one other at most; counted ones choose first.
  const predecessors = new Map<Row, Predecessor>();
  for (const row of [...rows.filter(isCounted), ...rows.filter((one) => !isCounted(one))]) {
    const taken = [...predecessors.values()].filter(({ isMove }) => isMove);
    const predecessor = isBlank(row)
      ? undefined
      : findPredecessor(row, rows, known, taken, moment, policy.staleAfterDays);
    if (predecessor !== undefined) {
      predecessors.set(row, predecessor);
    }
  }
  const pairings = rows.map((row): Pairing => ({ row, predecessor: predecessors.get(row) }));
  const movers = pairings.filter(({ row, predecessor }) => predecessor?.isMove === true && !carried.has(row.source));
  const findMovers = (old: Row) =>
    movers.filter(({ predecessor }) => predecessor !== undefined && isSameRecord(predecessor.known.row, old));
  const hasMovedTonight = (old: Row) => findMovers(old).length > 0;
  const hasMovedWithin = (old: Row) => findMovers(old).some(({ row }) => row.source === old.source);
  const hasMovedAway = (old: Row) => hasMovedTonight(old) || hasGoneOnElsewhere(old, past, rows);
  for (const { row, predecessor } of pairings.filter((pairing) => !carried.has(pairing.row.source))) {
    row.since = findSince(past, row, predecessor, facts.slot);
  }

  // What each source's night was worth.
  const sources = facts.sources.map((source): SourceNight => {
    const baseline = baselines.get(source.name);
    const own = pairings.filter(({ row }) => row.source === source.name);
    const before = baseline?.facts.sources.find(({ name }) => name === source.name);
    const beforeRows = listBaselineRows(baseline, source.name);
    const night = { facts: source, first: baseline === undefined, baseline: baseline?.facts.slot };
    if (source.reading === 'incomplete') {
      return { ...night, soundness: baseline === undefined ? 'missing' : 'carried' };
    }
    if (!isSoundInstrument(source.findings) || hasWrongCanary(facts, source, rows)) {
      return { ...night, soundness: 'untrusted' };
    }
    const isSupersededByCounted = (row: Row) => {
      const superseder = superseders.get(row);
      return known.some(
        (one) =>
          one.age === 0 &&
          one.row.source === superseder?.source &&
          one.row.facts.id === superseder.facts.id &&
          isCounted(one.row),
      );
    };
    const comparison = { tonight: source, before, beforeRows, pairings: own, hasMovedAway, isSupersededByCounted };
    if (isSuspect(comparison, facts)) {
      return { ...night, soundness: 'suspect' };
    }
    return { ...night, soundness: source.unread === undefined ? 'complete' : 'partial' };
  });
  for (const row of rows) {
    const soundness = sources.find(({ facts: { name } }) => name === row.source)?.soundness;
    row.proven = row.proven && soundness !== 'untrusted';
  }

  // What the lists say, after everything else.
  const isShared = (row: Row) => {
    const own = filterSameMachine(rows, row.facts).filter(({ kind }) => kind === row.kind);
    const left = filterSameMachine(gone, row.facts).filter(({ kind }) => kind === row.kind);
    return own.length > 1 && isSharedSerial([...own, ...left], moment, policy.staleAfterDays);
  };
  const lists = judgeListsByModel(past, { facts, rows, sources, isShared });

  // What changed.
  const parts = sources.map((night) => {
    const { name } = night.facts;
    const own = pairings.filter(({ row }) => row.source === name);
    const ownRows = own.map(({ row }) => row);
    const before = listBaselineRows(baselines.get(name), name);
    const isCompared = !night.first && night.soundness !== 'carried';
    const changes = isCompared ? listChanges(own, before, hasMovedAway) : [];
    const groups = night.soundness === 'missing' ? [] : listGroups(night, own, before, hasMovedWithin);
    const wasCounted = ({ predecessor }: Pairing) =>
      predecessor?.known.age === 0 && predecessor.known.row.source === name && isCounted(predecessor.known.row);
    const stayed = own.filter((pairing) => isCounted(pairing.row) && wasCounted(pairing)).length;
    const joined = isCompared ? ownRows.filter((row) => isCounted(row) && !isBlank(row)).length - stayed : 0;
    const left = isCompared ? before.filter(isCounted).length - stayed : 0;
    const gone = before.filter((row) => !own.some((one) => one.row.facts.id === row.facts.id) && !hasMovedAway(row));
    const reasons = isCompared && isWhole(night) ? countReasons(own, gone, hasMovedAway) : undefined;
    const figures = { ...computeCoverage(night, ownRows, changes, joined, left), ...countLists({ lists }, ownRows) };
    return { changes, groups, reasons, coverage: figures };
  });
  const coverage = parts.map((part) => part.coverage);
  return {
    facts,
    sources,
    rows,
    changes: parts.flatMap(({ changes }) => changes),
    reasons: parts.every(({ reasons }) => reasons !== undefined)
      ? sumReasons(parts.map(({ reasons }) => reasons ?? {}))
      : undefined,
    countedBefore: [...baselines].reduce(
      (sum, [name, night]) => sum + (night?.coverage.find(({ source }) => source === name)?.counted ?? 0),
      0,
    ),
    moves: movers.flatMap(({ row, predecessor }) => {
      const from = predecessor?.known.row;
      return from !== undefined && from.source !== row.source && isCounted(from) ? [{ from, to: row.source }] : [];
    }),
    groups: parts.flatMap(({ groups }) => groups),
    lists,
    coverage: [...coverage, { ...computeTotal(coverage), ...countLists({ lists }, rows), ...countMissing(lists) }],
    exemptions: exemptions.map(({ result, devices }) => ({ result, devices })),
  };
}

function countMissing({ expected }: ListsNight) {
  return expected?.unenrolled && { expected: expected.expected, enrolledNowhere: expected.unenrolled.length };
}

function makeRow(source: SourceFacts, device: SourceFacts['devices'][number], facts: Facts): Row {
  const known = dropUnknownDates(device, Math.max(Date.parse(facts.moment), Date.parse(source.receipt.ended)));
  return {
    source: source.name,
    kind: source.kind,
    platform: device.operatingSystem,
    facts: known,
    ...readDevice(known, source.kind, facts.policy, Date.parse(facts.moment)),
    proven: false,
    excludedBecause: undefined,
    isSuperseded: false,
    since: undefined,
    isUnread: false,
    answeredOn: facts.slot,
  };
}

/** A proven answer of a machine that is kept on purpose, and that contradicts what is expected of it. */
function hasWrongCanary({ canaries = [] }: Facts, source: SourceFacts, rows: readonly Row[]): boolean {
  return canaries.some((canary) =>
    rows.some(
      (row) =>
        row.source === source.name &&
        canary.source === source.name &&
        foldSerial(canary.serial) === foldSerial(row.facts.serialNumber) &&
        !row.isSuperseded &&
        row.proven &&
        row.status !== canary.expect,
    ),
  );
}
