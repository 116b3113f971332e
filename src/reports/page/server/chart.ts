/**
 * A trend as SVG: band, line, gaps, and marks for the runs that were not complete and sound. Across, places are percent of
 * the chart's width, so that text and marks keep their size on every screen; down, they are pixels.
 */
import { addDays, countDaysBetween } from '../../../core/facts/calendar.ts';
import type { Note } from '../../../core/facts/facts.ts';
import type { Trend, TrendNight } from '../../document/report-document.ts';
import { type ChartScale, chartSize, computeX, computeY, roundToHundredth } from '../shared/trend-scale.ts';
import { type Html, html } from './html.ts';

/**
 * Every run is inside, and so is the target. Only the interval of an untrusted run, which is nearly everything, would
 * flatten all others: its headline is inside, and its interval is cut with a mark.
 */
export function computeScale(trends: readonly Trend[], slot: string, target: number | undefined): ChartScale {
  const nights = trends.flatMap((trend) => trend.nights);
  const values = nights.flatMap(({ soundness, coverage, low, high }) =>
    soundness === 'untrusted' ? (coverage ?? []) : [low, coverage, high].filter((value) => value !== undefined),
  );
  const all = [...values, ...(target === undefined ? [] : [target])];
  const least = all.reduce((least, value) => Math.min(least, value), all.length === 0 ? 90 : 100);
  const most = all.reduce((most, value) => Math.max(most, value), all.length === 0 ? 100 : 0);
  const high = Math.min(100, Math.max(5, Math.ceil(most / 5) * 5));
  const low = Math.max(0, Math.min(Math.floor(least / 5) * 5, high - 5));
  const first = nights.reduce((first, night) => (night.slot < first ? night.slot : first), slot);
  return { low, high, first, slot };
}

export function renderChart(
  trend: Trend,
  scale: ChartScale,
  target: number | undefined,
  notes: readonly Note[] = [],
): Html {
  const { height, top, bottom } = chartSize;
  const segments = splitIntoSegments(trend.nights);
  return html`<svg class="drawing" height="${height}" aria-hidden="true" focusable="false">${renderAxes(scale)}<svg class="lines" width="100%" height="${height}" viewBox="0 0 100 ${height}" preserveAspectRatio="none">${segments.map((segment) => renderBand(segment, scale))}${segments.map((segment) => renderLine(segment, scale))}</svg>${renderTarget(scale, target)}${segments.map((segment) => renderDot(segment, scale))}${trend.nights.map((night) => renderMark(night, scale))}${notes.map(({ date }, index) => html`<svg class="mark" x="${computeX(date, scale)}%"><line class="note" x1="0" x2="0" y1="${top}" y2="${height - bottom}"/><text class="tick" x="0" y="${top - 3}" text-anchor="middle">${index + 1}</text></svg>`)}<line class="cursor" x1="0" x2="0" y1="${top}" y2="${height - bottom}"/><circle class="cursor" r="3.5" cx="0" cy="0"/></svg>`;
}

function renderTarget(scale: ChartScale, target: number | undefined): Html {
  if (target === undefined) {
    return html``;
  }
  const y = computeY(target, scale);
  return html`<line class="target" x1="0" x2="100%" y1="${y}" y2="${y}"/>`;
}

function renderAxes(scale: ChartScale): Html {
  const step = scale.high - scale.low > 50 ? 25 : scale.high - scale.low > 20 ? 10 : 5;
  const values: number[] = [];
  for (let value = scale.low; value <= scale.high; value += step) {
    values.push(value);
  }
  const dates = chooseDates(scale);
  return html`${values.map(
    (value) =>
      html`<line class="grid" x1="0" x2="100%" y1="${computeY(value, scale)}" y2="${computeY(value, scale)}"/><text class="tick" x="-6" y="${computeY(value, scale) + 4}" text-anchor="end">${value}</text>`,
  )}${dates.map((date, index) => {
    const anchor = index === dates.length - 1 ? 'end' : index === 0 ? 'start' : 'middle';
    return html`<text class="tick" x="${computeX(date, scale)}%" y="${chartSize.height - chartSize.bottom + 30}" text-anchor="${anchor}">${date}</text>`;
  })}`;
}

/** The first run, the last one, and one between them where there is room. */
function chooseDates({ first, slot }: ChartScale): string[] {
  const span = countDaysBetween(first, slot);
  const middle = span >= 6 ? [addDays(first, Math.round(span / 2))] : [];
  return [...new Set([first, ...middle, slot])];
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
    if (last === undefined || before === undefined || countDaysBetween(before.slot, night.slot) > usual) {
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

/** The usual number of days between two runs. */
function computeUsualStep(shown: readonly TrendNight[]): number {
  const steps = shown.slice(1).map((night, index) => countDaysBetween(shown[index]?.slot ?? night.slot, night.slot));
  return steps.sort((left, right) => left - right)[Math.floor(steps.length / 2)] ?? 1;
}

function renderBand({ nights, weak }: ChartSegment, scale: ChartScale): Html {
  // A single run is as wide as half a day to either side.
  const half = nights.length === 1 ? 0.45 : 0;
  const edge = (pick: (night: TrendNight) => number | undefined) =>
    nights.flatMap((night) => {
      const [x, y] = [computeX(night.slot, scale), computeY(pick(night) ?? 0, scale)];
      return half === 0 ? [`${x},${y}`] : [`${roundToHundredth(x - half)},${y}`, `${roundToHundredth(x + half)},${y}`];
    });
  const around = [...edge((night) => night.high), ...edge((night) => night.low).reverse()];
  return html`<polygon class="band${weak ? ' weak' : ''}" points="${around.join(' ')}"/>`;
}

function renderLine({ nights, weak }: ChartSegment, scale: ChartScale): Html {
  if (nights.length < 2) {
    return html``;
  }
  const points = nights.map((night) => `${computeX(night.slot, scale)},${computeY(night.coverage ?? 0, scale)}`);
  return html`<polyline class="line${weak ? ' weak' : ''}" points="${points.join(' ')}"/>`;
}

/** A run alone between two gaps. */
function renderDot({ nights: [night, ...others], weak }: ChartSegment, scale: ChartScale): Html {
  if (night === undefined || others.length > 0) {
    return html``;
  }
  return html`<circle class="dot${weak ? ' weak' : ''}" cx="${computeX(night.slot, scale)}%" cy="${computeY(night.coverage ?? 0, scale)}" r="2"/>`;
}

function renderMark(night: TrendNight, scale: ChartScale): Html {
  const x = computeX(night.slot, scale);
  const { height, top } = chartSize;
  const bottom = height - chartSize.bottom;
  const marks: Html[] = [];
  if (night.instrumentChanged.length > 0) {
    marks.push(
      html`<line class="instrument" x1="0" x2="0" y1="${top - 5}" y2="${bottom}"/>`,
      renderSign('instrument', 0, top - 9),
    );
  }
  if (isCut(night, scale)) {
    marks.push(renderSign('cut', 0, bottom - 4));
  }
  if (night.soundness !== 'complete') {
    marks.push(renderSign(night.soundness, 0, bottom + 10));
  }
  return marks.length === 0 ? html`` : html`<svg class="mark" x="${x}%" data-slot="${night.slot}">${marks}</svg>`;
}

/** Whether a run's interval is drawn shorter than it is. */
export function isCut({ low, high }: TrendNight, scale: ChartScale): boolean {
  return (low !== undefined && low < scale.low) || (high !== undefined && high > scale.high);
}

/** Shapes, so that no mark depends on its colour alone. */
export function renderSign(word: string, x: number, y: number): Html {
  switch (word) {
    case 'carried':
      return html`<path class="sign hollow" d="M${x} ${y - 4.5}l4 4.5-4 4.5-4-4.5z"/>`;
    case 'suspect':
      return html`<path class="sign" d="M${x} ${y - 4.5}l4.5 8.5h-9z"/>`;
    case 'untrusted':
      return html`<path class="sign cross" d="M${x - 3.5} ${y - 3.5}l7 7m0-7l-7 7"/>`;
    case 'instrument':
      return html`<path class="sign" d="M${x - 4} ${y - 3}h8l-4 6z"/>`;
    case 'cut':
      return html`<path class="sign cross" d="M${x - 4} ${y - 5}l4 4 4-4m-8 4l4 4 4-4"/>`;
    default:
      return html`<circle class="sign hollow" cx="${x}" cy="${y}" r="3.5"/>`;
  }
}
