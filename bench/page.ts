/**
 * How quick and how heavy page, workbook and report.json are: `node bench/page.ts`. The devices have random serial
 * numbers and ids, which nothing can compress.
 */
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { pageReport } from '../src/compose/parts.ts';
import type { Facts } from '../src/core/facts/facts.ts';
import type { Night } from '../src/core/facts/judged.ts';
import { jsonReport } from '../src/reports/document/document.ts';
import type { Report } from '../src/reports/report.ts';
import { workbookReport } from '../src/reports/workbook.ts';
import { openViewer, type Viewer } from '../test/reports/browser.ts';
import { nightOf } from '../test/reports/fleet.ts';

const fleets = [
  { name: '10,000 devices, 5 % needing action', devices: 10_000, missing: 5 },
  { name: '100,000 devices, 5 % needing action', devices: 100_000, missing: 5 },
  { name: '100,000 devices, all needing action', devices: 100_000, missing: 100 },
];

const say = (line: string) => process.stdout.write(`${line}\n`);
const viewer = await openViewer();
for (const { name, devices, missing } of fleets) {
  const happens = (facts: Facts) => ({
    ...facts,
    sources: facts.sources.map((source) => ({
      ...source,
      groups: [],
      devices: source.devices.map((device) => ({ ...device, id: randomUUID() })),
    })),
  });
  const night = nightOf({ devices, missing, nights: 1, happens });
  say(`\n${name}`);
  for (const report of [jsonReport, pageReport, workbookReport]) {
    say(`  ${await rendered(report, night)}`);
  }
  say(`  in the browser: ${await worked(viewer, await viewer.write(night, 'bench.html'))}`);
}
await viewer.close();

async function rendered(report: Report, night: Night): Promise<string> {
  const began = performance.now();
  let bytes = 0;
  for await (const piece of report.render(night)) {
    bytes += piece.length;
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(2);
  return `${report.file.padEnd(12)} ${(bytes / 1000).toFixed(0).padStart(7)} kB  ${seconds} s`;
}

/** Milliseconds until the page can be worked, and from a key to the drawn answer. */
async function worked(browser: Viewer, file: string): Promise<string> {
  const visit = await browser.visit(file);
  const timed = (work: string) =>
    visit.page.evaluate<number>(`new Promise((done) => {
      const began = performance.now();
      ${work};
      requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
    })`);
  const ready = await visit.page.evaluate<number>("performance.getEntriesByName('muster-ready')[0].startTime");
  const find = async (text: string) =>
    timed(
      `const box = document.querySelector('#find-field'); box.value = '${text}'; box.dispatchEvent(new Event('input'))`,
    );
  await visit.page.waitForTimeout(3000);
  const found = await find('grove');
  const exact = await find('c02zz');
  await find('');
  const box = "document.querySelector('[data-list=needs-action] input[type=search]')";
  const type = (text: string) =>
    timed(`const box = ${box}; box.value = '${text}'; box.dispatchEvent(new Event('input'))`);
  const first = await type('mac');
  const again = await type('mac-b');
  await type('');
  const sort = await timed("document.querySelector('[data-list=needs-action] [data-key=name] button').click()");
  const more = await timed("document.querySelector('[data-list=needs-action] .rows ~ .status button').click()");
  await visit.close();
  const figures = {
    ready,
    'find grove': found,
    'find nothing': exact,
    'first search': first,
    'next search': again,
    sort,
    'show 200 more': more,
  };
  return Object.entries(figures)
    .map(([what, milliseconds]) => `${what} ${milliseconds.toFixed(0)} ms`)
    .join(', ');
}
