/** Describes one source: its receipt, its instrument, the ages of its answers, and its exclusions. */

import { omitUndefined } from '../../base/omit-undefined.ts';
import type { JudgedDevice, JudgedSource, Night } from '../../core/facts/judged.ts';
import { type ExcludedBecause, exclusions } from '../../core/facts/vocabulary.ts';
import { readAnswerAge, readValue, readValueTime } from '../../core/record/judge-record.ts';
import { findUnchangedProvenFrom } from '../../core/record/proof.ts';
import { millisecondsPerDay, parseTime } from '../../core/time/calendar.ts';

export type SourceReport = ReturnType<typeof buildSourceReport>;
export type AgeBucket = SourceReport['ages'][number];

const ageLimits = [1, 7, 30, 90, 365, Number.POSITIVE_INFINITY];

export function buildSourceReport(source: JudgedSource, night: Night) {
  const devices = night.devices.filter((device) => device.source === source.name);
  const { instrument, boundary } = readInstrumentHistory(source, night);
  const { name, kind, operatingSystem: platform, deviceAddress, soundness, first, problem, baseline } = source;
  return {
    ...omitUndefined({ name, kind, platform, deviceAddress, soundness, first, problem, baseline }),
    receipt: source.receipt,
    instrument: {
      ...instrument,
      ...omitUndefined({ unchangedProvenFrom: readUnchangedProvenFrom(instrument, devices, night) }),
    },
    values: summarizeValues(devices, boundary, night),
    ages: countAges(devices, night),
    notCounted: countExcluded(devices),
    findings: source.findings,
  };
}

export type Measurement = 'current' | 'earlier' | '';

/** Makes a reader that says whether a device's value was measured with this run's instrument; '' without a value. */
export function createMeasurementReader(night: Night): (device: JudgedDevice) => Measurement {
  const boundaries = new Map(
    night.sources.map((source) => [source.name, readInstrumentHistory(source, night).boundary]),
  );
  return (device) => readMeasurement(device, boundaries.get(device.source), night);
}

function readMeasurement(device: JudgedDevice, boundary: string | undefined, { policy }: Night): Measurement {
  if (readValue(device) === undefined) {
    return '';
  }
  return boundary === undefined || isMeasuredSince(device, boundary, policy) ? 'current' : 'earlier';
}

/** The instrument of this run's values, since when it is used, and the time before which values are another instrument's. */
function readInstrumentHistory(source: JudgedSource, night: Night) {
  const { id, fingerprint, createdAt } = source.instrument;
  const repairedAt = night.state.sources.find((state) => state.name === source.name)?.instrumentMemory.repairedAt;
  const known = night.state.history.flatMap(({ slot, moment, instruments = [] }) => {
    const used = instruments.find((candidate) => candidate.source === source.name);
    return used === undefined ? [] : [{ slot, moment, isSame: used.fingerprint === fingerprint }];
  });
  const lastOther = known.findLastIndex(({ isSame }) => !isSame);
  const since = fingerprint === undefined ? undefined : known[lastOther + 1];
  const changed = since !== undefined && lastOther !== -1;
  const changedAt = changed ? since.moment : undefined;
  const boundary = [changedAt ?? [], repairedAt ?? []].flat().sort().at(-1);
  const use = omitUndefined({ id, fingerprint, createdAt, since: since?.slot });
  return { instrument: { ...use, changed, ...omitUndefined({ repairedAt }) }, boundary };
}

function summarizeValues(devices: readonly JudgedDevice[], boundary: string | undefined, night: Night) {
  const measured = devices.filter((device) => readValue(device) !== undefined);
  const times = measured.flatMap((device) => readAnswerAge(device) ?? []);
  const findDate = (choose: (one: number, other: number) => number) =>
    times.length === 0 ? undefined : new Date(times.reduce((one, other) => choose(one, other))).toISOString();
  const [oldest, newest] = [findDate(Math.min), findDate(Math.max)];
  const isCurrent = (device: JudgedDevice) => readMeasurement(device, boundary, night) === 'current';
  const byPresentInstrument = measured.filter(isCurrent).length;
  return { count: measured.length, ...omitUndefined({ newest, oldest }), byPresentInstrument };
}

/** Time in ISO 8601 UTC; undefined without a repair. The rules are the same for all devices of a source. */
function readUnchangedProvenFrom(
  { repairedAt }: { readonly repairedAt?: string },
  [device]: readonly JudgedDevice[],
  { policy }: Night,
): string | undefined {
  const time = repairedAt && device && findUnchangedProvenFrom(repairedAt, device.judgement.rules, policy);
  return time ? new Date(time).toISOString() : undefined;
}

/** Whether a value was measured after the boundary: an unchanged state counts as new only some time after it, as in proof. */
function isMeasuredSince(device: JudgedDevice, boundary: string, policy: Night['policy']): boolean {
  const isSince = (time: number | undefined, limit: number | undefined) =>
    time !== undefined && limit !== undefined && time >= limit;
  const changedAt = Date.parse(boundary);
  const age = readAnswerAge(device);
  return (
    (isSince(age, changedAt) && isSince(parseTime(readValueTime(device)), changedAt)) ||
    isSince(age, findUnchangedProvenFrom(boundary, device.judgement.rules, policy))
  );
}

function listAgeBounds({ policy }: Night): number[] {
  return [...new Set([...ageLimits, policy.staleAfterDays])].sort((left, right) => left - right);
}

/** Finds the smallest bound, in days, that includes the age; undefined where the time is not known. */
export function createAgeFinder(night: Night): (time: number | undefined) => number | undefined {
  const [bounds, now] = [listAgeBounds(night), Date.parse(night.moment)];
  return (time) => (time === undefined ? undefined : bounds.find((days) => now - time <= days * millisecondsPerDay));
}

/** The time by which the age of a device's value is judged; undefined where it has none. */
export function readValueAge(device: JudgedDevice): number | undefined {
  return readValue(device) === undefined ? undefined : readAnswerAge(device);
}

function countAges(devices: readonly JudgedDevice[], night: Night) {
  const findAgeBound = createAgeFinder(night);
  const counted = devices.filter(({ judgement }) => judgement.counted);
  const values = Map.groupBy(counted, (device) => findAgeBound(readValueAge(device)));
  const contacts = Map.groupBy(counted, ({ facts }) => findAgeBound(parseTime(facts.lastSeenAt)));
  return [...listAgeBounds(night), undefined].map((upToDays) => ({
    ...omitUndefined({ upToDays }),
    values: values.get(upToDays)?.length ?? 0,
    contacts: contacts.get(upToDays)?.length ?? 0,
  }));
}

function countExcluded(devices: readonly JudgedDevice[]) {
  return (Object.keys(exclusions) as ExcludedBecause[]).flatMap((because) => {
    const count = devices.filter((device) => device.judgement.excludedBecause === because).length;
    return count === 0 ? [] : [{ because, devices: count }];
  });
}
