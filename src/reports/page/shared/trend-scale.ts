/** Places runs in a chart of the trend, and formats them, for the drawing and for the pointer. */

import { showWord } from '../../../core/text/shown-words.ts';
import { countDaysBetween } from '../../../core/time/calendar.ts';
import type { TrendRun } from '../../document/trend.ts';
import { fillText, formatNumber, formatPercent } from './format.ts';
import { trendTexts as texts } from './texts.ts';

export const chartSize = { height: 176, top: 16, bottom: 38 } as const;

export interface ChartScale {
  /** Lowest and highest percentage drawn, and the points between two lines of the grid. */
  readonly low: number;
  readonly high: number;
  readonly step: number;
  /** The slot of the first run; `slot` is that of the last one. */
  readonly first: string;
  readonly slot: string;
}

export const wholeScale = { low: 0, high: 100, step: 25 } as const;

/** The visible part of the lines, which are drawn in percent, from the top down. */
export function toViewBox({ low, high }: Pick<ChartScale, 'low' | 'high'>): string {
  return `0 ${100 - high} 100 ${high - low}`;
}

/** The horizontal place in percent of the chart's width. */
export function computeX(slot: string, { first, slot: last }: Pick<ChartScale, 'first' | 'slot'>): number {
  const span = countDaysBetween(first, last);
  return span === 0 ? 100 : roundToHundredth((countDaysBetween(first, slot) / span) * 100);
}

/** The vertical place in pixels; a value outside the scale is at its edge. */
export function computeY(value: number, { low, high }: Pick<ChartScale, 'low' | 'high'>): number {
  const height = chartSize.height - chartSize.top - chartSize.bottom;
  const inside = Math.max(low, Math.min(high, value));
  return roundToHundredth(chartSize.top + ((high - inside) / (high - low)) * height);
}

/** One run as text, with exact figures. */
export function formatTrendRun(night: TrendRun): string {
  const { slot, soundness, coverage, low, high, counted, notInstalled, instrumentChanged } = night;
  const figures = { slot, coverage: formatPercent(coverage), low: formatPercent(low), high: formatPercent(high) };
  const counts = { counted: formatNumber(counted), notInstalled: formatNumber(notInstalled) };
  const parts = [fillText(coverage === undefined ? texts.nothing : texts.value, { ...figures, ...counts })];
  if (night.reporting !== undefined) {
    parts.push(fillText(texts.reportingValue, { reporting: formatPercent(night.reporting) }));
  }
  if (soundness !== 'complete') {
    parts.push(showWord(soundness));
  }
  if (instrumentChanged.length > 0) {
    parts.push(fillText(texts.instrument, { sources: instrumentChanged.join(', ') }));
  }
  return parts.join('; ');
}

export function roundToHundredth(value: number): number {
  return Math.round(value * 100) / 100;
}
