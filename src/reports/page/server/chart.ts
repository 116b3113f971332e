/**
 * Renders the trend section: a chart for all devices and one for each platform, each with band, line, gaps, and marks
 * for runs that were not complete and sound. Lines are drawn in percent, and the chart shows the part that its axis
 * covers. Horizontal places are percent of the chart's width, so that text and marks keep their size on every screen;
 * vertical ones are pixels.
 */

import { type Html, html } from '../../../base/html.ts';
import type { Note } from '../../../core/facts/company.ts';
import { showWord } from '../../../core/text/shown-words.ts';
import { countDaysBetween } from '../../../core/time/calendar.ts';
import type { ReportDocument } from '../../document/report-document.ts';
import type { Trend, TrendRun } from '../../document/trend.ts';
import { fillText, formatOperatingSystem, toWordId } from '../shared/format.ts';
import { overviewTexts, sectionTitles, trendTexts as texts } from '../shared/texts.ts';
import {
  type ChartScale,
  chartSize,
  computeX,
  formatTrendRun,
  roundToHundredth,
  toViewBox,
  wholeScale,
} from '../shared/trend-scale.ts';
import { computeScale, renderAxis, renderDates, renderTargetBeyond } from './chart-axis.ts';
import { renderIsolatedText } from './html.ts';

export function renderTrends(document: ReportDocument): Html {
  const { trend, notes, ignoredNotes = [], policy, slot, forecast } = document;
  const shown = trend.length === 2 ? trend.slice(1) : trend;
  const first = shown
    .flatMap(({ nights }) => nights[0]?.slot ?? [])
    .reduce((one, other) => (other < one ? other : one), slot);
  return html`<section id="trend" aria-labelledby="trend-title"><h2 id="trend-title">${sectionTitles.trend}</h2><p class="lead">${texts.lead}</p>
<div class="charts">${shown.map((one) => renderFigure(one, computeScale(one, first, slot, policy.minimumCoverage), document))}</div>
${renderLegend(shown, policy.minimumCoverage)}
${forecast === undefined ? '' : html`<p class="quiet" id="forecast">${fillText(overviewTexts.forecast, { ...forecast })}</p>`}
${notes.length === 0 ? '' : html`<h3>${texts.notes}</h3><ol class="notes">${notes.map(({ date, text }) => html`<li>${date}: ${renderIsolatedText(text)}</li>`)}</ol>`}${ignoredNotes.map((problem) => html`<p class="quiet">${texts.ignoredNote}: ${renderIsolatedText(problem)}</p>`)}
<details class="exact" id="exact"><summary>${texts.table}</summary><div></div></details></section>`;
}

function renderFigure(trend: Trend, scale: ChartScale, { platformTitles, policy, notes }: ReportDocument): Html {
  const name = formatOperatingSystem(platformTitles, trend.platform);
  const label = fillText(texts.chart, { platform: name });
  const last = trend.nights.at(-1);
  const value = last ? formatTrendRun(last) : texts.empty;
  const count = Math.max(1, trend.nights.length);
  return html`<figure class="chart" data-platform="${trend.platform}" data-low="${scale.low}" data-high="${scale.high}" data-first="${scale.first}"><figcaption>${name}</figcaption>
<div class="plot" tabindex="0" role="slider" aria-label="${label}" aria-valuemin="1" aria-valuemax="${count}" aria-valuenow="${count}" aria-valuetext="${value}">${renderChart(trend, scale, policy.minimumCoverage, notes)}</div><p class="readout" aria-hidden="true">${value}</p></figure>`;
}

/** The legend of the charts, with the marks that occur in them. */
function renderLegend(shown: readonly Trend[], target: number | undefined): Html {
  const nights = shown.flatMap((trend) => trend.nights);
  const isReporting = nights.some(({ reporting }) => reporting !== undefined);
  const words = ['carried', 'partial', 'suspect', 'untrusted', 'missing'];
  const signs = [
    ...words
      .filter((word) => nights.some(({ soundness }) => soundness === word))
      .map((word) => [word, html`<a href="#${toWordId('soundness', word)}">${showWord(word)}</a>`] as const),
    ...(nights.some(({ instrumentChanged }) => instrumentChanged.length > 0)
      ? [['instrument', texts.instrumentMark] as const]
      : []),
  ];
  const key = (width: number, drawing: Html) =>
    html`<svg class="key" viewBox="0 0 ${width} 12" aria-hidden="true">${drawing}</svg>`;
  const line = (name: string) => html`<line class="${name}" x1="0" x2="22" y1="6" y2="6"/>`;
  const band = html`<rect class="band" x="0" y="1" width="22" height="10"/>`;
  const weak = html`<g class="weak">${band}</g>${line('line weak')}`;
  const isWeak = nights.some(({ soundness }) => soundness !== 'complete');
  return html`<ul class="legend"><li>${key(22, html`${band}${line('line')}`)}${texts.line}, ${texts.bandShown}</li>${isWeak ? html`<li>${key(22, weak)}${texts.weak}</li>` : ''}${isReporting ? html`<li>${key(22, line('line reporting'))}${texts.reporting}</li>` : ''}${signs.map(
    ([word, text]) => html`<li>${key(12, renderSign(word, 6, 6))}${text}</li>`,
  )}${target === undefined ? '' : html`<li>${key(22, line('target'))}${fillText(overviewTexts.target, { target })}</li>`}</ul>`;
}

export function renderChart(trend: Trend, scale: ChartScale, target?: number, notes: readonly Note[] = []): Html {
  const { height, top, bottom } = chartSize;
  const segments = splitIntoSegments(trend.nights);
  const targetLine =
    target === undefined ? '' : html`<line class="target" x1="0" x2="100" y1="${100 - target}" y2="${100 - target}"/>`;
  return html`<svg class="drawing" height="${height}" aria-hidden="true" focusable="false"><g class="axis-near">${renderAxis(scale)}${renderTargetBeyond(scale, target)}</g><g class="axis-whole">${renderAxis({ ...scale, ...wholeScale })}</g>${renderDates(scale)}<svg class="lines" y="${top}" width="100%" height="${height - top - bottom}" viewBox="${toViewBox(scale)}" preserveAspectRatio="none">${segments.map((segment) => renderSegment(segment, scale))}${renderReporting(trend.nights, scale)}${targetLine}</svg>${trend.nights.map((night) => renderMark(night, scale))}${notes.map(({ date }, index) => html`<svg class="mark" x="${computeX(date, scale)}%"><line class="note" x1="0" x2="0" y1="${top}" y2="${height - bottom}"/><text class="tick" x="0" y="${top - 3}" text-anchor="middle">${index + 1}</text></svg>`)}<svg class="cursor" x="0"><line x1="0" x2="0" y1="${top}" y2="${height - bottom}"/><circle r="3.5" cx="0" cy="0"/></svg></svg>`;
}

interface ChartSegment {
  readonly nights: TrendRun[];
  /** True where it begins or ends at a run that was not complete and sound. */
  weak: boolean;
}

/** Splits runs into segments; a gap in the usual interval, or a change of soundness, begins a new one. */
function splitIntoSegments(all: readonly TrendRun[]): ChartSegment[] {
  const shown = all.filter((night) => night.coverage !== undefined);
  const usual = computeUsualStep(shown);
  const segments: ChartSegment[] = [];
  let before: TrendRun | undefined;
  for (const night of shown) {
    const last = segments.at(-1);
    const weak = night.soundness !== 'complete' || (before?.soundness ?? 'complete') !== 'complete';
    if (last === undefined || before === undefined || countDaysBetween(before.slot, night.slot) > usual) {
      segments.push({ nights: [night], weak: night.soundness !== 'complete' });
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

function computeUsualStep(shown: readonly TrendRun[]): number {
  const steps = shown.slice(1).map((night, index) => countDaysBetween(shown[index]?.slot ?? night.slot, night.slot));
  return steps.sort((left, right) => left - right)[Math.floor(steps.length / 2)] ?? 1;
}

/** The interval as a band, and the headline as a line. */
function renderSegment({ nights, weak }: ChartSegment, scale: ChartScale): Html {
  const kind = weak ? ' weak' : '';
  const high = listPoints(nights, scale, (night) => night.high);
  const low = listPoints(nights, scale, (night) => night.low).reverse();
  const line = listPoints(nights, scale, (night) => night.coverage);
  return html`<polygon class="band${kind}" points="${[...high, ...low].join(' ')}"/><polyline class="line${kind}" points="${line.join(' ')}"/>`;
}

/** The stricter line, over the runs in which the list of machines that report was judged. */
function renderReporting(nights: readonly TrendRun[], scale: ChartScale): Html {
  const segments = splitIntoSegments(nights.filter(({ reporting }) => reporting !== undefined));
  const lines = segments.map((segment) => listPoints(segment.nights, scale, ({ reporting }) => reporting).join(' '));
  return html`${lines.map((points) => html`<polyline class="line reporting" points="${points}"/>`)}`;
}

/** Points of a line; a run alone between two gaps is drawn half a day to either side. */
function listPoints(
  nights: readonly TrendRun[],
  scale: ChartScale,
  pick: (night: TrendRun) => number | undefined,
): string[] {
  const places = nights.length === 1 ? [-0.45, 0.45] : [0];
  return nights.flatMap((night) => {
    const [x, y] = [computeX(night.slot, scale), roundToHundredth(100 - (pick(night) ?? 0))];
    return places.map((place) => `${roundToHundredth(x + place)},${y}`);
  });
}

function renderMark(night: TrendRun, scale: ChartScale): Html {
  const { height, top } = chartSize;
  const bottom = height - chartSize.bottom;
  const marks = [
    night.instrumentChanged.length === 0
      ? ''
      : html`<line class="instrument" x1="0" x2="0" y1="${top - 5}" y2="${bottom}"/>${renderSign('instrument', 0, top - 9)}`,
    night.soundness === 'complete' ? '' : renderSign(night.soundness, 0, bottom + 10),
  ];
  const isMarked = marks.some((mark) => mark !== '');
  return isMarked
    ? html`<svg class="mark" x="${computeX(night.slot, scale)}%" data-slot="${night.slot}">${marks}</svg>`
    : html``;
}

/** Shapes around a point, so that no mark depends on its colour alone. */
const shapes: Readonly<Record<string, readonly [name: string, path: string]>> = {
  carried: ['sign hollow', 'm0-4.5l4 4.5-4 4.5-4-4.5z'],
  partial: ['sign hollow', 'm-3.5-3.5h7v7h-7z'],
  suspect: ['sign', 'm0-4.5l4.5 8.5h-9z'],
  untrusted: ['sign cross', 'm-3.5-3.5l7 7m0-7l-7 7'],
  missing: ['sign hollow', 'm-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0'],
  instrument: ['sign', 'm-4-3h8l-4 6z'],
};

function renderSign(word: string, x: number, y: number): Html {
  const [name, path] = shapes[word] ?? [];
  return html`<path class="${name}" d="M${x} ${y}${path}"/>`;
}
