/**
 * A night as the platforms, its log and its store saw it: each request and each stage, when it began and ended, what it
 * waited for, and the longest chain of requests that waited for each other. Nothing in the program measures itself.
 */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RequestTime } from './platforms.ts';

/** Moments in milliseconds since 1970. */
export interface NightTimes {
  readonly began: number;
  readonly ended: number;
  readonly requests: readonly RequestTime[];
  /** Lines of the log. */
  readonly lines: readonly string[];
  /** Files that the night wrote. */
  readonly files: readonly FileTime[];
}

interface FileTime {
  readonly name: string;
  readonly written: number;
}

interface Span {
  readonly what: string;
  readonly began: number;
  readonly ended: number;
}

const barWidth = 60;

export async function listFilesSince(folder: string, moment: number): Promise<FileTime[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const times = await Promise.all(
    files.map(async (file) => ({ name: file.slice(folder.length + 1), written: (await stat(file)).mtimeMs })),
  );
  return times.filter(({ written }) => written >= moment);
}

export function formatTimeline(night: NightTimes): string[] {
  const requests = night.requests.map(toSpan).toSorted((one, other) => one.began - other.began);
  const chain = findLongestChain(requests);
  const marked = new Set(chain);
  const bar = (span: Span) => drawBar(span, night, marked.has(span) ? '█' : '▒');
  const row = (span: Span, waitedFor: string) =>
    `${formatSeconds(span.began - night.began)} ${formatSeconds(span.ended - night.began)} ${bar(span)} ${span.what}${waitedFor}`;
  const rows = requests.map((request) => {
    const before = findAwaited(request, requests);
    return row(request, before === undefined ? '' : ` ← ${before.what}`);
  });
  return [...rows, '', ...listStages(night, requests).map((stage) => row(stage, '')), '', ...formatChain(chain, night)];
}

function toSpan({ origin, what, began, ended }: RequestTime): Span {
  const short = what
    .replace(/\/v1\.0\/|\/JSSResource\/|\/api\//, '')
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '…');
  return { what: `${origin} ${short}`, began, ended };
}

/** Which requests belong together: a source waits for its own. */
function isOfJamf({ what }: Span): boolean {
  return /^(jamf|service) /.test(what);
}

/** The answer that came last before the request was made: of the same list, where it is a further page. */
function findAwaited(request: Span, all: readonly Span[]): Span | undefined {
  const earlier = all.filter((other) => other.ended <= request.began && isOfJamf(other) === isOfJamf(request));
  const samePages = earlier.filter((other) => nameList(other) === nameList(request));
  return findLast(samePages.length > 0 ? samePages : earlier);
}

function nameList({ what }: Span): string {
  return what.replace(/ \(.*/, '');
}

function findLast(spans: readonly Span[]): Span | undefined {
  return spans.toSorted((one, other) => one.ended - other.ended).at(-1);
}

/** Back from the answer that came last of all. */
function findLongestChain(requests: readonly Span[]): Span[] {
  const chain: Span[] = [];
  let link = findLast(requests);
  while (link !== undefined) {
    chain.unshift(link);
    link = findAwaited(link, requests);
  }
  return chain;
}

function formatChain(chain: readonly Span[], { began, ended }: NightTimes): string[] {
  const [first, last] = [chain[0], chain.at(-1)];
  if (first === undefined || last === undefined) {
    return ['No request was made.'];
  }
  const waited = chain.reduce((sum, link) => sum + link.ended - link.began, 0);
  const between = last.ended - first.began - waited;
  const seconds = [first.began - began, waited, between, ended - last.ended].map(formatSeconds);
  const links = Map.groupBy(chain, nameList);
  const named = [...links].map(([what, same]) => `${same.length} × ${what}`);
  return [
    `The longest chain: ${chain.length} requests, one after the other: ${named.join(', ')}.`,
    `Before it ${seconds[0]} s, its answers ${seconds[1]} s, between them ${seconds[2]} s, after it ${seconds[3]} s: ${formatSeconds(ended - began)} s.`,
  ];
}

/** What the log and the store show besides requests: steps of each source, then what was written when. */
function listStages({ began, ended, lines, files }: NightTimes, requests: readonly Span[]): Span[] {
  const start = { what: 'start, until the first request', began, ended: requests[0]?.began ?? ended };
  const steps = listSteps(lines);
  const read = Math.max(began, ...steps.map((step) => step.ended));
  const written = Map.groupBy(
    files.filter((file) => file.written > read),
    ({ name }) => nameWritten(name),
  );
  const groups = [...written].map(([what, same]) => ({ what, ended: Math.max(...same.map((file) => file.written)) }));
  let at = read;
  const after = groups
    .toSorted((one, other) => one.ended - other.ended)
    .map(({ what, ended: last }) => {
      const span = { what: `written: ${what}`, began: at, ended: last };
      at = last;
      return span;
    });
  const whole = { what: 'judging, writing, publishing, until the program ends', began: read, ended };
  return [start, ...steps, ...after, whole];
}

/** A file of the run by its name below the attempt, or the folder that copies are in. */
function nameWritten(name: string): string {
  const [, top = '', , , ...rest] = name.split('/');
  return top === 'runs' ? rest.join('/') : `${top}, the last of it`;
}

function listSteps(lines: readonly string[]): Span[] {
  const spans: Span[] = [];
  const open = new Map<string, { readonly doing: string; readonly began: number }>();
  for (const line of lines.filter((text) => text.includes('"event":"source.'))) {
    const { time, source, doing = '' } = JSON.parse(line) as { time: string; source: string; doing?: string };
    const now = Date.parse(time);
    const step = open.get(source);
    if (step === undefined || step.doing !== doing) {
      if (step !== undefined) {
        spans.push({ what: `${source}: ${step.doing}`, began: step.began, ended: now });
      }
      open.set(source, { doing, began: now });
    }
  }
  return spans;
}

function drawBar(span: Span, { began, ended }: NightTimes, mark: string): string {
  const scale = barWidth / (ended - began);
  const from = Math.min(barWidth - 1, Math.floor((span.began - began) * scale));
  const to = Math.min(barWidth, Math.max(from + 1, Math.round((span.ended - began) * scale)));
  return ' '.repeat(from) + mark.repeat(to - from) + ' '.repeat(barWidth - to);
}

function formatSeconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(2).padStart(6);
}
