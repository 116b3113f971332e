/** What the lists of machines say in the reports: on the page, in two actions, in the workbook, metrics and trend. */
import axe from 'axe-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Facts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import type { ListFacts, ListRow } from '../../src/core/facts/lists.ts';
import { getReportDocument } from '../../src/reports/document/document.ts';
import { metricsReport } from '../../src/reports/metrics.ts';
import { at, judgeRuns, makeFacts, makeIncomplete, makeMac, makePc, makeSource } from '../core/make-facts.ts';
import { hasBrowser } from '../needs.ts';
import type { Visit } from './browser.ts';
import { bytesOf } from './csv.ts';
import { useViewer } from './use-viewer.ts';

const sources = [
  makeSource('macs', [makeMac('1'), makeMac('2', 'Not Installed'), makeMac('3')]),
  makeSource('windows', [makePc('a'), makePc('b')]),
];

function list(rows: readonly ListRow[], night: number, age = 0): ListFacts {
  const file = { name: 'list.csv', rows: rows.length, columns: [], maxAgeDays: 2, date: at(night, -age) };
  return { readAt: at(night), files: [file], rows };
}

/** Two machines are enrolled nowhere, a PC is not on the list; Mac 3 is silent, and Mac 2 seen without the agent. */
function makeRun(night: number, age = 0): Partial<Facts> {
  const bought = ['C02FX1', 'C02FX2', 'C02FX3', 'PF0Xa', 'C02BOXED1', 'C02BOXED2'];
  const seen = { C02FX1: at(night), C02FX2: at(night), C02FX3: at(night, -30), PF0Xa: at(night), PF0Xb: at(night) };
  return {
    sources,
    policy: { ...makeFacts(1).policy, reportingWithinDays: 7 },
    lists: {
      expected: list(
        bought.map((serial) => ({ serial, owner: 'ada@example.com', site: 'Vienna' })),
        night,
        age,
      ),
      reporting: list(
        Object.entries(seen).map(([serial, seen_at]) => ({ serial, seen_at })),
        night,
        age,
      ),
    },
  };
}

const last = (...runs: readonly Partial<Facts>[]): Night => judgeRuns(...runs).at(-1) as Night;

describe('the page', () => {
  const { getViewer, open } = useViewer();
  let visit: Visit;

  beforeAll(async () => {
    if (hasBrowser) {
      visit = await getViewer().visit(await getViewer().write(last(makeRun(1), makeRun(2)), 'lists.html'));
    }
  });

  it('says beside the headline what each list says, on a first screen without scrolling', async () => {
    const { page } = visit;
    expect(await page.locator('#lists p').allInnerTexts()).toEqual([
      'Of 6 machines on the list 2 are enrolled nowhere; 1 counted device is not on it.',
      'Have it and check in: 60.00\u00a0%; 1 Installed device is not checking in.',
    ]);
    const bottom = await page.locator('#overview').evaluate((section) => section.getBoundingClientRect().bottom);
    expect(bottom).toBeLessThanOrEqual(800);
  });

  it.each([
    ['bought and never enrolled', 'are enrolled nowhere', 'unenrolled', ['C02BOXED1', 'C02BOXED2']],
    ['in a source and not on the list', 'not on it', 'all-devices', ['PF0Xb']],
    ['Installed and not checking in', 'not checking in', 'all-devices', ['C02FX3']],
  ])('shows in one click which machines are %s', async (_, link, name, serials) => {
    const { page, errors } = visit;
    await page.locator('#lists a', { hasText: link }).click();
    const shown = page.locator(`[data-list=${name}]`);
    // The address changes first, and the list with it a moment later.
    await expect.poll(() => shown.locator('tbody tr').first().innerText()).toContain(serials[0]);
    const texts = await shown.locator('tbody tr').allInnerTexts();
    expect(texts).toHaveLength(serials.length);
    for (const [index, serial] of serials.entries()) {
      expect(texts[index]).toContain(serial);
    }
    expect(errors).toEqual([]);
  });

  it('shows on a card when its console saw a device, and what speaks against its answer', async () => {
    const { page } = await open(last(makeRun(1)));
    await page.evaluate("location.hash = '#device=macs/3'");
    const card = page.locator('dialog[open]');
    await card.waitFor();
    expect(await card.innerText()).toMatch(/Its console has not seen the agent lately/);
    expect(await card.innerText()).toMatch(/Seen by its console\s+2 May 2026, 07:15 CEST/);
    await page.evaluate("location.hash = '#device=macs/2'");
    await card.getByText('Not proven: The agent’s console has seen it lately').waitFor();
  });

  it('says why a list says nothing, and that nothing is known without a source', async () => {
    const old = await open(last(makeRun(1), makeRun(2, 9)));
    expect(await old.page.locator('#lists p').allInnerTexts()).toEqual(
      ['expected', 'reporting'].map((name) =>
        expect.stringMatching(
          `The list lists.${name} is stale, so it says nothing about this run.\\s+list.csv of lists.${name} is too old`,
        ),
      ),
    );
    expect(await old.page.locator('[data-list=unenrolled]').innerText()).toContain('Not known in this run.');
    const missing = await open(last({ ...makeRun(1), sources: [...sources, makeIncomplete('more')] }));
    expect(await missing.page.locator('#lists').innerText()).toContain('nothing is known of more.');
  });

  it('has nothing of it where the settings name no list', async () => {
    const { page } = await open(last({ sources }));
    expect(await page.locator('#lists, #unenrolled, nav a[href="#unenrolled"]').count()).toBe(0);
  });

  it('gives axe nothing to say', async () => {
    const { page } = visit;
    await page.locator('#lists a').first().click();
    await page.evaluate(axe.source);
    const found = await page.evaluate<string[]>('axe.run().then(({ violations }) => violations.map(({ id }) => id))');
    expect(found.filter((id) => id !== 'region')).toEqual([]);
  });
});

it('the trend has the stricter line of the runs in which a list says it', () => {
  const [all] = getReportDocument(last(makeRun(1), makeRun(2, 9), { ...makeRun(3), lists: {} })).trend;
  expect(all?.nights.map(({ reporting }) => reporting)).toEqual([60, undefined, undefined]);
});

it('the metrics have a line for each figure that is known', async () => {
  const write = async (night: Night) => String(await bytesOf(metricsReport, night));
  const all = '{source="all",platform="all"}';
  const known = await write(last(makeRun(1)));
  for (const [name, value] of Object.entries({
    silent_devices: 1,
    not_expected_devices: 1,
    expected_machines: 6,
    unenrolled_machines: 2,
    reporting_ratio: 0.6,
    reporting_low_ratio: 0.6,
    reporting_high_ratio: 0.8,
  })) {
    expect(known).toContain(`muster_${name}${all} ${value}\n`);
  }
  expect(await write(last({ sources }))).not.toMatch(/^muster_(silent|expected|unenrolled|reporting)/m);
});
