/** The trend's drawing tells the truth: what is inside its axes, what is cut, and what the next weeks may bring. */
import { describe, expect, it } from 'vitest';
import { addDays } from '../../src/core/time/calendar.ts';
import { getReportDocument } from '../../src/reports/document/document.ts';
import type { Figures, Trend, TrendRun } from '../../src/reports/document/trend.ts';
import { forecastTarget } from '../../src/reports/document/trend.ts';
import { renderChart } from '../../src/reports/page/server/chart.ts';
import { computeScale } from '../../src/reports/page/server/chart-axis.ts';
import { renderOpen } from '../../src/reports/page/server/first-step.ts';
import { renderInterval } from '../../src/reports/page/server/interval.ts';
import { computeX } from '../../src/reports/page/shared/trend-scale.ts';
import { rowsOf } from './csv.ts';
import { quarter } from './example-nights.ts';

const slot = '2026-11-20';

function run(back: number, low: number, high: number, soundness: TrendRun['soundness'] = 'complete'): TrendRun {
  const figures = { counted: 100, notInstalled: 4, provenInstalled: 0, provenNotInstalled: 0, instrumentChanged: [] };
  return { slot: addDays(slot, -back), soundness, low, high, coverage: (low + high) / 2, ...figures };
}

function trend(...nights: TrendRun[]): Trend {
  return { platform: 'all', nights };
}

const [figures] = getReportDocument(quarter(100, 2)).coverage as [Figures];
const steady = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => run(count - index + from, 93, 96));

describe('the axis', () => {
  const first = addDays(slot, -80);
  const axis = (nights: Trend, target?: number) => {
    const { low, high } = computeScale(nights, first, slot, target);
    return [low, high];
  };

  it('shows what moves: one wide interval does not flatten a change of 0.3 points', () => {
    const moved = { ...run(0, 93, 96), coverage: 94.8 };
    const wide: TrendRun = { ...run(3, 0, 100, 'untrusted'), coverage: 94.5 };
    expect(axis(trend(...steady(30, 4), wide, moved))).toEqual([93.5, 96]);
    expect(axis(trend(...steady(30, 4), run(0, 99, 100)))).toEqual([94, 100]);
  });

  it('holds every headline, and a target that is near', () => {
    expect(axis(trend(...steady(80), run(0, 40, 61)))).toEqual([50, 100]);
    expect(axis(trend(...steady(3)), 97)).toEqual([94, 97]);
    expect(axis(trend(...steady(3)), 99.6)).toEqual([93.5, 95.5]);
    expect(axis(trend())).toEqual([99, 100]);
  });

  it('from 0 to 100 is there for whoever asks for it', () => {
    const scale = computeScale(trend(...steady(3)), first, slot, undefined);
    expect(renderChart(trend(...steady(3)), scale).html).toMatch(
      /class="axis-whole">.*>0<\/text>.*>100<\/text>.*viewBox="0 4.5 100 2"/,
    );
  });

  it('begins with the first run there is', () => {
    const scale = { first: '2026-11-15', slot };
    expect([computeX('2026-11-15', scale), computeX(slot, scale)]).toEqual([0, 100]);
    expect(computeX(slot, { first: slot, slot })).toBe(100);
  });
});

describe('the interval', () => {
  it.each([
    [57.69, 87.33, ['100%']],
    [45, 55, ['0', '100%']],
    [10, 90, ['0', '100%']],
    [49.9, 50.1, []],
  ])('from %d to %d leads from its ends to the labels that have no room beside them', (low, high, outer) => {
    const { html } = renderInterval({ ...figures, low, high, coverage: (low + high) / 2 }, undefined);
    const ends = [...html.matchAll(/<line class="end" x1="[^"]+" x2="(0|100%)"/g)].map(([, end]) => end);
    expect(ends).toEqual(outer);
  });
});

describe('the target', () => {
  const rising = (count: number) =>
    Array.from({ length: count }, (_, index) => run(count - 1 - index, 80 + index / 2, 99));

  it('is drawn on the trend and on the interval', () => {
    const near = computeScale(trend(...steady(3)), slot, slot, 97);
    expect(renderChart(trend(...steady(3)), near, 97).html).toMatch(/class="target".*y1="3"/);
    const far = computeScale(trend(...steady(3)), slot, slot, 100);
    expect(renderChart(trend(...steady(3)), far, 100).html).toContain('target 100\u00a0% ↑');
    expect(renderInterval(figures, 97).html).toMatch(
      /the target for what is certain is 97\u00a0%.*class="target".*target 97\u00a0%/s,
    );
    expect(renderInterval(figures, undefined).html).not.toContain('target');
  });

  it('has a day where a line through the last 14 sound runs reaches it', () => {
    expect(forecastTarget(rising(14), slot, 95)).toEqual({ target: 95, on: '2026-12-07' });
  });

  it.each<[string, readonly TrendRun[], number | undefined]>([
    ['without a target', rising(14), undefined],
    ['with thirteen sound runs', rising(13), 95],
    [
      'where a run of the fourteen was not sound',
      rising(14).map((one, at) => (at === 4 ? { ...one, soundness: 'suspect' } : one)),
      95,
    ],
    ['where it is reached', rising(14), 86],
    ['where the line does not rise', steady(14), 95],
    [
      'where it would take more than a year',
      Array.from({ length: 14 }, (_, at) => run(13 - at, 80 + at / 1000, 99)),
      95,
    ],
  ])('has no day %s', (_, nights, target) => {
    expect(forecastTarget(nights, slot, target)).toBeUndefined();
  });
});

it('report.json counts how long the devices have been missing, as not-installed.csv does', async () => {
  const night = quarter(120, 95);
  const rows = await rowsOf('not-installed', night);
  const age = (since = '') => (Date.parse(night.slot) - Date.parse(since)) / 86_400_000;
  const { openFor } = getReportDocument(night);
  expect(openFor.map(({ days }) => days)).toEqual([7, 30, 90]);
  for (const { days, devices } of openFor) {
    expect(devices).toBe(rows.filter((row) => age(row.not_installed_since) >= days).length);
  }
  expect(openFor[1]?.devices).toBeGreaterThan(0);
});

it('the first screen says nothing of 90 days where 35 are recorded', () => {
  expect(renderOpen(getReportDocument(quarter(100, 35))).html).toMatch(/id="open-30"(?![\s\S]*id="open-90")/);
});
