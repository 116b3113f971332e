/** Shows exact values of the trend: by pointer, by keyboard, and as a table. */

import { showWord } from '../../../core/text/shown-words.ts';
import type { TrendRun } from '../../document/trend.ts';
import { formatInterval } from '../shared/breakdown-list.ts';
import { formatNumber, formatOperatingSystem, formatPercent } from '../shared/format.ts';
import { columnTitles } from '../shared/list-texts.ts';
import type { PageData } from '../shared/page-data.ts';
import { sectionTitles, trendTexts as texts } from '../shared/texts.ts';
import { type ChartScale, computeX, computeY, formatTrendRun, toViewBox, wholeScale } from '../shared/trend-scale.ts';
import { createButton, createElement, requireElement } from './dom.ts';
import { findRunAddress } from './files.ts';
import { createTable } from './lists/list-table.ts';
import type { TableColumn } from './lists/row.ts';

type Report = PageData['document'];

export function mountTrendCharts(report: Report): void {
  const section = requireElement('#trend');
  for (const figure of section.querySelectorAll<HTMLElement>('.chart')) {
    const { platform } = figure.dataset;
    const nights = report.trend.find((trend) => trend.platform === platform)?.nights ?? [];
    if (nights.length > 0) {
      mountChartReadout(figure, nights, report.slot);
    }
  }
  const whole = createButton(
    texts.wholeAxis,
    () => {
      const isWhole = section.classList.toggle('whole');
      whole.ariaPressed = String(isWhole);
      for (const figure of section.querySelectorAll<HTMLElement>('.chart')) {
        requireElement('.lines', figure).setAttribute('viewBox', toViewBox(readAxis(figure)));
      }
    },
    { 'aria-pressed': 'false' },
  );
  requireElement('.legend', section).append(createElement('li', {}, whole));
  const exact = requireElement('#exact') as HTMLDetailsElement;
  exact.addEventListener('toggle', () => {
    const host = exact.querySelector('div');
    if (exact.open && host?.childElementCount === 0) {
      host.append(createTrendTable(report));
    }
  });
}

function readAxis(figure: HTMLElement): Pick<ChartScale, 'low' | 'high'> {
  const { low, high } = figure.dataset;
  return figure.closest('.whole') ? wholeScale : { low: Number(low), high: Number(high) };
}

function mountChartReadout(figure: HTMLElement, nights: readonly TrendRun[], slot: string): void {
  const scale = { first: figure.dataset.first ?? slot, slot };
  const plot = requireElement('.plot', figure);
  const drawing = requireElement('.drawing', figure);
  let at = nights.length - 1;
  const show = (index: number) => {
    at = Math.max(0, Math.min(nights.length - 1, index));
    const night = nights[at];
    if (night === undefined) {
      return;
    }
    requireElement('.cursor', plot).setAttribute('x', `${computeX(night.slot, scale)}%`);
    requireElement('circle', plot).setAttribute('cy', String(computeY(night.coverage ?? 0, readAxis(figure))));
    requireElement('.readout', figure).textContent = formatTrendRun(night);
    plot.ariaValueNow = String(at + 1);
    plot.ariaValueText = formatTrendRun(night);
  };
  plot.addEventListener('pointermove', (event) => {
    const box = drawing.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * 100;
    const distances = nights.map((night) => Math.abs(computeX(night.slot, scale) - x));
    show(distances.indexOf(Math.min(...distances)));
  });
  plot.addEventListener('focus', () => show(at));
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowDown: -1,
    ArrowRight: 1,
    ArrowUp: 1,
    PageUp: 7,
    PageDown: -7,
    Home: Number.NEGATIVE_INFINITY,
    End: Number.POSITIVE_INFINITY,
  };
  plot.addEventListener('keydown', (event) => {
    const step = Object.hasOwn(steps, event.key) ? steps[event.key] : undefined;
    if (step === undefined) {
      return;
    }
    event.preventDefault();
    show(at + step);
  });
}

function createTrendTable({ trend, platformTitles }: Report): HTMLElement {
  const rows = trend.flatMap(({ platform, nights }) => nights.map((night) => ({ platform, night })));
  rows.sort((left, right) => (left.night.slot < right.night.slot ? 1 : left.night.slot > right.night.slot ? -1 : 0));
  const columns: readonly TableColumn<(typeof rows)[number]>[] = [
    { key: 'run', title: texts.run, text: ({ night }) => night.slot, show: ({ night }) => createRunLink(night.slot) },
    {
      key: 'platform',
      title: columnTitles.platform,
      text: ({ platform }) => formatOperatingSystem(platformTitles, platform),
    },
    { key: 'interval', title: texts.band, text: ({ night }) => formatInterval(night) },
    { key: 'coverage', title: texts.line, text: ({ night }) => formatPercent(night.coverage) },
    {
      key: 'notInstalled',
      title: sectionTitles['needs-action'],
      text: ({ night }) => formatNumber(night.notInstalled),
    },
    { key: 'counted', title: columnTitles.counted, text: ({ night }) => formatNumber(night.counted) },
    { key: 'marks', title: texts.marks, text: ({ night }) => listMarks(night).join(', ') },
  ];
  return createTable(texts.table, columns, rows, texts.empty);
}

/** A link to a run's page, where this copy knows its address. */
function createRunLink(slot: string): HTMLElement | undefined {
  const address = findRunAddress(slot);
  return address === undefined ? undefined : createElement('a', { href: address }, slot);
}

function listMarks({ soundness, instrumentChanged }: TrendRun): string[] {
  return [
    ...(soundness === 'complete' ? [] : [showWord(soundness)]),
    ...(instrumentChanged.length > 0 ? [texts.instrumentMark] : []),
  ];
}
