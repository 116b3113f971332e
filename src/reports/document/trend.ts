/** Ninety days of coverage, for all and for each platform, with the runs that were not complete and sound. */
import { addDays } from '../../core/calendar.ts';
import { computeInterval, computeTotalCoverage } from '../../core/coverage.ts';
import type { Note } from '../../core/facts.ts';
import type { Coverage } from '../../core/figures.ts';
import { compareCodePoints } from '../../core/order.ts';
import type { HistoryEntry } from '../../core/state.ts';
import type { Figures, IntervalFigures, Trend, TrendNight } from './report-document.ts';

const trendDays = 90;

export function buildTrends(history: readonly HistoryEntry[], slot: string): Trend[] {
  const oldest = addDays(slot, 1 - trendDays);
  const changed = findInstrumentChanges(history);
  const nights = history.filter((night) => night.slot >= oldest && night.slot <= slot);
  const platforms = [...new Set(nights.flatMap(({ coverage }) => coverage.map((row) => row.platform)))];
  platforms.sort((left, right) => Number(left !== 'all') - Number(right !== 'all') || (left < right ? -1 : 1));
  return platforms.map((platform) => ({
    platform,
    nights: nights.flatMap((night) => {
      const rows = night.coverage.filter((row) => row.platform === platform);
      return rows.length === 0 ? [] : [buildTrendNight(night.slot, rows, changed.get(night.slot) ?? [])];
    }),
  }));
}

/** Those of the days that the trend shows, up to the run itself. */
export function selectNotes(notes: readonly Note[], trends: readonly Trend[], slot: string): Note[] {
  const first = trends[0]?.nights[0]?.slot ?? slot;
  return notes
    .filter(({ date }) => date >= first && date <= slot)
    .sort((left, right) => compareCodePoints(left.date, right.date));
}

function buildTrendNight(slot: string, rows: readonly Coverage[], changed: readonly string[]): TrendNight {
  const sum = computeTotalCoverage(rows);
  const isAll = rows.some((row) => row.source === 'all');
  const instrumentChanged = isAll ? changed : changed.filter((name) => rows.some((row) => row.source === name));
  const { soundness, counted, notInstalled } = sum;
  return { slot, soundness, counted, notInstalled, ...toIntervalFigures(sum), instrumentChanged };
}

/** By slot: the sources whose instrument differs from the last one that could be read. */
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
  const { coverage, low, high } = computeInterval(row);
  return coverage === '' ? {} : { coverage: Number(coverage), low: Number(low), high: Number(high) };
}

export function toFigures(row: Coverage): Figures {
  return { ...row, ...toIntervalFigures(row) };
}
