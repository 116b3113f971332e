/** The picture of the rooms is what the imports say; to write it anew: `npm run test:one test/docs/architecture.test.ts -- -u`. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { fillBlock } from './documents.ts';

const root = join(import.meta.dirname, '../..');
const source = join(root, 'src');
const page = join(root, 'docs/dev/architecture.md');
/** They know everybody, or everybody knows them. */
const leftOut = ['cli', 'lambda', 'compose', 'base'];

/** The folder of a file, or a file of the top level that is a room of its own. */
function findRoom(file: string): string | undefined {
  const [first = ''] = file.split('/');
  // The simulator and the manifest lie beside the house.
  if (first === '..') {
    return undefined;
  }
  const room = file.includes('/') ? first : first === 'night.ts' ? 'night' : undefined;
  return room === undefined || leftOut.includes(room) ? undefined : room;
}

/** The rooms that each room imports. */
function readArrows(): ReadonlyMap<string, ReadonlySet<string>> {
  const arrows = new Map<string, Set<string>>();
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )) {
    const from = findRoom(file);
    const text = readFileSync(join(source, file), 'utf8');
    for (const [, name = ''] of text.matchAll(/\b(?:from|import\()\s*'(\.[^']+)'/g)) {
      const to = findRoom(relative(source, join(source, dirname(file), name)));
      if (from !== undefined && to !== undefined && from !== to) {
        arrows.set(from, (arrows.get(from) ?? new Set()).add(to));
      }
    }
  }
  return arrows;
}

const arrows = readArrows();

/** Without the arrows that follow from others: a room that imports one by way of a third. */
function drawPicture(): string {
  const isReached = (from: string, to: string): boolean =>
    [...(arrows.get(from) ?? [])].some((next) => next === to || isReached(next, to));
  const drawn = [...arrows].flatMap(([from, targets]) =>
    [...targets]
      .filter((to) => ![...targets].some((other) => other !== to && isReached(other, to)))
      .map((to) => `  ${from} --> ${to}`),
  );
  return ['```mermaid', 'flowchart TD', ...drawn.sort(), '```'].join('\n');
}

it('docs/dev/architecture.md shows which room imports which', async () => {
  await expect(fillBlock(readFileSync(page, 'utf8'), 'picture', drawPicture())).toMatchFileSnapshot(page);
});

it('docs/dev/architecture.md names every room, and a room imports only rooms below it', () => {
  const text = readFileSync(page, 'utf8');
  const table = text.slice(text.indexOf('| room |'), text.indexOf('## Eight things'));
  const order = [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, names = '']) =>
    names.split(', ').map((name) => name.replaceAll('`', '')),
  );
  const rooms = readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(rooms.map(({ name }) => name).filter((name) => !order.includes(name))).toEqual([]);
  const upward = [...arrows].flatMap(([from, targets]) =>
    [...targets].filter((to) => order.indexOf(to) <= order.indexOf(from)).map((to) => `${from} --> ${to}`),
  );
  expect(upward).toEqual([]);
});
