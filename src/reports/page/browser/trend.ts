/** Exact values of the trend: by pointer, by keyboard, and as a table. */
import type { TrendNight } from '../../document/report-document.ts';
import { type ChartScale, computeX, computeY, formatTrendNight } from '../chart.ts';
import type { PageData } from '../page-data.ts';
import { columnTitles, formatPercent, formatPlatform, listTexts, trendTexts as texts } from '../texts.ts';
import { createElement, requireElement } from './dom.ts';
import { findNightAddress } from './files.ts';

export function mountTrendCharts(data: PageData): void {
  for (const figure of document.querySelectorAll<HTMLElement>('.chart')) {
    const { platform, low, high, first = data.slot } = figure.dataset;
    const nights = data.trend.find((trend) => trend.platform === platform)?.nights ?? [];
    if (nights.length > 0) {
      mountChartReadout(figure, nights, { low: Number(low), high: Number(high), first, slot: data.slot });
    }
  }
  const exact = requireElement('#exact') as HTMLDetailsElement;
  exact.addEventListener('toggle', () => {
    const host = exact.querySelector('div');
    if (exact.open && host?.childElementCount === 0) {
      host.append(createTrendTable(data));
    }
  });
}

function mountChartReadout(figure: HTMLElement, nights: readonly TrendNight[], scale: ChartScale): void {
  const plot = figure.querySelector<HTMLElement>('.plot');
  const drawing = figure.querySelector('.drawing');
  const readout = figure.querySelector('.readout');
  const line = figure.querySelector('line.cursor');
  const dot = figure.querySelector('circle.cursor');
  if (!plot || !drawing || !readout || !line || !dot) {
    return;
  }
  let at = nights.length - 1;
  const show = (index: number) => {
    at = Math.max(0, Math.min(nights.length - 1, index));
    const night = nights[at];
    if (night === undefined) {
      return;
    }
    const x = `${computeX(night.slot, scale)}%`;
    plot.classList.add('pointed');
    line.setAttribute('x1', x);
    line.setAttribute('x2', x);
    dot.setAttribute('cx', x);
    dot.setAttribute('cy', String(computeY(night.coverage ?? scale.low, scale)));
    readout.textContent = formatTrendNight(night);
    plot.setAttribute('aria-valuenow', String(at + 1));
    plot.setAttribute('aria-valuetext', formatTrendNight(night));
  };
  plot.addEventListener('pointermove', (event) => {
    const box = drawing.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * 100;
    const distances = nights.map((night) => Math.abs(computeX(night.slot, scale) - x));
    show(distances.indexOf(Math.min(...distances)));
  });
  plot.addEventListener('pointerleave', () => plot.classList.remove('pointed'));
  plot.addEventListener('focus', () => show(at));
  plot.addEventListener('blur', () => plot.classList.remove('pointed'));
  const steps: Readonly<Record<string, () => number>> = {
    ArrowLeft: () => at - 1,
    ArrowDown: () => at - 1,
    ArrowRight: () => at + 1,
    ArrowUp: () => at + 1,
    PageUp: () => at + 7,
    PageDown: () => at - 7,
    Home: () => 0,
    End: () => nights.length - 1,
  };
  plot.addEventListener('keydown', (event) => {
    const step = Object.hasOwn(steps, event.key) ? steps[event.key] : undefined;
    if (step === undefined) {
      return;
    }
    event.preventDefault();
    show(step());
  });
}

function createTrendTable({ trend, platformTitles }: PageData): HTMLElement {
  const names = [
    texts.run,
    columnTitles.platform,
    texts.band,
    texts.line,
    listTexts.needsAction,
    columnTitles.counted,
    texts.marks,
  ];
  const rows = trend.flatMap(({ platform, nights }) => nights.map((night) => ({ platform, night })));
  rows.sort((left, right) => (left.night.slot < right.night.slot ? 1 : left.night.slot > right.night.slot ? -1 : 0));
  const body = rows.map(({ platform, night }) => {
    const marks: string[] = night.soundness === 'complete' ? [] : [night.soundness];
    if (night.instrumentChanged.length > 0) {
      marks.push(texts.instrumentMark);
    }
    const cells = [
      formatPlatform(platformTitles, platform),
      `${formatPercent(night.low)} – ${formatPercent(night.high)}`,
      formatPercent(night.coverage),
      String(night.notInstalled),
      String(night.counted),
      marks.join(', '),
    ];
    // Where the page knows the pages of other runs, their dates lead to them.
    const address = findNightAddress(night.slot);
    const date = address === undefined ? night.slot : createElement('a', { href: address }, night.slot);
    return createElement('tr', {}, ...[date, ...cells].map((cell) => createElement('td', {}, cell)));
  });
  const head = createElement('tr', {}, ...names.map((name) => createElement('th', { scope: 'col' }, name)));
  return createElement('table', {}, createElement('thead', {}, head), createElement('tbody', {}, ...body));
}
