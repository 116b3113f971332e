/** Whether everyone can read the page: axe finds no violation on any night, open or not, on any screen. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Night } from '../../src/core/facts/judged.ts';
import { isDeep, sample } from '../sampling.ts';
import { badNight, emptyFleet, quarter, silentFirstNight } from './example-nights.ts';
import { hostileNight } from './hostile-fleet.ts';
import { useViewer } from './use-viewer.ts';

const { open } = useViewer();
const openAll = `for (const one of document.querySelectorAll('details')) { one.open = true; }`;

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const colourRules = ['color-contrast', 'link-in-text-block'];
/** All rules; without the colours, which take half of the time, where they are those of another test. */
const knownColours: Rules = isDeep ? { runOnly: standards } : { runOnly: standards, without: colourRules };

interface Rules {
  readonly runOnly: readonly string[];
  readonly without?: readonly string[];
}

async function listViolations(page: Page, { runOnly, without = [] }: Rules, selector = 'html'): Promise<string[]> {
  const rules = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]));
  const options = JSON.stringify({ runOnly, rules, resultTypes: ['violations'], selectors: false });
  return page.evaluate<string[]>(`axe.run('${selector}', ${options})
    .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map((node) => id + ': ' + node.html + ' ' + node.failureSummary)))`);
}

describe('axe', () => {
  const scenes: readonly (readonly [name: string, make: () => Night])[] = [
    ['a quarter of a year', () => quarter(24, 20)],
    ['a bad night', () => badNight(24)],
    ['an empty fleet', emptyFleet],
    ['a first night on which nobody answered', silentFirstNight],
  ];

  it.each(sample(scenes, 2))('finds no violation on %s with all sections open, light and dark', async (_, make) => {
    const visit = await open(make());
    const { page } = visit;
    await page.evaluate(axe.source);
    const expectNone = async (selector: string) => {
      expect(await listViolations(page, { runOnly: standards }, selector)).toEqual([]);
      // In the dark, the same elements have other colours.
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await listViolations(page, { runOnly: colourRules }, selector)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'light' });
    };
    await page.evaluate(openAll);
    const columns = page.locator('[data-list=needs-action] .columns summary');
    if (await columns.isVisible()) {
      await columns.click();
      await page.locator('[data-list=needs-action] [data-toggle=overdue]').click();
    }
    await expectNone('html');
    const row = page.locator('[data-list=needs-action] tbody tr').first();
    if (await row.isVisible()) {
      await row.click();
      await page.locator('dialog[open]').waitFor();
      await expectNone('dialog[open]');
    }
    expect([...visit.errors, ...visit.requests]).toEqual([]);
  });

  const modes = [
    ['a phone', { viewport: { width: 390, height: 844 } }, knownColours],
    ['200 %', { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }, knownColours],
    ['forced colours', { forcedColors: 'active' }, isDeep ? { runOnly: standards } : { runOnly: colourRules }],
  ] as const;
  it.each(sample(modes, 2))('finds no violation on %s, with all sections open', async (_, options, rules) => {
    const visit = await open(quarter(24, 20), options);
    await visit.page.evaluate(openAll);
    await visit.page.evaluate(axe.source);
    expect(await listViolations(visit.page, rules)).toEqual([]);
  });

  it.each([
    ['as the page opens', () => quarter(24, 20)],
    ['where names are hostile', hostileNight],
  ])('finds no violation %s', async (_, make) => {
    const visit = await open(make());
    await visit.page.evaluate(axe.source);
    expect(await listViolations(visit.page, knownColours)).toEqual([]);
  });
});
