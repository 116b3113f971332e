/** Pictures of the page for people to look at, and for the README: `npm run screenshots`. Some minutes, mostly judging. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import type { Night } from '../../src/core/facts/judged.ts';
import { openViewer } from '../../test/reports/browser.ts';
import { findPages, runDemo } from '../../test/reports/demo-pages.ts';
import { badNight, emptyFleet, largeFleet, quarter } from '../../test/reports/example-nights.ts';

const folder = join(import.meta.dirname, '../screenshots');

const shots: readonly (readonly [name: string, night: string, part: string, options: BrowserContextOptions])[] = [
  ['light', 'quarter', 'overview', {}],
  ['dark', 'quarter', 'overview', { colorScheme: 'dark' }],
  ['trend', 'quarter', 'trend', {}],
  ['groups', 'quarter', 'groups', { colorScheme: 'dark' }],
  ['breakdown', 'quarter', 'breakdown', {}],
  ['changes', 'quarter', 'changes', {}],
  ['target', 'target', 'overview', {}],
  ['phone', 'target', 'overview', { viewport: { width: 390, height: 844 } }],
  ['bad-night', 'bad', 'overview', {}],
  ['empty-fleet', 'empty', 'overview', {}],
  ['100000-devices', 'large', 'needs-action', {}],
];

/** With a target that the low figure does not reach yet. */
function belowTarget(): Night {
  const night = quarter(1200, 40);
  return { ...night, policy: { ...night.policy, minimumCoverage: 95 } };
}

const nights: Readonly<Record<string, () => Night>> = {
  quarter: () => quarter(4000),
  bad: () => badNight(),
  target: belowTarget,
  empty: emptyFleet,
  large: () => largeFleet(100),
};

const viewer = await openViewer();
await mkdir(folder, { recursive: true });
const files = new Map<string, string>();
for (const [name, make] of Object.entries(nights)) {
  files.set(name, await viewer.write(make(), `${name}.html`));
}
for (const [name, night, part, options] of shots) {
  const { page, close } = await viewer.visit(files.get(night) ?? '', options);
  if (part !== 'overview') {
    // The link of the navigation opens the section, too.
    await page.locator(`nav a[href="#${part}"]`).click();
  }
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await close();
}

const search = await viewer.visit(files.get('quarter') ?? '');
await search.page.locator('#find-field').fill("Dario's");
await search.page.screenshot({ path: join(folder, 'search.png') });
await search.close();

const device = await viewer.visit(files.get('quarter') ?? '');
await device.page.locator('[data-list=changes] tbody tr').first().click();
await device.page.screenshot({ path: join(folder, 'card.png') });
await device.close();

// Paper: A4 at 96 dots an inch, less its margins of 14 mm.
const paper = await viewer.visit(files.get('quarter') ?? '', { viewport: { width: 688, height: 1017 } });
await paper.page.emulateMedia({ media: 'print' });
await paper.page.screenshot({ path: join(folder, 'print.png'), fullPage: true });
await paper.close();

// The first screen of each kind of run, by the demo's own runs.
const demo = await mkdtemp(join(tmpdir(), 'muster-demo-'));
await runDemo(demo, 14);
await mkdir(join(folder, 'runs'), { recursive: true });
for (const [kind, file] of Object.entries(await findPages(demo))) {
  for (const [screen, viewport] of [
    ['desk', { width: 1440, height: 900 }],
    ['phone', { width: 390, height: 844 }],
  ] as const) {
    const { page, close } = await viewer.visit(file, { viewport });
    await page.screenshot({ path: join(folder, 'runs', `${kind}-${screen}.png`) });
    await close();
  }
}
await rm(demo, { recursive: true });
await viewer.close();
