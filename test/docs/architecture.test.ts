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

function listArrows(): string[] {
  const arrows = new Set<string>();
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )) {
    const from = findRoom(file);
    const text = readFileSync(join(source, file), 'utf8');
    for (const [, name = ''] of text.matchAll(/\b(?:from|import\()\s*'(\.[^']+)'/g)) {
      const to = findRoom(relative(source, join(source, dirname(file), name)));
      if (from !== undefined && to !== undefined && from !== to) {
        arrows.add(`  ${from} --> ${to}`);
      }
    }
  }
  return [...arrows].sort();
}

it('docs/dev/architecture.md shows which room imports which', async () => {
  const picture = ['```mermaid', 'flowchart TD', ...listArrows(), '```'].join('\n');
  await expect(fillBlock(readFileSync(page, 'utf8'), 'picture', picture)).toMatchFileSnapshot(page);
});

it('docs/dev/architecture.md names every room', () => {
  const text = readFileSync(page, 'utf8');
  const rooms = readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(rooms.map(({ name }) => name).filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});
