/** Ninety days of coverage, for all devices and each platform, with the runs that were not complete and sound. */

import { omitUndefined } from '../../base/omit-undefined.ts';
import type { Note } from '../../core/facts/company.ts';
import type { Night } from '../../core/facts/judged.ts';
import type { Coverage, HistoryEntry } from '../../core/facts/state.ts';
import { listDevicesNeedingAction, toActionCandidate } from '../../core/machine/needs-action.ts';
import {
  type CoverageInterval,
  computeInterval,
  computeReportingInterval,
  computeTotalCoverage,
} from '../../core/source/coverage.ts';
import { compareCodePoints } from '../../core/text/order.ts';
import { addDays, countDaysBetween } from '../../core/time/calendar.ts';

/** Figures in percent with two decimals; absent where nothing is counted. */
export interface IntervalFigures {
  readonly coverage?: number;
  readonly low?: number;
  readonly high?: number;
}

export type Figures = ReturnType<typeof toFigures>;
export type Trend = ReturnType<typeof buildTrends>[number];
export type TrendRun = ReturnType<typeof buildTrendRun>;

const trendDays = 90;

export function buildTrends(history: readonly HistoryEntry[], slot: string) {
  const oldest = addDays(slot, 1 - trendDays);
  const changed = findInstrumentChanges(history);
  const nights = history.filter((night) => night.slot >= oldest && night.slot <= slot);
  const systems = [...new Set(nights.flatMap(({ coverage }) => coverage.map((row) => row.operatingSystem)))];
  systems.sort((left, right) => Number(left !== 'all') - Number(right !== 'all') || (left < right ? -1 : 1));
  return systems.map((platform) => ({
    platform,
    nights: nights.flatMap((night) => {
      const rows = night.coverage.filter((row) => row.operatingSystem === platform);
      return rows.length === 0 ? [] : [buildTrendRun(night.slot, rows, changed.get(night.slot) ?? [])];
    }),
  }));
}

/** Notes of the days that the trend shows, up to the run itself. */
export function selectNotes(notes: readonly Note[], trends: readonly Trend[], slot: string): Note[] {
  const first = trends[0]?.nights[0]?.slot ?? slot;
  return notes
    .filter(({ date, problem }) => problem === undefined && date >= first && date <= slot)
    .map(({ date, text }) => ({ date, text }))
    .sort((left, right) => compareCodePoints(left.date, right.date));
}

export function listIgnoredNotes(notes: readonly Note[]): string[] | undefined {
  const ignored = notes.flatMap(({ line, problem }) => (problem === undefined ? [] : `line ${line}: ${problem}`));
  return ignored.length === 0 ? undefined : ignored;
}

function buildTrendRun(slot: string, rows: readonly Coverage[], changed: readonly string[]) {
  const sum = computeTotalCoverage(rows);
  const isAll = rows.some((row) => row.source === 'all');
  const instrumentChanged = isAll ? changed : changed.filter((name) => rows.some((row) => row.source === name));
  const { soundness, counted, notInstalled, provenInstalled, provenNotInstalled } = sum;
  const { coverage: reporting } = toNumbers(computeReportingInterval(sum));
  const proven = { provenInstalled, provenNotInstalled };
  const figures = { ...toIntervalFigures(sum), ...omitUndefined({ reporting }) };
  return { slot, soundness, counted, notInstalled, ...proven, ...figures, instrumentChanged };
}

/** Lists, by slot, the sources whose instrument differs from the last one that could be read. */
function findInstrumentChanges(history: readonly HistoryEntry[]): Map<string, string[]> {
  const last = new Map<string, string | undefined>();
  const changes = new Map<string, string[]>();
  for (const { slot, instruments = [] } of history) {
    for (const { source, fingerprint } of instruments) {
      if (last.has(source) && last.get(source) !== fingerprint) {
        changes.set(slot, [...(changes.get(slot) ?? []), source]);
      }
      last.set(source, fingerprint);
    }
  }
  return changes;
}

export function toIntervalFigures(row: Parameters<typeof computeInterval>[0]): IntervalFigures {
  return toNumbers(computeInterval(row));
}

function toNumbers({ coverage, low, high }: CoverageInterval): IntervalFigures {
  return coverage === '' ? {} : { coverage: Number(coverage), low: Number(low), high: Number(high) };
}

export function toFigures({ source, operatingSystem: platform, ...row }: Coverage) {
  const reporting = computeReportingInterval(row);
  const reportingInterval = reporting.coverage === '' ? undefined : toNumbers(reporting);
  return { source, platform, ...row, ...toIntervalFigures(row), ...omitUndefined({ reportingInterval }) };
}

/** Runs on which a forecast is based; the next line limits its days. */
const runsOfPace = 14;
const longestForecast = 365;

/** Forecasts the target with a line through the low figures of the last 14 sound runs; undefined if it does not rise. */
export function forecastTarget(nights: readonly TrendRun[], slot: string, target: number | undefined) {
  const sound = nights.flatMap(({ soundness, slot: date, low }) =>
    soundness === 'complete' && low !== undefined ? [{ day: countDaysBetween(slot, date), low }] : [],
  );
  const last = sound.slice(-runsOfPace);
  const newest = last.at(-1);
  if (target === undefined || newest === undefined || last.length < runsOfPace || newest.low >= target) {
    return undefined;
  }
  const { slope, atSlot } = fitLine(last);
  const days = Math.ceil((target - atSlot) / slope);
  return slope > 0 && days > 0 && days <= longestForecast ? { target, on: addDays(slot, days) } : undefined;
}

function fitLine(points: readonly { readonly day: number; readonly low: number }[]) {
  const count = points.length;
  const meanDay = points.reduce((sum, { day }) => sum + day, 0) / count;
  const meanLow = points.reduce((sum, { low }) => sum + low, 0) / count;
  const spread = points.reduce((sum, { day }) => sum + (day - meanDay) ** 2, 0);
  const slope = points.reduce((sum, { day, low }) => sum + (day - meanDay) * (low - meanLow), 0) / spread;
  return { slope, atSlot: meanLow - slope * meanDay };
}

const openForDays = [7, 30, 90] as const;

export function countOpenFor({ devices, slot }: Pick<Night, 'devices' | 'slot'>) {
  const missing = listDevicesNeedingAction(devices, toActionCandidate);
  return openForDays.map((days) => ({
    days,
    devices: missing.filter(
      ({ judgement: { notInstalledSince: since } }) => since !== undefined && countDaysBetween(since, slot) >= days,
    ).length,
  }));
}
