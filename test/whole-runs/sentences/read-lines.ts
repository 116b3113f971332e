/** Reads the figures of lines by the known sentences; what no sentence knows is left over, and returned with its line. */
import type { Facts } from './counted.ts';
import { hasDigit, type Line } from './line.ts';
import { sentences } from './patterns.ts';
import { type Figure, formatFact, type Reading, type Template, toNumber } from './template.ts';

export interface Said extends Figure {
  readonly slot: string | undefined;
  readonly line: Line;
}

/** What is said in one line and makes up another figure of it. */
const sums: readonly (readonly [whole: string, ...parts: string[]])[] = [
  ['unproven', 'unprovenBy', 'unprovenRest'],
  ['lostLater', '_laterBy'],
  ['newLater', '_laterBy'],
];

function checkSum([whole, ...parts]: (typeof sums)[number], said: readonly Said[], line: Line): string[] {
  const all = said.find(({ name }) => name === whole)?.value;
  const values = said.filter(({ name }) => parts.includes(name)).map(({ value }) => value);
  const sum = values.reduce((before, value) => before + value, 0);
  return all === undefined || values.length === 0 || sum === all
    ? []
    : [`${values.join(' + ')} is not ${all}: ${line.place}: ${line.text}`];
}

export interface LinesRead {
  readonly said: readonly Said[];
  /** What is left of lines that no sentence reads in full. */
  readonly unknown: readonly string[];
  /** The known sentences that were read. */
  readonly used: ReadonlySet<Template>;
  /** Sums that do not add up. */
  readonly wrong: readonly string[];
}

/** No figures: dates and times, addresses, versions, and words with letters and digits, such as names and serial numbers. */
const names = [
  /\b(?:macs|windows)\/[\w-]+/g,
  /https?(?:\[:\]|:)\/\/\S+/g,
  /\(Endpoint agent, [\d-]*…/g,
  /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g,
  /\b\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?/g,
  /\b\d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d(?: [A-Z]{2,4}(?:[+-]\d+)?)?/g,
  /\b\d\d:\d\d(?::\d\d)?\b/g,
  /(?<![\w.-])\d+(?:\.\d+){2,}(?![\w.])/g,
  /\b(?!\d+(?:st|nd|rd|th|d|h|s|px)\b)(?=[\w-]*[A-Za-z])(?=[\w-]*\d)[\w-]+(?:[.@][\w.@-]*)?/g,
];

interface TextRead {
  readonly figures: readonly (Figure & Pick<Said, 'slot'>)[];
  /** The text without what is known. */
  readonly rest: string;
  readonly used: readonly Template[];
}

function readText(text: string, ownNames: RegExp): TextRead {
  const figures: (Figure & Pick<Said, 'slot'>)[] = [];
  const used: Template[] = [];
  let rest = text.replace(/\s+/g, ' ');
  for (const sentence of sentences) {
    rest = rest.replace(sentence.expression, (...match: (string | Readonly<Record<string, string>>)[]) => {
      const [whole] = match;
      used.push(sentence);
      const groups = match.at(-1);
      const reading = sentence.read(typeof groups === 'object' ? groups : {});
      const all = [...reading.figures, ...readShares(reading)];
      figures.push(...all.map((figure) => ({ ...figure, slot: reading.slot })));
      return String(whole).includes('›') ? ' › █ ' : '█';
    });
  }
  for (const name of [...names, ownNames]) {
    rest = rest.replaceAll(name, '░');
  }
  return { figures, rest, used };
}

/** The shares of a move, in points and in devices, each by what it is said of; their sum is one more figure. */
function readShares({ figures, words: { shares, day = '' } }: Reading): Figure[] {
  const moved = figures.findLast(({ name }) => name.startsWith('moved'))?.name ?? '';
  const parts = [...(shares ?? '').matchAll(/([−+][\d.]+) ([a-z ]+)(?: \(([\d,]+))?/g)];
  const own = parts.flatMap(([, points = '', why = '', devices]) => {
    const kind = why.trim();
    return [
      { name: `${moved}By`, about: [day, kind], value: toNumber(points) },
      ...(devices === undefined ? [] : [{ name: 'changedDevices', about: [day, kind], value: toNumber(devices) }]),
    ];
  });
  const sum = parts.reduce((all, [, points = '']) => all + Math.round(toNumber(points) * 100), 0);
  return parts.length === 0 ? [] : [...own, { name: moved, about: [day], value: Math.abs(sum) / 100 }];
}

export function readLines(lines: readonly Line[], ownNames: RegExp): LinesRead {
  const said: Said[] = [];
  const unknown: string[] = [];
  const wrong: string[] = [];
  const used = new Set<Template>();
  const texts = new Map<string, TextRead>();
  for (const line of lines) {
    // Channels say the same.
    const read = texts.get(line.text) ?? readText(line.text, ownNames);
    texts.set(line.text, read);
    for (const sentence of read.used) {
      used.add(sentence);
    }
    const own = read.figures.map((figure): Said => ({ ...figure, line }));
    if (hasDigit({ text: read.rest })) {
      unknown.push(`${line.place}: ${line.text}\n    left: ${read.rest}`);
    }
    said.push(...own.filter(({ name }) => !name.startsWith('_')));
    wrong.push(...sums.flatMap((sum) => checkSum(sum, own, line)));
  }
  return { said, unknown, used, wrong };
}

/** A channel of some devices, or of other runs than the others, has figures of its own. */
function toFact({ name, about, line: { part } }: Said): string {
  const isOfSource = part === 'macs' && about.some((word) => /^(?:macs|macos|windows)$/.test(word));
  const isOwn =
    part !== undefined && !about.includes(part) && (name.startsWith('alerts') || (part !== 'weekly' && !isOfSource));
  return formatFact(name, isOwn ? [...about, part] : about);
}

export function findDifferences(said: readonly Said[], slot: string, known: ReadonlyMap<string, Facts>): string[] {
  const problems: string[] = [];
  const groups = Map.groupBy(said, (one) => `${one.slot ?? slot}: ${toFact(one)}`);
  for (const [name, group] of groups) {
    const [first] = group;
    const expected = first && known.get(first.slot ?? slot)?.get(toFact(first));
    const values = new Map(group.map((one) => [one.value, one.line]));
    if (expected !== undefined && (values.size > 1 || !values.has(expected))) {
      problems.push(
        ...[...values]
          .filter(([value]) => value !== expected)
          .map(([value, line]) => `${name} is ${expected} in the tables, and ${value} in ${line.place}: ${line.text}`),
      );
    } else if (values.size > 1) {
      problems.push(
        `${name} differs: ${[...values].map(([value, line]) => `${value} in ${line.place} (${line.text})`).join('\n    ')}`,
      );
    }
  }
  return problems;
}
