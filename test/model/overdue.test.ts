/** No machine without the agent goes unnamed for long, whatever the runs: over histories with repairs, grace, lists and retractions. */
import { describe, expect, it } from 'vitest';
import { isDeep } from '../sampling.ts';
import { findBrokenPromises } from './alert-promises.ts';
import { playCore } from './play-core.ts';

const histories = Number(process.env.HISTORIES ?? (isDeep ? 20_000 : 60));
const firstSeed = Number(process.env.FIRST_SEED ?? 1);
const blockSize = 100;
const blocks = Array.from({ length: Math.ceil(histories / blockSize) }, (_, index) => {
  const from = firstSeed + index * blockSize;
  return { from, count: Math.min(blockSize, firstSeed + histories - from) };
});

/** What happened in the histories: a promise about what never happens would hold as well. */
const seen = new Map<string, number>();
const count = (what: string, more = 1) => seen.set(what, (seen.get(what) ?? 0) + more);

describe('alerts keep their promises', () => {
  it.each(blocks)('in $count histories from seed $from', ({ from, count: own }) => {
    for (let seed = from; seed < from + own; seed += 1) {
      playCore(seed, (run) => {
        expect(findBrokenPromises(run).slice(0, 5), `seed ${seed}`).toEqual([]);
        const { night, facts } = run;
        count('runs');
        count('retractions', Number(facts.retracts !== undefined));
        for (const { kind, phase } of night.events) {
          count(`${kind} ${phase}`);
        }
        for (const { why, devices } of night.later) {
          count(`later: ${why}`, devices);
        }
      });
    }
  });

  it('of which each was put to the test', () => {
    const few = Object.fromEntries([...seen].sort());
    if (isDeep || process.env.HISTORIES !== undefined) {
      process.stdout.write(`${JSON.stringify(few)}\n`);
    }
    for (const what of [
      ...['retractions', 'device.overdue first', 'device.overdue again', 'device.overdue over', 'device.lost first'],
      ...['device.recovered over', 'count.left over', 'device.silent over', 'machine.unenrolled over'],
      ...['later: grace', 'later: repair', 'later: open', 'later: source', 'later: canary', 'later: flapping'],
    ]) {
      expect(few[what] ?? 0, what).toBeGreaterThan(0);
    }
  });
});
