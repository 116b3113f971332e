/**
 * Every sentence with a figure of a history of runs: on the page in a browser, in the messages of every kind of channel,
 * on the terminal, in the workbook and in files. Each must be known by `patterns.ts`, and no two may differ, neither from
 * each other nor from what this test counts in the tables. `muster check` is left out: it asks at another moment.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { musterHere } from '../../cli/muster.ts';
import { hasBrowser, needBrowser } from '../../needs.ts';
import { openViewer, type Viewer } from '../../reports/browser.ts';
import { isDeep } from '../../sampling.ts';
import { removeFolders } from '../simulator-runs.ts';
import { countFacts, type Facts, listNames } from './counted.ts';
import {
  listDocumentLines,
  listMetricLines,
  listPrintedLines,
  listTableLines,
  listTerminalLines,
  listWorkbookLines,
} from './file-lines.ts';
import { makeHistory, overdueAfterDays, settingsFile, type ToldRun } from './history.ts';
import { hasDigit, type Line } from './line.ts';
import { listMessageLines } from './message-lines.ts';
import { findWrongLinks, readPageLines } from './page-lines.ts';
import { sentences } from './patterns.ts';
import { findDifferences, readLines, type Said } from './read-lines.ts';
import { findWrongLists } from './shown-lists.ts';
import type { Template } from './template.ts';

const size = isDeep ? { devices: 3_000, runs: 36, daysBetween: 1 } : { devices: 300, runs: 12, daysBetween: 3 };

let viewer: Viewer;
const counted = new Map<string, Facts>();
const said = new Map<string, readonly Said[]>();
const kinds = new Set<string>();
const unknown: string[] = [];
const wrong: string[] = [];
const used = new Set<Template>();

beforeEach(({ skip }) => needBrowser(skip));

beforeAll(async () => {
  if (hasBrowser) {
    viewer = await openViewer();
    let before: string | undefined;
    await makeHistory(size, async (run) => {
      await readRun(run, before);
      before = run.slot;
    });
  }
});

afterAll(async () => {
  await viewer?.close();
  await removeFolders();
});

async function readRun(run: ToldRun, before: string | undefined): Promise<void> {
  const { slot, incident, reports, payloads } = run;
  const { facts, rows } = countFacts(reports, slot, overdueAfterDays);
  counted.set(slot, facts);
  const lines: readonly Line[] = [
    ...(await readPage(reports)),
    ...(await readTerminal(run, before)),
    ...listPrintedLines(run),
    ...payloads.flatMap(listMessageLines),
    ...listWorkbookLines(reports),
    ...listMetricLines(reports),
    ...listDocumentLines(reports),
    ...listTableLines(rows.coverage ?? []),
  ];
  const read = readLines(lines.filter(hasDigit), listNames(rows));
  said.set(slot, read.said);
  for (const sentence of read.used) {
    used.add(sentence);
  }
  unknown.push(...read.unknown.map((text) => `${slot} (${incident}): ${text}`));
  const problems = [
    ...read.wrong,
    ...findWrongLists(payloads),
    ...checkLost(run, read.said, facts),
    ...checkOpen(read.said),
  ];
  wrong.push(...problems.map((text) => `${slot} (${incident}): ${text}`));
  for (const { soundness = '' } of rows.coverage ?? []) {
    kinds.add(soundness);
  }
}

async function readPage(reports: string): Promise<Line[]> {
  const { page, errors, close } = await viewer.visit(join(reports, 'index.html'));
  const lines = await readPageLines(page, counted.size);
  wrong.push(...(await findWrongLinks(page, counted.size)).map((text) => `${reports}: ${text}`));
  expect(errors).toEqual([]);
  await close();
  return lines;
}

async function readTerminal({ folder, environment, slot }: ToldRun, before: string | undefined): Promise<Line[]> {
  const commands = [
    'status',
    'alerts show',
    'alerts preview',
    ...(before === undefined ? [] : [`diff ${before} ${slot}`]),
  ];
  const lines: Line[] = [];
  for (const command of commands) {
    const words = ['--settings', settingsFile, ...command.split(' ')];
    const { output, errors } = await musterHere(words, { folder, environment });
    expect(errors).toBe('');
    lines.push(...listTerminalLines(command, output));
  }
  return lines;
}

/** Each device that lost the agent in this run has its alert in it, or is counted among those that get theirs later. */
function checkLost({ reports, slot }: ToldRun, read: readonly Said[], facts: Facts): string[] {
  const { events } = JSON.parse(readFileSync(join(reports, '..', 'events.json'), 'utf8')) as Record<
    'events',
    Record<string, { since?: string }>[]
  >;
  const isFresh = ({ kind, phase, device }: (typeof events)[number]) =>
    `${kind} ${phase}` === 'device.lost first' && device?.since === slot;
  const fresh = events.filter(isFresh).length;
  const later = read.find(({ name }) => name === 'lostLater')?.value ?? 0;
  return fresh + later === facts.get('lost')
    ? []
    : [`${fresh} alerts and ${later} later ones are not the ${facts.get('lost')} that lost the agent`];
}

/** `status` has a line for each heading of the open alerts. */
function checkOpen(read: readonly Said[]): string[] {
  const listed = read.filter(({ name }) => name === 'openAlertsUnder').reduce((sum, { value }) => sum + value, 0);
  const all = read.find(({ name }) => name === 'openAlerts')?.value;
  return all === listed ? [] : [`${listed} open alerts are listed, of ${all}`];
}

it('each sentence with a figure is known', () => {
  expect(unknown).toEqual([]);
});

it('no two say something else of the same fact, nor do the tables', () => {
  expect([...said].flatMap(([slot, own]) => findDifferences(own, slot, counted))).toEqual([]);
});

it('sums add up, and so do lists that are cut off', () => {
  expect(wrong).toEqual([]);
});

it('these runs had every kind of trouble, and said every known sentence', () => {
  expect([...kinds].sort()).toEqual(['carried', 'complete', 'partial', 'suspect', 'untrusted']);
  const unsaid = sentences.filter((sentence) => !used.has(sentence)).map(({ text }) => text);
  // A short history has no occasion for a few of them.
  expect(isDeep ? unsaid : unsaid.slice(10)).toEqual([]);
});
