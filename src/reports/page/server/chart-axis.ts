/** Axes of a chart: the part of the percentages that shows the movement, the target, and the days. */

import { type Html, html } from '../../../base/html.ts';
import { addDays, countDaysBetween } from '../../../core/time/calendar.ts';
import type { Trend } from '../../document/trend.ts';
import { fillText } from '../shared/format.ts';
import { overviewTexts } from '../shared/texts.ts';
import { type ChartScale, chartSize, computeX, computeY } from '../shared/trend-scale.ts';

const axisSteps = [0.5, 1, 2, 5, 10];
/** Points of the axis at least; fewer would make one device look like a mountain. */
const fewestPoints = 2;
/** Points within which a target is drawn; one farther away is named at the edge. */
const nearbyPoints = 5;

/**
 * Computes the scale so that it just includes both lines: a change of 0.3 points is visible beside an interval of 40.
 * The reader can choose the axis from 0 to 100, which includes every interval.
 */
export function computeScale(trend: Trend, first: string, slot: string, target: number | undefined): ChartScale {
  const values = trend.nights.flatMap(({ coverage, reporting }) => [coverage ?? [], reporting ?? []].flat());
  const [least, most] = values.length === 0 ? [100, 100] : [Math.min(...values), Math.max(...values)];
  const isNear = target !== undefined && target > least - nearbyPoints && target < most + nearbyPoints;
  const [from, to] = isNear ? [Math.min(least, target), Math.max(most, target)] : [least, most];
  const span = Math.max(fewestPoints, to - from);
  const step = axisSteps.find((size) => span / size <= 4) ?? 25;
  const middle = (from + to) / 2;
  const low = Math.max(0, Math.floor((middle - span / 2) / step) * step);
  const high = Math.min(100, Math.ceil((middle + span / 2) / step) * step);
  return { low, high, step, first, slot };
}

export function renderAxis(scale: ChartScale): Html {
  const count = Math.floor((scale.high - scale.low) / scale.step) + 1;
  const values = Array.from({ length: count }, (_, index) => scale.low + index * scale.step);
  return html`${values.map((value) => {
    const y = computeY(value, scale);
    return html`<line class="grid" x1="0" x2="100%" y1="${y}" y2="${y}"/><text class="tick" x="-6" y="${y + 4}" text-anchor="end">${value}</text>`;
  })}`;
}

export function renderTargetBeyond(scale: ChartScale, target: number | undefined): Html {
  if (target === undefined || (target >= scale.low && target <= scale.high)) {
    return html``;
  }
  const arrow = target > scale.high ? '↑' : '↓';
  const y = computeY(target, scale) + (target > scale.high ? -4 : 12);
  return html`<text class="tick" x="100%" y="${y}" text-anchor="end">${fillText(overviewTexts.target, { target })} ${arrow}</text>`;
}

export function renderDates(scale: ChartScale): Html {
  const dates = chooseDates(scale);
  return html`${dates.map((date, index) => {
    const anchor = index === dates.length - 1 ? 'end' : index === 0 ? 'start' : 'middle';
    return html`<text class="tick ${anchor === 'middle' ? anchor : ''}" x="${computeX(date, scale)}%" y="${chartSize.height - chartSize.bottom + 30}" text-anchor="${anchor}">${date}</text>`;
  })}`;
}

/** Dates to show: the first run, the last one, and one between them where there is room. */
function chooseDates({ first, slot }: ChartScale): string[] {
  const span = countDaysBetween(first, slot);
  const middle = span >= 6 ? [addDays(first, Math.round(span / 2))] : [];
  return [...new Set([first, ...middle, slot])];
}
