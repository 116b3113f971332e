/** What the documents name must exist: files, headings, functions on the way of a device, npm scripts. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documents, findBrokenLinks } from './documents.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const architecture = read('docs/dev/architecture.md');

describe.each(documents)('%s', (document) => {
  it('names files and folders that exist', () => {
    const named = [...read(document).matchAll(/`((?:src|test|docs|infra|bench)\/[^`\s*<>…]+)`/g)].map(
      ([, path = '']) => path,
    );
    // The folder of the example in docs/dev/source-kinds.md.
    const missing = named.filter((path) => !path.includes('/example/') && !existsSync(join(root, path)));
    expect(missing).toEqual([]);
  });

  it('links to files and headings that exist', () => {
    expect(findBrokenLinks(root, document)).toEqual([]);
  });
  it('names npm scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...read(document).matchAll(/npm run ([a-z]+(?::[a-z]+)?)/g)].map(([, script = '']) => script);
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
  });
});

describe('the way of a device in docs/dev/architecture.md', () => {
  const ways = [...architecture.matchAll(/<!-- hops: ([^>]+) -->([\s\S]*?)<!-- \/hops -->/g)].map(
    ([, name = '', table = '']) => ({
      name,
      hops: [...table.matchAll(/^\| (\d+) \| `([^`]+)` \| `([^`]+)` \|/gm)].map(
        ([, number = '', file = '', call = '']) => ({ number: Number(number), file, call }),
      ),
    }),
  );

  it.each(['devices.csv', 'the page', 'a Slack message'])('leads to %s', (name) => {
    expect(ways.map((way) => way.name)).toContain(name);
  });

  it.each(ways)('to $name is numbered as the sentence above it says', ({ name, hops }) => {
    expect(hops.length).toBeGreaterThan(5);
    expect(hops.map(({ number }) => number)).toEqual(hops.map((_, index) => index + 1));
    const [, sentence = ''] = new RegExp(`in (\\d+) hops:\\s+<!-- hops: ${name} -->`).exec(architecture) ?? [];
    expect(Number(sentence)).toBe(hops.length);
  });

  it.each(ways.flatMap(({ hops }) => hops))('finds $call in $file', ({ file, call }) => {
    expect(read(file)).toMatch(new RegExp(`(?:function\\*?|class) ${call}\\b`));
  });
});
