/** `docs/keeping.md` lists every code of damage with the words of the program. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { damageCodes } from '../../src/storage/runs/verification/damage.ts';

test('docs/keeping.md explains every code that muster verify prints', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/keeping.md'), 'utf8');
  const [, table = ''] = /<!-- damage -->\n([\s\S]*)<!-- \/damage -->/.exec(page) ?? [];
  const rows = Object.entries(damageCodes).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);
  expect(table.trim().split('\n').slice(2)).toEqual(rows);
});
