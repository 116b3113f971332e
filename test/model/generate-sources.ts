/** How one source is read in a random history: whole or not, by which instrument, with which groups. */

import { omitUndefined } from '../../src/base/omit-undefined.ts';
import type { CheckResult, DeviceFacts, GroupFacts, Receipt, SourceFacts } from '../../src/core/facts/facts.ts';
import { findKindModel, findKindOf } from './kinds.ts';
import type { Random } from './random.ts';
import { day } from './rows.ts';

/** What stands in the platform; it stays for some nights. */
interface Instrument {
  fingerprint: string | undefined;
  results: readonly CheckResult['result'][];
}

/** A source from run to run. */
export interface SourceLife {
  instrument: Instrument;
  isInSettings: boolean;
  /** It does not answer in full for some runs. */
  isFailing: boolean;
  /** Ids of devices that its server cannot return for some runs. */
  unreadable: Set<string>;
}

export function makeSourceLife(random: Random): SourceLife {
  const instrument = random.chance(0.85)
    ? { fingerprint: random.pick(['A', undefined]), results: sound }
    : pickInstrument(random);
  return { instrument, isInSettings: random.chance(0.9), isFailing: random.chance(0.05), unreadable: new Set() };
}

/** Taken out and added again, failing and well again. */
export function liveOn(random: Random, life: SourceLife): void {
  life.isInSettings = random.chance(life.isInSettings ? 0.95 : 0.35);
  life.isFailing = random.chance(life.isFailing ? 0.6 : 0.05);
  life.unreadable = new Set([...life.unreadable].filter(() => random.chance(0.5)));
}

const sound: readonly CheckResult['result'][] = ['pass'];

function pickInstrument(random: Random): Instrument {
  const results = random.pick<readonly CheckResult['result'][]>([
    ...[sound, sound, sound, sound],
    ...([['fail'], ['fail'], ['unknown'], ['unknown'], ['pass', 'fail'], ['pass', 'unknown']] as const),
    ...([['pass', 'not-checked'], ['not-checked'], []] as const),
  ]);
  return { fingerprint: random.pick(['A', 'A', 'B', 'C', undefined]), results };
}

/** Mostly repaired, or accepted as it stands. */
function changeInstrument(random: Random, life: SourceLife): void {
  if (random.chance(0.2)) {
    const { fingerprint } = life.instrument;
    life.instrument = random.chance(0.6) ? { fingerprint, results: sound } : pickInstrument(random);
  }
}

const brokenForNow: readonly Instrument[] = [
  { fingerprint: 'X', results: ['unknown'] },
  { fingerprint: 'X', results: ['fail'] },
  { fingerprint: undefined, results: ['fail'] },
];

interface Reading {
  name: string;
  life: SourceLife;
  devices: readonly DeviceFacts[];
  population: SourceFacts['population'];
  moment: number;
  /** Hours after the moment at which reading ended. */
  late: number;
  /** The last attempt at the slot fares better. */
  isLast: boolean;
}

export function readSource(random: Random, reading: Reading): SourceFacts {
  const { name, moment, late } = reading;
  const kind = findKindOf(name);
  const model = findKindModel(kind);
  changeInstrument(random, reading.life);
  // Mended before the next attempt at the slot, which alone is published.
  const { life } = reading;
  const instrument = !reading.isLast && random.chance(0.5) ? random.pick(brokenForNow) : life.instrument;
  const isIncomplete = life.isFailing || random.chance(reading.isLast ? 0.04 : 0.4);
  const couldNotBeRead = isIncomplete && random.chance(0.6);
  const devices = isIncomplete ? reading.devices.filter(() => random.chance(0.5)) : reading.devices;
  for (const { id } of devices) {
    if (random.chance(0.03)) {
      life.unreadable.add(id);
    }
  }
  const unread = isIncomplete ? [] : devices.filter(({ id }) => life.unreadable.has(id));
  const results = couldNotBeRead ? random.pick([[], ['unknown']] as const) : instrument.results;
  const ended = new Date(moment + (late * day) / 24 - (random.chance(0.1) ? day / 24 : 0)).toISOString();
  return {
    name,
    kind,
    ...(!model.knowsOwners || (reading.population === 'all' && name === 'pcs')
      ? {}
      : { population: reading.population ?? 'all' }),
    reading: isIncomplete ? 'incomplete' : 'complete',
    ...(isIncomplete ? { problem: { code: 'rows-missing', message: 'Not all rows.' } } : {}),
    receipt: makeReceipt(random, name, devices.length, new Date(moment).toISOString(), ended),
    instrument: couldNotBeRead ? {} : omitUndefined({ id: '6', fingerprint: instrument.fingerprint }),
    findings: [...results.map(makeFinding), ...makeOtherFinding(random)],
    groups: model.hasServerGroups ? makeGroups(random, devices, isIncomplete) : [],
    devices: devices.filter((device) => !unread.includes(device)),
    ...(unread.length === 0 ? {} : { unread: unread.map(({ id, operatingSystem }) => ({ id, operatingSystem })) }),
  };
}

function makeReceipt(random: Random, name: string, received: number, started: string, ended: string): Receipt {
  const knowsShares = !findKindModel(findKindOf(name)).hasServerGroups && random.chance(0.4);
  return omitUndefined({
    received,
    unlisted: knowsShares ? random.pick([0, 0, 0, 1, 5, 10, 11, 12, 20, 40]) : undefined,
    overview: knowsShares ? received + random.pick([-2, 0, 0, 0, 1, 5, 10, 11, 12, 20, 40]) : undefined,
    pages: 1,
    walks: 1,
    retries: 0,
    started,
    ended,
  });
}

function makeFinding(result: CheckResult['result'], index: number): CheckResult {
  return { check: `check-${index}`, result, expected: 'this', found: 'that', advice: 'Look.', instrument: true };
}

/** Checks that are not of the instrument have no say. */
function makeOtherFinding(random: Random): CheckResult[] {
  const result = random.pick([undefined, undefined, 'fail', 'pass'] as const);
  return result === undefined ? [] : [{ ...makeFinding(result, 9), instrument: false }];
}

function makeGroups(random: Random, devices: readonly DeviceFacts[], isIncomplete: boolean): GroupFacts[] {
  return (['Installed', 'Not Installed'] as const).map((holds) => {
    if (isIncomplete || random.chance(0.08)) {
      return { holds, name: `Agent ${holds}`, problem: 'It could not be read.' };
    }
    const selected = devices.filter(
      ({ managementState, answers }) => managementState === 'managed' && answers[0]?.value === holds,
    );
    const members = selected.filter(() => random.chance(0.97)).map(({ id }) => id);
    const strangers = [...devices.map(({ id }) => id), '~gone'].filter(
      (id) => !members.includes(id) && random.chance(0.03),
    );
    return { holds, name: `Agent ${holds}`, members: [...members, ...strangers].sort() };
  });
}
