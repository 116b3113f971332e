/** What the README and pages for users promise, held against the code. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { channelKinds } from '../../src/alerts/channel-kinds.ts';
import { readSettings } from '../../src/compose/read-settings.ts';
import { damageCodes } from '../../src/storage/damage.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

it('the README is short', () => {
  expect(Buffer.byteLength(read('README.md'))).toBeLessThanOrEqual(10_000);
});

it('the README names every kind of channel', () => {
  const words: Readonly<Record<string, string>> = { smtp: 'smtp', 'graph-mail': 'microsoft 365' };
  const [, alerts = ''] = read('README.md').toLowerCase().split('## alerts');
  expect(channelKinds.map(({ type }) => words[type] ?? type).filter((word) => !alerts.includes(word))).toEqual([]);
});

it('pages for users start Muster as the package does', () => {
  const blocks = ['README.md', ...globSync('docs/*.md', { cwd: root })].flatMap(
    (file) => read(file).match(/```sh\n[\s\S]*?```/g) ?? [],
  );
  const lines = blocks.flatMap((block) => block.split('\n').filter((line) => /\bmuster (?!-)[a-z]+/.test(line)));
  expect(lines.length).toBeGreaterThan(5);
  expect(lines.filter((line) => !/\bnpx muster\b/.test(line))).toEqual([]);
});

describe('docs/connect.md', () => {
  const connect = read('docs/connect.md');

  it('shows settings that are valid', () => {
    const yaml = /```yaml\n([\s\S]*?)```/.exec(connect)?.[1] ?? '';
    expect(readSettings(yaml).problems).toEqual([]);
  });

  it('asks the platforms for nothing but reading, and for all that Muster misses when it is refused', () => {
    const asked = [...connect.matchAll(/^\| ((?:Read [A-Za-z ]+)|(?:\w+\.Read\.All)) \|/gm)].map((match) => match[1]);
    expect(asked).toHaveLength(12);
    const sources = globSync('src/sources/*/**/*.ts', { cwd: root }).map(read).join('\n');
    const named = [...sources.matchAll(/'(Read [A-Z][A-Za-z ]+|\w+\.Read\.All)'/g)].map((match) => match[1]);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((permission) => !asked.includes(permission))).toEqual([]);
  });
});

it('docs/reading.md has the three sentences and the two limits word for word', () => {
  const page = read('docs/reading.md');
  expect(page).toContain(
    'every device is Installed or Not Installed; when nobody can tell us, it counts as Not Installed and the reason says so',
  );
  expect(page).toContain('the platform gave a clear, recent answer, and we checked that it asks the right question');
  expect(page).toContain('at least the first figure certainly have the agent and at most the second can');
  expect(page).toContain('a machine enrolled nowhere is invisible to them');
  expect(page).toContain("the agent's file is there, not that it runs");
});

it('docs/keeping.md explains every code that muster verify prints', () => {
  const page = read('docs/keeping.md');
  const [, table = ''] = /<!-- damage -->\n([\s\S]*)<!-- \/damage -->/.exec(page) ?? [];
  const rows = Object.entries(damageCodes).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);
  expect(table.trim().split('\n').slice(2)).toEqual(rows);
});
