/** Exact values of the trend: by pointer, by keyboard, and as a table. */
import type { TrendNight } from '../../document/report-document.ts';
import { formatInterval } from '../shared/breakdown-list.ts';
import { formatPercent, formatPlatform } from '../shared/format.ts';
import { columnTitles, listTexts } from '../shared/list-texts.ts';
import type { PageData } from '../shared/page-data.ts';
import { trendTexts as texts } from '../shared/texts.ts';
import { type ChartScale, computeX, computeY, formatTrendNight } from '../shared/trend-scale.ts';
import { createElement, requireElement } from './dom.ts';
import { findNightAddress } from './files.ts';
import { ListTable } from './lists/list-table.ts';

type Report = PageData['document'];

export function mountTrendCharts(report: Report): void {
  for (const figure of document.querySelectorAll<HTMLElement>('.chart')) {
    const { platform, low, high, first = report.slot } = figure.dataset;
    const nights = report.trend.find((trend) => trend.platform === platform)?.nights ?? [];
    if (nights.length > 0) {
      mountChartReadout(figure, nights, { low: Number(low), high: Number(high), first, slot: report.slot });
    }
  }
  const exact = requireElement('#exact') as HTMLDetailsElement;
  exact.addEventListener('toggle', () => {
    const host = exact.querySelector('div');
    if (exact.open && host?.childElementCount === 0) {
      host.append(createTrendTable(report));
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

function createTrendTable({ trend, platformTitles }: Report): HTMLElement {
  const rows = trend.flatMap(({ platform, nights }) => nights.map((night) => ({ platform, night })));
  rows.sort((left, right) => (left.night.slot < right.night.slot ? 1 : left.night.slot > right.night.slot ? -1 : 0));
  const table = new ListTable<(typeof rows)[number]>({ label: texts.table });
  table.showColumns([
    { key: 'run', title: texts.run, text: ({ night }) => night.slot, show: ({ night }) => createNightLink(night.slot) },
    { key: 'platform', title: columnTitles.platform, text: ({ platform }) => formatPlatform(platformTitles, platform) },
    { key: 'interval', title: texts.band, text: ({ night }) => formatInterval(night) },
    { key: 'coverage', title: texts.line, text: ({ night }) => formatPercent(night.coverage) },
    { key: 'notInstalled', title: listTexts.needsAction, text: ({ night }) => String(night.notInstalled) },
    { key: 'counted', title: columnTitles.counted, text: ({ night }) => String(night.counted) },
    { key: 'marks', title: texts.marks, text: ({ night }) => listMarks(night).join(', ') },
  ]);
  table.showRows(rows, texts.empty);
  return table.element;
}

/** Where the page knows the pages of other runs, their dates lead to them. */
function createNightLink(slot: string): HTMLElement | undefined {
  const address = findNightAddress(slot);
  return address === undefined ? undefined : createElement('a', { href: address }, slot);
}

function listMarks({ soundness, instrumentChanged }: TrendNight): string[] {
  return [
    ...(soundness === 'complete' ? [] : [soundness]),
    ...(instrumentChanged.length > 0 ? [texts.instrumentMark] : []),
  ];
}
