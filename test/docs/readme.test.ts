/** What the README and docs/keeping.md promise, held against the code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorCodes } from '../../src/base/errors.ts';
import { readSettings } from '../../src/compose/read-settings.ts';
import { damageCodes } from '../../src/storage/damage.ts';

const root = join(import.meta.dirname, '..', '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

describe('the README', () => {
  it('names every error code, each once, and no other', () => {
    const table = /<!-- codes -->([\s\S]*)<!-- \/codes -->/.exec(readme)?.[1] ?? '';
    const named = [...table.matchAll(/^\| `([a-z-]+)` \|/gm)].map((match) => match[1]);
    expect([...named].sort()).toEqual([...errorCodes].sort());
  });

  it('shows settings that are valid', () => {
    const yaml = /```yaml\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
    expect(readSettings(yaml).problems).toEqual([]);
  });

  it('has the three sentences and the two limits word for word', () => {
    expect(readme).toContain(
      'every device is Installed or Not Installed; when nobody can tell us, it counts as Not Installed and the reason says so',
    );
    expect(readme).toContain(
      'the platform gave a clear, recent answer, and we checked that it asks the right question',
    );
    expect(readme).toContain('at least the low figure certainly have the agent and at most the high figure can');
    expect(readme).toContain('a machine enrolled nowhere is invisible to them');
    expect(readme).toContain("the agent's file is there, not that it runs");
  });
});

it('docs/keeping.md explains every code that muster verify prints', () => {
  const page = readFileSync(join(root, 'docs/keeping.md'), 'utf8');
  const [, table = ''] = /<!-- damage -->\n([\s\S]*)<!-- \/damage -->/.exec(page) ?? [];
  const rows = Object.entries(damageCodes).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);
  expect(table.trim().split('\n').slice(2)).toEqual(rows);
});
