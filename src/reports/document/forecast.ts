/** What the last runs let us expect, and how long the devices that need action have been missing. */
import { addDays, countDaysBetween } from '../../core/calendar.ts';
import type { Night } from '../../core/judged.ts';
import { listDevicesNeedingAction } from '../../core/needs-action.ts';
import type { Forecast, OpenFor, TrendNight } from './report-document.ts';

const nightsOfPace = 14;
const longestForecast = 365;

/** A straight line through the low figures of the last 14 sound runs. Nothing where there are fewer, or it does not rise. */
export function forecastTarget(
  nights: readonly TrendNight[],
  slot: string,
  target: number | undefined,
): Forecast | undefined {
  const sound = nights.flatMap(({ soundness, slot: date, low }) =>
    soundness === 'complete' && low !== undefined ? [{ day: countDaysBetween(slot, date), low }] : [],
  );
  const last = sound.slice(-nightsOfPace);
  const newest = last.at(-1);
  if (target === undefined || newest === undefined || last.length < nightsOfPace || newest.low >= target) {
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

export function countOpenFor({ devices, slot }: Pick<Night, 'devices' | 'slot'>): OpenFor[] {
  const missing = listDevicesNeedingAction(devices, ({ facts }) => facts.id);
  return openForDays.map((days) => ({
    days,
    devices: missing.filter(
      ({ notInstalledSince: since }) => since !== undefined && countDaysBetween(since, slot) >= days,
    ).length,
  }));
}
