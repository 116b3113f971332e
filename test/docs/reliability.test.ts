/** Every fault has a test or a reason, and the page says which; to write it anew: `npm run test:one test/docs/reliability.test.ts -- -u`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Fault, type FaultArea, outcomes } from '../reliability/fault.ts';
import { faultAreas } from '../reliability/faults.ts';

const root = join(import.meta.dirname, '../..');
const page = join(root, 'docs/dev/reliability.md');
const faults = new Map(faultAreas.flatMap(({ faults: all }) => Object.entries(all)));

interface NamedTest {
  readonly file: string;
  readonly name: string;
}

/** `[A1]` or `[A1, H7]`. */
const tag = /\[([A-Z]\d{1,2}(?:, [A-Z]\d{1,2})*)\]/g;
const quoted = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g;

/** The tests that name each fault; a tag that stands in no text of its line is a stray. */
function readTags(): { readonly tests: ReadonlyMap<string, readonly NamedTest[]>; readonly strays: readonly string[] } {
  const tests = new Map<string, NamedTest[]>();
  const strays: string[] = [];
  for (const file of readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' }).sort()) {
    if (!file.endsWith('.ts') || file.startsWith('reliability/') || file === 'docs/reliability.test.ts') {
      continue;
    }
    const lines = readFileSync(join(root, 'test', file), 'utf8').split('\n');
    for (const [at, line] of lines.entries()) {
      for (const [whole, ids = ''] of line.matchAll(tag)) {
        const text = listTexts(line).find((one) => one.includes(whole));
        if (text === undefined) {
          strays.push(`test/${file}: ${line.trim()}`);
          continue;
        }
        const title = isTitle(lines, at)
          ? text
          : (findTitleOfRow(lines, at)?.replace(/%[sj]/, cleanName(text)) ?? text);
        const name = [findDescribe(lines, at), title].flatMap((part) => cleanName(part ?? '') || []).join(' › ');
        for (const id of ids.split(', ')) {
          tests.set(id, [...(tests.get(id) ?? []), { file: `test/${file}`, name }]);
        }
      }
    }
  }
  return { tests, strays };
}

function listTexts(line: string): string[] {
  return [...line.matchAll(quoted)].map(([one]) => one.slice(1, -1));
}

/** Stands where a test's title does, on the line of its call or on the next. */
function isTitle(lines: readonly string[], at: number): boolean {
  return /^\s*(it|test|describe)\b|^\s*\]?\)?\)\(['"`]/.test(lines[at] ?? '') || /\)\($/.test(lines[at - 1] ?? '');
}

/** The title behind the table that a row stands in. */
function findTitleOfRow(lines: readonly string[], at: number): string | undefined {
  const end = lines.findIndex(
    (line, index) => index > at && /^\s*\]\)\(/.test(line) && readIndent(line) < readIndent(lines[at] ?? ''),
  );
  const [title] = listTexts(lines[/\)\($/.test(lines[end] ?? '') ? end + 1 : end] ?? '');
  return title;
}

/** What a test is about: the block that its line stands in. */
function findDescribe(lines: readonly string[], at: number): string | undefined {
  const start = lines.findLastIndex(
    (line, index) => index < at && /^\s*describe\b/.test(line) && readIndent(line) < readIndent(lines[at] ?? ''),
  );
  const end = `${' '.repeat(readIndent(lines[start] ?? ''))}});`;
  return start < 0 || lines.slice(start, at).includes(end) ? undefined : listTexts(lines[start] ?? '').at(-1);
}

function readIndent(line: string): number {
  return line.length - line.trimStart().length;
}

/** Without tags, and with three dots for what each row of a table puts in. */
function cleanName(text: string): string {
  return text
    .replaceAll(tag, '')
    .replace(/%(\d\$)?[sijdo#]|\$\{[^}]*\}|\$\w+/g, '…')
    .replace(/\\(.)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

const { tests, strays } = readTags();

function renderPage(): string {
  const tested = [...faults.keys()].filter((id) => tests.has(id)).length;
  return `${[
    '# Faults and what comes of them',
    `Each of ${faults.size} faults has the outcome that it must have, and the tests that show it: ${tested} are tested, of ${faults.size - tested} the table says why there can be no test. A test may stand for a whole series, such as a fault at every request of a run. This page is made from \`test/reliability/\` and from the names of the tests: a test that shows a fault has its number in brackets in its name.`,
    [
      '| outcome | means |',
      '|---|---|',
      ...Object.entries(outcomes).map(([word, means]) => `| ${word} | ${means} |`),
    ].join('\n'),
    'One source that fails never closes a run: the others are published, and the failed one is carried. A run is closed by what concerns all of it: the store, the state, the settings, the clock, the time that is left. Every error has a code (docs/commands.md), and no fault may put a secret into an output.',
    ...faultAreas.map(renderArea),
    '## Beside single faults',
    '`npm test` takes a part of each, `npm run test:deep` takes all but the soak and the mutations.',
    [
      '| what | where | held, the last time all of it ran (2026-11-23; the soak 2026-11-22) |',
      '|---|---|---|',
      '| a fault at every request to a bucket, of each kind of run and of its housekeeping | `test/storage/s3-sweep.test.ts`, `test/storage/s3-housekeeping.test.ts` | 1,440 faults of seven kinds in five kinds of runs, and 97 that last for all of a run’s housekeeping |',
      '| a run killed at a request, and the next one met by another fault | `test/storage/s3-pairs.test.ts` | 6,160 pairs in five kinds of runs |',
      '| a kill at every effect on a folder | `test/night/kills.test.ts`, `test/storage/kills.test.ts`, `test/alerts/delivery.test.ts`; `npm run soak` | 4,344 kills of five kinds of runs, 200 kills of processes |',
      '| two to four runs of one slot and of neighbouring ones at once, in orders that fast-check draws | `test/night/interleavings.test.ts`, `test/storage/interleavings.test.ts`, `test/night/rivals.test.ts` | 2,000 orders of runs, 20,000 of writers of one key |',
      '| random histories against a plain model | `test/model/model.test.ts` | 50,000 histories (51 million cells), 100 years of 365 runs (14 million cells) |',
      '| broken input for every parser | `test/parsers.test.ts` | a cut at every byte and 10,000 flips each, of 19 inputs |',
      `| changes to the program that a test must notice (mutation testing) | \`npm run mutation\` | [mutation.md](mutation.md) has the scores |`,
    ].join('\n'),
  ].join('\n\n')}\n`;
}

function renderArea({ title, faults: all }: FaultArea): string {
  const rows = Object.entries(all).map(
    ([id, fault]) =>
      `| ${id} | ${escapeCell(fault.fault)} | ${fault.outcome} | ${escapeCell(fault.note ?? '')} | ${renderTests(id, fault)} |`,
  );
  return [`## ${title}`, '', '| | fault | outcome | | tests |', '|---|---|---|---|---|', ...rows].join('\n');
}

function renderTests(id: string, { untested }: Fault): string {
  const named = (tests.get(id) ?? []).map(({ file, name }) => `\`${file}\`: ${escapeCell(name)}`);
  return [...named, ...(untested === undefined ? [] : [`*No test:* ${escapeCell(untested)}`])].join('<br>');
}

/** A name may hold what Markdown or a table would take for its own. */
function escapeCell(text: string): string {
  return text.replace(/[|\\*_<>[\]]/g, '\\$&').replaceAll('\\\\n', '\\n');
}

describe('docs/dev/reliability.md', () => {
  it('has 253 faults, numbered without a gap but for F, M, R and W, which number what was seen', () => {
    expect(faults.size).toBe(253);
    for (const { faults: all } of faultAreas) {
      const [first = ''] = Object.keys(all);
      const numbers = Object.keys(all).map((id) => Number(id.slice(1)));
      const isSeen = /^[FMRW]/.test(first);
      const expected = isSeen ? numbers.toSorted((one, other) => one - other) : numbers.map((_, index) => index + 1);
      expect(Object.keys(all)).toEqual(expected.map((number) => `${first.slice(0, 1)}${number}`));
    }
  });

  it('has a test or a reason for each, and no test of a fault that there is not', () => {
    expect(
      [...faults].filter(([id, { untested }]) => !tests.has(id) && untested === undefined).map(([id]) => id),
    ).toEqual([]);
    expect(
      [...faults].filter(([id, { untested }]) => tests.has(id) && untested !== undefined).map(([id]) => id),
    ).toEqual([]);
    expect([...tests.keys()].filter((id) => !faults.has(id))).toEqual([]);
    expect(strays).toEqual([]);
  });

  it('is what the table and the names of the tests say', async () => {
    await expect(renderPage()).toMatchFileSnapshot(page);
  });
});
