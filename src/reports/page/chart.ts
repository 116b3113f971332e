/** A trend as SVG: band, line, gaps, and marks for the runs that were not complete and sound. */
import type { Trend, TrendNight } from '../document/report-document.ts';
import { type Html, html } from './html.ts';
import { fillText, formatNumber, formatPercent, trendTexts as texts } from './texts.ts';

export const chartSize = { width: 400, height: 176, left: 34, right: 8, top: 14, bottom: 38 } as const;
const millisecondsPerDay = 86_400_000;
const nightsShown = 90;

export interface ChartScale {
  /** Lowest and highest percentage drawn, the same for all charts of a page. */
  readonly low: number;
  readonly high: number;
  /** The last slot. */
  readonly slot: string;
}

/** Fits nineteen of twenty runs: a single run with a wide interval would flatten all others, so it is cut at the edge. */
export function computeScale(trends: readonly Trend[], slot: string): ChartScale {
  const lows = trends.flatMap((one) => one.nights.flatMap((night) => night.low ?? []));
  const highs = trends.flatMap((one) => one.nights.flatMap((night) => night.high ?? []));
  const low = Math.max(0, Math.floor((lows.sort(compareNumbers)[Math.floor(lows.length / 20)] ?? 90) / 5) * 5);
  const high = Math.min(
    100,
    Math.ceil((highs.sort(compareNumbers)[Math.ceil((highs.length * 19) / 20) - 1] ?? 100) / 5) * 5,
  );
  return { low: Math.min(low, high - 5), high, slot };
}

const compareNumbers = (left: number, right: number) => left - right;

export function computeX(slot: string, scale: ChartScale): number {
  const back = (Date.parse(scale.slot) - Date.parse(slot)) / millisecondsPerDay;
  const width = chartSize.width - chartSize.left - chartSize.right;
  return roundToTenth(chartSize.width - chartSize.right - (back / (nightsShown - 1)) * width);
}

/** A value outside the scale is drawn at its edge. */
export function computeY(value: number, { low, high }: ChartScale): number {
  const height = chartSize.height - chartSize.top - chartSize.bottom;
  const inside = Math.max(low, Math.min(high, value));
  return roundToTenth(chartSize.top + ((high - inside) / (high - low)) * height);
}

export function renderChart(trend: Trend, scale: ChartScale): Html {
  const { width, height } = chartSize;
  const segments = splitIntoSegments(trend.nights);
  return html`<svg viewBox="0 0 ${width} ${height}" aria-hidden="true" focusable="false">${renderAxes(scale)}${segments.map((segment) => renderBand(segment, scale))}${segments.map((segment) => renderLine(segment, scale))}${trend.nights.map((night) => renderMark(night, scale))}<line class="cursor" x1="0" x2="0" y1="${chartSize.top}" y2="${height - chartSize.bottom}"/><circle class="cursor" r="3.5" cx="0" cy="0"/></svg>`;
}

function renderAxes(scale: ChartScale): Html {
  const step = scale.high - scale.low > 50 ? 25 : scale.high - scale.low > 20 ? 10 : 5;
  const values: number[] = [];
  for (let value = scale.low; value <= scale.high; value += step) {
    values.push(value);
  }
  const { left, width, right, height, bottom } = chartSize;
  const dates = [89, 60, 30, 0].map((back) =>
    new Date(Date.parse(scale.slot) - back * millisecondsPerDay).toISOString().slice(0, 10),
  );
  const anchors = ['start', 'middle', 'middle', 'end'];
  return html`${values.map(
    (value) =>
      html`<line class="grid" x1="${left}" x2="${width - right}" y1="${computeY(value, scale)}" y2="${computeY(value, scale)}"/><text class="tick" x="${left - 6}" y="${computeY(value, scale) + 3.5}" text-anchor="end">${value}</text>`,
  )}${dates.map(
    (date, index) =>
      html`<text class="tick" x="${computeX(date, scale)}" y="${height - bottom + 30}" text-anchor="${anchors[index]}">${date}</text>`,
  )}`;
}

interface ChartSegment {
  readonly nights: TrendNight[];
  /** Begins or ends at a run that was not complete and sound. */
  weak: boolean;
}

/** Runs that follow each other at the usual interval; a gap begins a new segment, and so does a change of soundness. */
function splitIntoSegments(all: readonly TrendNight[]): ChartSegment[] {
  const shown = all.filter((night) => night.coverage !== undefined);
  const usual = computeUsualStep(shown);
  const segments: ChartSegment[] = [];
  let before: TrendNight | undefined;
  for (const night of shown) {
    const last = segments.at(-1);
    const weak = !isComplete(night) || (before !== undefined && !isComplete(before));
    if (last === undefined || before === undefined || computeStep(before, night) > usual) {
      segments.push({ nights: [night], weak: !isComplete(night) });
    } else if (last.nights.length === 1 || last.weak === weak) {
      last.nights.push(night);
      last.weak = weak;
    } else {
      segments.push({ nights: [before, night], weak });
    }
    before = night;
  }
  return segments;
}

function isComplete(night: TrendNight): boolean {
  return night.soundness === 'complete';
}

function computeStep(before: TrendNight, after: TrendNight): number {
  return (Date.parse(after.slot) - Date.parse(before.slot)) / millisecondsPerDay;
}

/** The usual number of days between two runs. */
function computeUsualStep(shown: readonly TrendNight[]): number {
  const steps = shown.slice(1).map((night, index) => computeStep(shown[index] ?? night, night));
  return steps.sort((left, right) => left - right)[Math.floor(steps.length / 2)] ?? 1;
}

function renderBand({ nights, weak }: ChartSegment, scale: ChartScale): Html {
  // A single run is as wide as half a day to either side.
  const half = nights.length === 1 ? 1.8 : 0;
  const edge = (pick: (night: TrendNight) => number | undefined) =>
    nights.flatMap((night) => {
      const [x, y] = [computeX(night.slot, scale), computeY(pick(night) ?? 0, scale)];
      return half === 0 ? [`${x},${y}`] : [`${roundToTenth(x - half)},${y}`, `${roundToTenth(x + half)},${y}`];
    });
  const around = [...edge((night) => night.high), ...edge((night) => night.low).reverse()];
  return html`<polygon class="band${weak ? ' weak' : ''}" points="${around.join(' ')}"/>`;
}

function renderLine({ nights, weak }: ChartSegment, scale: ChartScale): Html {
  const kind = weak ? ' weak' : '';
  const [first, ...rest] = nights.map((night) => ({
    x: computeX(night.slot, scale),
    y: computeY(night.coverage ?? 0, scale),
  }));
  if (first === undefined) {
    return html``;
  }
  if (rest.length === 0) {
    return html`<circle class="dot${kind}" cx="${first.x}" cy="${first.y}" r="1.6"/>`;
  }
  return html`<polyline class="line${kind}" points="${[first, ...rest].map(({ x, y }) => `${x},${y}`).join(' ')}"/>`;
}

function renderMark(night: TrendNight, scale: ChartScale): Html {
  const x = computeX(night.slot, scale);
  const bottom = chartSize.height - chartSize.bottom;
  const changed = night.instrumentChanged.length > 0;
  const sign = changed
    ? html`<line class="instrument" x1="${x}" x2="${x}" y1="${chartSize.top - 4}" y2="${bottom}"/><path class="sign" d="M${x - 4} ${chartSize.top - 11}h8l-4 6z"/>`
    : html``;
  return html`${sign}${night.soundness === 'complete' ? '' : renderSign(night.soundness, x, bottom + 10)}`;
}

/** Shapes, so that no mark depends on its colour alone. */
export function renderSign(word: string, x: number, y: number): Html {
  switch (word) {
    case 'carried':
      return html`<path class="sign hollow" d="M${x} ${roundToTenth(y - 4.5)}l4 4.5-4 4.5-4-4.5z"/>`;
    case 'suspect':
      return html`<path class="sign" d="M${x} ${roundToTenth(y - 4.5)}l4.5 8.5h-9z"/>`;
    case 'untrusted':
      return html`<path class="sign cross" d="M${roundToTenth(x - 3.5)} ${roundToTenth(y - 3.5)}l7 7m0-7l-7 7"/>`;
    case 'instrument':
      return html`<path class="sign" d="M${x - 4} ${roundToTenth(y - 3)}h8l-4 6z"/>`;
    default:
      return html`<circle class="sign hollow" cx="${x}" cy="${y}" r="3.5"/>`;
  }
}

/** One run as text, with exact figures. */
export function formatTrendNight(night: TrendNight): string {
  const { slot, soundness, coverage, low, high, counted, notInstalled, instrumentChanged } = night;
  const figures = { slot, coverage: formatPercent(coverage), low: formatPercent(low), high: formatPercent(high) };
  const counts = { counted: formatNumber(counted), notInstalled: formatNumber(notInstalled) };
  const parts = [fillText(coverage === undefined ? texts.nothing : texts.value, { ...figures, ...counts })];
  if (soundness !== 'complete') {
    parts.push(soundness);
  }
  if (instrumentChanged.length > 0) {
    parts.push(fillText(texts.instrument, { sources: instrumentChanged.join(', ') }));
  }
  return parts.join('; ');
}

function roundToTenth(value: number): number {
  return Math.round(value * 10) / 10;
}
