/** What the core says about a history, as cells. */
import { findAnswer, readValue, readValueTime } from '../../src/core/device/judge-device.ts';
import type { Facts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import type { State } from '../../src/core/facts/state.ts';
import { judge } from '../../src/core/judge.ts';
import { rulesUnderTest } from '../kinds.ts';
import { type Cells, makeCells } from './cells.ts';
import type { Side } from './compare.ts';

/** It remembers what the product would: the state that the last published attempt left. */
export function startCore(): Side {
  let before: State | undefined;
  let published: Night | undefined;
  let slot: string | undefined;
  return (attempt, isPublished) => {
    if (attempt.slot !== slot) {
      before = published === undefined ? before : (JSON.parse(JSON.stringify(published.state)) as State);
      published = undefined;
      slot = attempt.slot;
    }
    const night = judge(rememberInstruments(attempt, published?.state), before, rulesUnderTest);
    published = isPublished ? night : published;
    return listCoreCells(night);
  };
}

/** A later attempt at the same slot is told what the attempt before it learnt of the instruments. */
function rememberInstruments(facts: Facts, before: State | undefined): Facts {
  const earlierReadings = before?.sources.map(({ name, kind, instrumentMemory }) => ({ name, kind, instrumentMemory }));
  return earlierReadings === undefined ? facts : { ...facts, earlierReadings };
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
    const reasons = Object.fromEntries(devices.sort(([left], [right]) => (left < right ? -1 : 1)));
    const sum = (bound: 'coverage' | 'low' | 'high') =>
      shares.reduce((all, share) => all + Math.round(share[bound] * 100), 0);
    const whole = [coverage, low, high].map((points) => Math.round(points * 100)).join();
    const isSum = whole === [sum('coverage'), sum('low'), sum('high')].join();
    add('all', '', { reasons: JSON.stringify(reasons), 'shares add up': isSum });
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
