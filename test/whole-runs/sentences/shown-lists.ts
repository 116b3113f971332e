/** Lists of messages that are cut off: what a message shows of a section, and how many more it says there are. */
import type { Payload } from './history.ts';
import { listMessageLines } from './message-lines.ts';
import { toNumber } from './template.ts';

interface Section {
  readonly title: string;
  readonly ask: string;
  readonly count: number;
  readonly lines: readonly string[];
  readonly more: number;
}

/** A line that stands for several devices, or for the changes of a kind. */
const crowds = /: ([\d,]+) devices came at once|^([\d,]+) (?:lost the agent|came without it) in this run/;

function countLines(lines: readonly string[]): number {
  return lines.reduce((sum, line) => {
    const [, came, changed] = crowds.exec(line) ?? [];
    return sum + toNumber(came ?? changed ?? '1');
  }, 0);
}

/** What does not add up in the messages of a run; programs get each section with its count. */
export function findWrongLists(payloads: readonly Payload[]): string[] {
  const program = payloads.find(({ channel }) => channel.name === 'webhook');
  const { sections = [] } = (program?.payload ?? {}) as { readonly sections?: readonly Section[] };
  const own = sections.flatMap(({ title, count, lines, more }) => {
    const [, named] = /\((\d[\d,]*)\)$/.exec(title) ?? [];
    const isWhole = countLines(lines) + more === count && (named === undefined || toNumber(named) === count);
    return isWhole ? [] : [`webhook: ${title}: ${count} are ${countLines(lines)} and ${more} more`];
  });
  const people = payloads.filter(
    ({ channel: { audience, only, isWeekly } }) => audience === 'people' && only === undefined && isWeekly !== true,
  );
  return [...own, ...people.flatMap((payload) => findWrongSections(payload, sections))];
}

function findWrongSections(payload: Payload, sections: readonly Section[]): string[] {
  const counts = new Map(sections.map(({ title, count }) => [title, count]));
  const asks = new Set(sections.map(({ ask }) => ask));
  const lines = listMessageLines(payload)
    .map(({ text }) => text.replace(/^message › (?:[-•] )?/, ''))
    .filter((line) => line !== '' && !asks.has(line) && !layout.test(line));
  const starts = lines.flatMap((line, at) => (counts.has(line) ? [at] : []));
  return starts.flatMap((start) => {
    const title = lines[start] ?? '';
    const rest = lines.slice(start + 1);
    const end = rest.findIndex((line) => counts.has(line) || ends.test(line));
    const own = rest.slice(0, end === -1 ? undefined : end);
    const [, more = '0'] = own.map((line) => moreLine.exec(line)).find((match) => match !== null) ?? [];
    const sum = countLines(own.filter((line) => !moreLine.test(line))) + toNumber(more);
    return sum === counts.get(title)
      ? []
      : [`${payload.channel.name}: ${title}: ${counts.get(title)} are ${sum}: ${own.join(' | ')}`];
  });
}

const moreLine = /^and ([\d,]+) more, in the report$/;
/** The line before which the lists end: the last of a text, or the first of the next. */
const ends = /^(?:The whole report|Open the whole report|Sent by Muster|Muster|[\d,]+ more of these lists)/;
/** Keys of a payload, and addresses. */
const layout = / › |^https?:/;
