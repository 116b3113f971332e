/** Plays a history through core and model, and says where they differ, a line a cell. */
import { findAnswer, readValue, readValueTime } from '../../src/core/record/judge-record.ts';
import type { Facts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import { listNames } from '../../src/core/facts/lists.ts';
import type { State } from '../../src/core/facts/state.ts';
import { judge } from '../../src/core/judge.ts';
import { rulesUnderTest } from '../kinds.ts';
import { countModelled, countRemembered, listCountableRuns } from './count-letters.ts';
import type { History } from './generate.ts';
import { judgeByModel } from './model.ts';
import { isCounted, type ListNight, type ModelNight, type Past } from './rows.ts';

export interface Difference {
  night: string;
  attempt: number;
  source: string;
  device: string;
  column: string;
  core: string;
  model: string;
}

export type Judge = (past: Past, earlier: readonly ModelNight[], facts: Facts) => ModelNight;

export interface Comparison {
  cells: number;
  differences: Difference[];
}

type Cells = Map<string, { source: string; device: string; column: string; value: string }>;

/** Stops at the first attempt in which they differ: what follows would only repeat it. */
export function compareHistory(history: History, judgeAgain: Judge = judgeByModel): Comparison {
  const past: ModelNight[][] = [];
  let state: State | undefined;
  let cells = 0;
  for (const step of history) {
    const earlier: ModelNight[] = [];
    const attempts = [...step.attempts];
    let published: Night | undefined;
    for (let attempt = attempts.shift(); attempt !== undefined; attempt = attempts.shift()) {
      const facts = rememberInstruments(attempt, published?.state);
      const night = judge(facts, state, rulesUnderTest);
      const expected = judgeAgain(past, earlier, attempt);
      const difference = compareNights(night, expected, earlier.length + 1, past);
      cells += difference.cells;
      if (difference.differences.length > 0) {
        return { cells, differences: difference.differences };
      }
      published = night;
      earlier.push(expected);
      const suspect = night.sources.filter(({ soundness }) => soundness === 'suspect').map(({ name }) => name);
      const shrunk = listNames.filter((name) => night.lists[name]?.soundness === 'shrunk');
      const isDoubted = suspect.length + shrunk.length > 0;
      if (attempts.length === 0 && step.isAccepted && isDoubted && attempt.accepted === undefined) {
        attempts.push({ ...attempt, accepted: { by: 'ada', at: attempt.moment, sources: suspect, lists: shrunk } });
      }
    }
    past.push(earlier);
    state = published === undefined ? state : (JSON.parse(JSON.stringify(published.state)) as State);
  }
  return { cells, differences: [] };
}

/** A later attempt at the same slot is told what the attempt before it learnt of the instruments. */
function rememberInstruments(facts: Facts, before: State | undefined): Facts {
  const earlierReadings = before?.sources.map(({ name, kind, instrumentMemory }) => ({ name, kind, instrumentMemory }));
  return earlierReadings === undefined ? facts : { ...facts, earlierReadings };
}

function compareNights(night: Night, expected: ModelNight, attempt: number, past: Past): Comparison {
  const core = listCoreCells(night);
  const model = listModelCells(expected);
  for (const run of listCountableRuns(past, expected)) {
    const { slot } = run.facts;
    addCell(core, `counted up for ${slot}`, countRemembered(night.state, slot));
    addCell(model, `counted up for ${slot}`, countModelled(run));
  }
  const differences: Difference[] = [];
  for (const key of new Set([...core.keys(), ...model.keys()])) {
    const left = core.get(key);
    const right = model.get(key);
    const place = left ?? right;
    if (place !== undefined && left?.value !== right?.value) {
      const { source, device, column } = place;
      const says = { core: left?.value ?? '(no row)', model: right?.value ?? '(no row)' };
      differences.push({ night: night.slot, attempt, source, device, column, ...says });
    }
  }
  return { cells: core.size, differences };
}

function addCell(cells: Cells, column: string, value: object): void {
  cells.set(column, { source: 'all', device: '', column, value: JSON.stringify(value) });
}

function makeCells(): { cells: Cells; add: (source: string, device: string, values: Record<string, unknown>) => void } {
  const cells: Cells = new Map();
  const add = (source: string, device: string, values: Record<string, unknown>) => {
    for (const [column, value] of Object.entries(values)) {
      cells.set(`${source}\n${device}\n${column}`, { source, device, column, value: String(value ?? '') });
    }
  };
  return { cells, add };
}

function listCoreCells(night: Night): Cells {
  const { cells, add } = makeCells();
  add('all', '', { 'order of devices': night.devices.map(({ source, facts }) => `${source}/${facts.id}`).join(' ') });
  for (const { name, soundness, first, baseline } of night.sources) {
    add(name, '', { soundness, first, baseline });
  }
  for (const row of night.devices) {
    const { status, reason, proven, stale, counted, excludedBecause, answeredOn } = row.judgement;
    add(row.source, row.facts.id, {
      status,
      reason,
      value: readValue(row),
      detail: findAnswer(row)?.detail,
      valueAt: readValueTime(row),
      stale,
      proven,
      counted,
      excludedBecause,
      answeredOn,
    });
    add(row.source, row.facts.id, { 'not installed since': row.judgement.notInstalledSince });
    const { expected, reportingAt, silent, isContradicted = false } = row.lists ?? {};
    add(row.source, row.facts.id, { expected, reportingAt, silent, isContradicted });
    add(row.source, row.facts.id, { facts: JSON.stringify(row.facts) });
  }
  for (const { source, device, kind, from, to, reason } of night.changes) {
    add(source, device.id, { [`change ${kind}`]: `${from ?? '-'} > ${to ?? '-'} because ${reason}` });
  }
  for (const row of night.groups) {
    add(row.source, row.device.id, {
      [`group ${row.group}`]: `${row.change}, ${row.inPicture}, ${row.inPlatformGroup ?? '?'}, ${row.verdict}`,
    });
  }
  for (const { source, operatingSystem: _platform, ...figures } of night.coverage) {
    add(source, '', figures);
  }
  for (const [index, { result, devices }] of night.exemptions.entries()) {
    add('all', '', { [`exemption ${index + 1}`]: `${result}, ${devices}` });
  }
  if (night.difference !== undefined) {
    const { shares, coverage, low, high } = night.difference;
    const devices = shares.flatMap(({ kind, devices: count }) => (count === undefined ? [] : [[kind, count] as const]));
    addCell(cells, 'reasons', Object.fromEntries(devices.sort(([left], [right]) => (left < right ? -1 : 1))));
    const sum = (bound: 'coverage' | 'low' | 'high') =>
      shares.reduce((all, share) => all + Math.round(share[bound] * 100), 0);
    const whole = [coverage, low, high].map((points) => Math.round(points * 100)).join();
    addCell(cells, 'shares add up', { isSum: whole === [sum('coverage'), sum('low'), sum('high')].join() });
  }
  for (const [name, { soundness, machines }] of Object.entries(night.lists)) {
    add('lists', name, { soundness, machines });
  }
  const { expected } = night.lists;
  const unenrolled = expected?.unenrolled?.map(
    ({ serialNumber, until, note }) => `${serialNumber} ${until ?? ''} ${note ?? ''}`,
  );
  add('lists', 'expected', { expected: expected?.expected, unenrolled: unenrolled?.join() });
  return cells;
}

function listModelCells(night: ModelNight): Cells {
  const { cells, add } = makeCells();
  add('all', '', { 'order of devices': night.rows.map(({ source, facts }) => `${source}/${facts.id}`).join(' ') });
  for (const { facts, soundness, first, baseline } of night.sources) {
    // The core's `first` is about the night that becomes the first baseline.
    add(facts.name, '', { soundness, first: first && ['complete', 'partial'].includes(soundness), baseline });
  }
  for (const row of night.rows) {
    const { status, reason, detail, valueAt, proven, stale, excludedBecause, answeredOn } = row;
    const value = row.value?.trim() === '' ? '' : row.value;
    const counted = isCounted(row);
    add(row.source, row.facts.id, {
      status,
      reason,
      value,
      detail,
      valueAt,
      stale,
      proven,
      counted,
      excludedBecause,
      answeredOn,
    });
    add(row.source, row.facts.id, { 'not installed since': row.since });
    const { isExpected: expected, reportingAt, silent, isContradicted = false } = row;
    add(row.source, row.facts.id, { expected, reportingAt, silent, isContradicted });
    add(row.source, row.facts.id, { facts: JSON.stringify(row.facts) });
  }
  for (const { source, id, kind, from, to, reason } of night.changes) {
    add(source, id, { [`change ${kind}`]: `${from ?? '-'} > ${to ?? '-'} because ${reason}` });
  }
  for (const row of night.groups) {
    add(row.source, row.id, {
      [`group ${row.group}`]: `${row.change}, ${row.inPicture}, ${row.inPlatformGroup ?? '?'}, ${row.verdict}`,
    });
  }
  for (const { source, ...figures } of night.coverage) {
    add(source, '', figures);
  }
  for (const [index, { result, devices }] of night.exemptions.entries()) {
    add('all', '', { [`exemption ${index + 1}`]: `${result}, ${devices}` });
  }
  const [tonight, total] = [night.reasons, night.coverage.at(-1)];
  if (tonight !== undefined && total !== undefined && total.counted > 0 && night.countedBefore > 0) {
    addCell(cells, 'reasons', tonight);
    addCell(cells, 'shares add up', { isSum: true });
  }
  for (const [name, { soundness, machines }] of Object.entries<ListNight>({ ...night.lists })) {
    add('lists', name, { soundness, machines });
  }
  const { expected } = night.lists;
  add('lists', 'expected', { expected: expected?.expected, unenrolled: expected?.unenrolled?.join() });
  return cells;
}

/** One plain line a cell. */
export function formatDifference(seed: number, difference: Difference): string {
  const { night, attempt, source, device, column, core, model } = difference;
  const place = `seed ${seed}, night ${night}, attempt ${attempt}, source ${source}, device ${device || '-'}`;
  return `${place}, ${column}: core says ${quote(core)}, model says ${quote(model)}`;
}

function quote(text: string): string {
  return text === '' ? 'nothing' : `"${text}"`;
}
