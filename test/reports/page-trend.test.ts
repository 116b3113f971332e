/** The trend on the page: at every point, by keyboard, by pointer, as a table, with its marks. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Night } from '../../src/core/facts/judged.ts';
import { hasBrowser } from '../needs.ts';
import type { Visit } from './browser.ts';
import { type Row, rowsOf } from './csv.ts';
import { openQuarterPage } from './quarter-page.ts';
import { useViewer } from './use-viewer.ts';

const { getViewer, open } = useViewer();
let night: Night;
let visit: Visit;
let page: Page;

beforeAll(async () => {
  if (hasBrowser) {
    ({ night, visit, page } = await openQuarterPage(getViewer()));
  }
});

describe('the trend', () => {
  it('gives exact values by keyboard, and as a table', async () => {
    const plot = page.locator('.chart[data-platform=all] .plot');
    await plot.focus();
    const all = (await rowsOf('coverage', night)).at(-1) as Row;
    expect(await plot.getAttribute('aria-valuetext')).toContain(
      `${night.slot}: ${all.coverage}\u00a0% (certainly ${all.coverage_low}\u00a0%`,
    );
    await page.keyboard.press('Home');
    const oldest = night.state.history[0]?.slot ?? '';
    expect(await plot.getAttribute('aria-valuetext')).toContain(oldest);
    expect(await page.locator('.chart[data-platform=all] .readout').innerText()).toContain(oldest);
    await page.locator('#exact summary').click();
    await expect.poll(() => page.locator('#exact tbody tr').count()).toBe(night.state.history.length * 3);
  });

  it('gives the value under the pointer', async () => {
    const plot = page.locator('.chart[data-platform=macos] .plot');
    await plot.scrollIntoViewIfNeeded();
    const box = await plot.boundingBox();
    await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) * 0.98, (box?.y ?? 0) + 60);
    const readout = page.locator('.chart[data-platform=macos] .readout');
    await expect.poll(() => readout.innerText()).toContain(night.slot);
    await page.mouse.move((box?.x ?? 0) + 33, (box?.y ?? 0) + 60);
    await expect.poll(() => readout.innerText()).toContain(night.state.history[0]?.slot ?? '');
  });

  it('marks nights that were not complete, changes of the instrument, and leaves gaps', async () => {
    const chart = page.locator('.chart[data-platform=macos]');
    expect(await chart.locator('line.instrument').count()).toBe(1);
    // One night is missing from the history, and the line is torn there.
    expect(await chart.locator('polyline').count()).toBe(2);
    expect(await page.locator('.legend').innerText()).toContain('detection method changed');
  });

  it('has the figures of the runs, in the table and at every point of the drawing', async () => {
    const exact = page.locator('#exact');
    if ((await exact.getAttribute('open')) === null) {
      await exact.locator('summary').click();
    }
    const shown = await exact
      .locator('tbody tr')
      .evaluateAll((lines) => lines.map((line) => [...line.children].map((cell) => cell.textContent)));
    const all = night.state.history.map(({ slot, coverage }) => ({ slot, row: coverage.at(-1) }));
    for (const { slot, row } of all) {
      const line = shown.find(([date, platform]) => date === slot && platform === 'All devices');
      const percent = (part: number, round: (value: number) => number) =>
        (round((part / (row?.counted ?? 1)) * 10_000) / 100).toFixed(2);
      expect(line?.slice(2, 6)).toEqual([
        `${percent(row?.provenInstalled ?? 0, Math.floor)} – ${percent((row?.counted ?? 0) - (row?.provenNotInstalled ?? 0), Math.ceil)}`,
        percent(row?.installed ?? 0, Math.round),
        String(row?.notInstalled),
        String(row?.counted),
      ]);
    }
    const figure = page.locator('.chart[data-platform=all]');
    const [low, high] = [Number(await figure.getAttribute('data-low')), Number(await figure.getAttribute('data-high'))];
    const points = await figure
      .locator('polyline')
      .evaluateAll((lines) => lines.flatMap((line) => (line.getAttribute('points') ?? '').split(' ')));
    const drawn = new Map(points.map((point) => point.split(',').map(Number) as [number, number]));
    const days = (slot: string) => (Date.parse(slot) - Date.parse(all[0]?.slot ?? '')) / 86_400_000;
    for (const { slot, row } of all) {
      const x = Math.round((days(slot) / days(night.slot)) * 10_000) / 100;
      const value = ((row?.installed ?? 0) / (row?.counted ?? 1)) * 100;
      const y = drawn.get(x) ?? Number.NaN;
      expect(100 - y).toBeCloseTo(value, 1);
      expect(value >= low && value <= high).toBe(true);
    }
  });
});

describe('notes', () => {
  it('mark the trend, and are listed below it', async () => {
    const notes = [
      { date: '2026-11-05', text: 'New version <i>' },
      { date: '2020-01-01', text: 'before the first run' },
    ];
    const other = await open({ ...night, notes });
    expect(await other.page.locator('.notes li').allInnerTexts()).toEqual(['2026-11-05: New version <i>']);
    expect(await other.page.locator('.chart[data-platform=all] line.note').count()).toBe(1);
  });
});

describe('the console', () => {
  it('says nothing, and nobody was asked for anything', () => {
    expect([...visit.errors, ...visit.requests]).toEqual([]);
  });
});
