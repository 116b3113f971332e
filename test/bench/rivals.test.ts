/** `bench/rivals/`: its behaviours exist in the simulator, its table is whole, and it runs for Muster alone. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { behaviours } from '../../bench/rivals/behaviours.ts';
import { runBehaviour } from '../../bench/rivals/run.ts';
import { type Counts, muster } from '../../bench/rivals/tools.ts';
import { Simulator } from '../../simulator/simulator.ts';

const rivals = readFileSync(join(import.meta.dirname, '../../docs/dev/rivals.md'), 'utf8');

describe('devices lost', () => {
  it.each(behaviours)('$name: the simulator can do it', ({ faults, options }) => {
    expect(() => new Simulator({ devices: 20, faults: faults(10), ...options })).not.toThrow();
  });

  it('docs/dev/rivals.md has a row for each behaviour', () => {
    const table = /<!-- devices lost -->\n([\s\S]*?)<!-- \/devices lost -->/.exec(rivals)?.[1] ?? '';
    const names = table.split('\n').flatMap((line) => line.match(/^\| (.*?) \|/)?.[1] ?? []);
    expect(names.slice(2)).toEqual(behaviours.map(({ name }) => name));
  });

  it('Muster alone: what it reports is compared with what is true', async () => {
    const behaviour = behaviours.find(({ name }) => name.startsWith('a 50-row default'));
    expect.assert(behaviour !== undefined);
    const { truth, outcomes } = await runBehaviour(behaviour, [{ tool: muster, checkout: '' }], 120);
    const [{ exit, reported } = { exit: '', reported: {} as Readonly<Record<string, Counts>> }] = outcomes;
    expect(exit).toBe('0');
    expect(truth.windows.devices).toBeGreaterThan(50);
    const sorted = ({ ids = [], ...counts }: Counts) => ({ ...counts, ids: ids.toSorted() });
    for (const source of ['macs', 'windows'] as const) {
      const expected = { ...sorted(truth[source]), unread: 0, soundness: 'complete' };
      expect(sorted(reported[source] ?? { devices: 0 })).toEqual(expected);
    }
  });
});
