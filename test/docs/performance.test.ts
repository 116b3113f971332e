/** The picture of docs/dev/performance.md is made from its table; to draw it anew: `npm run test:one test/docs/performance.test.ts -- -u`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const docs = join(import.meta.dirname, '../../docs/dev');

interface Bar {
  readonly group: string;
  readonly what: string;
  readonly seconds: number;
  readonly timesTheFloor: number;
}

function listBars(): Bar[] {
  const text = readFileSync(join(docs, 'performance.md'), 'utf8');
  return text
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .flatMap(([, devices = '', latency = '', what = '', seconds, times]) =>
      /^[\d,]+$/.test(devices) && /^\d+ \+ \d+ ms$/.test(latency)
        ? [{ group: `${devices} devices, ${latency}`, what, seconds: Number(seconds), timesTheFloor: Number(times) }]
        : [],
    );
}

const [left, barHeight, groupGap, unit] = [210, 16, 10, 42];
const colours: Readonly<Record<string, string>> = {
  floor: '#8c959f',
  'first night': '#0969da',
  'second night': '#1a7f37',
};

function drawBars(bars: readonly Bar[]): string {
  let y = 30;
  const parts: string[] = [];
  const text = (x: number, content: string, anchor = 'start') =>
    parts.push(`<text x="${x}" y="${y + 12}" text-anchor="${anchor}">${content}</text>`);
  for (const [group, rows] of Map.groupBy(bars, (bar) => bar.group)) {
    text(left - 10, group, 'end');
    for (const { what, seconds, timesTheFloor } of rows) {
      const width = Math.round(timesTheFloor * unit);
      parts.push(`<rect x="${left}" y="${y}" width="${width}" height="${barHeight - 2}" fill="${colours[what]}"/>`);
      text(left + width + 6, `${what}: ${seconds} s, ${timesTheFloor} ×`);
      y += barHeight;
    }
    y += groupGap;
  }
  const title = '<text x="10" y="18" font-weight="bold">A whole night, as a multiple of the floor</text>';
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="860" height="${y}" font-family="sans-serif" font-size="12" fill="#1f2328">`,
    `<title>How much longer than the floor a whole night takes</title>`,
    `<rect width="860" height="${y}" fill="#ffffff"/>`,
    title,
    ...parts,
    '</svg>',
  ].join('\n')}\n`;
}

it('docs/dev/performance.svg shows what the table says', async () => {
  const bars = listBars();
  expect(bars.map(({ what }) => colours[what])).not.toContain(undefined);
  expect(bars.length).toBeGreaterThan(5);
  await expect(drawBars(bars)).toMatchFileSnapshot(join(docs, 'performance.svg'));
});
