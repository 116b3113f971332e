/** The README shows the summary that the demo prints; to write it anew: `npm run test:one test/docs/demo.test.ts -- -u`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { finished, startMuster } from '../cli/muster.ts';
import { makeFolder, removeFolders } from '../whole-runs/simulator-runs.ts';
import { fillBlock } from './documents.ts';

const file = join(import.meta.dirname, '..', '..', 'README.md');

afterAll(removeFolders);

let folder: string;
let output: string;
beforeAll(async () => {
  folder = await makeFolder();
  const demo = await finished(startMuster(['demo'], { folder }));
  expect(demo.code).toBe(0);
  output = demo.output;
});

it('the README shows the summary of the demo', async () => {
  const readme = readFileSync(file, 'utf8');
  const [shown = ''] = /<!-- demo -->[\s\S]*<!-- \/demo -->/.exec(readme) ?? [];
  const [summary = ''] = /^Endpoint agent [\s\S]*?\n(?=\n\d+ runs in )/m.exec(output) ?? [];
  const printed = moveDates(summary, findLastDate(shown));
  await expect(fillBlock(readme, 'demo', `\`\`\`\n${printed}\`\`\``)).toMatchFileSnapshot(file);
});

const datePattern = /\d{4}-\d{2}-\d{2}/g;

function findLastDate(text: string): string {
  return text.match(datePattern)?.sort().at(-1) ?? '';
}

/** The demo ends with the last scheduled slot; its figures are the same on any day. */
function moveDates(text: string, last: string): string {
  const difference = Date.parse(last) - Date.parse(findLastDate(text));
  return text.replaceAll(datePattern, (date) => new Date(Date.parse(date) + difference).toISOString().slice(0, 10));
}
