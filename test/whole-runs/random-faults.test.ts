/** Runs of consecutive days, each with faults drawn at random; every table is what the model says of the readings that were whole. */
import { afterAll, expect, test } from 'vitest';
import { faultNames, type SimulatorOptions } from '../../simulator/simulator.ts';
import type { JudgedSource } from '../../src/core/facts/judged.ts';
import { slowAnswer } from '../limits.ts';
import { makeRandom } from '../model/random.ts';
import type { ModelNight } from '../model/rows.ts';
import { isDeep } from '../sampling.ts';
import { expectTables } from './expect-tables.ts';
import { expectRun, incomplete, observe, wrongInstrument } from './expected-runs.ts';
import { limitWaits } from './reference-runs.ts';
import { makeFolder, openSimulator, removeFolders, runSlot, toMoment } from './simulator-runs.ts';

afterAll(removeFolders);

/**
 * These wait by the other side's clock, or change the devices themselves, or leave the tables as they are but for proof, a
 * finding or a few devices, or make a whole answer doubtful.
 */
const elsewhere = [
  ...['throttled-seconds', 'throttled-date', 'hang', 'drifting-pages', 'clean-up', 'attribute-disabled'],
  ...['rows-doubled', 'overview-outdated'],
  ...faultNames.filter((name) => name.startsWith('record-')),
];
// Sorted, so that a seed draws the same faults in whatever order they are listed.
const pool = faultNames.filter((name) => !elsewhere.includes(name)).sort();

/** A seed draws faults and devices. The first brings many lasting faults within few runs. */
const fleets: readonly (readonly [seed: number, options: SimulatorOptions])[] = [
  [4, { jamf: { pageCap: 60 }, graph: { pageSize: 60, exportPolls: 0 } }],
  [2, { jamf: { older: true, pageCap: 110, signIn: 'account' }, graph: { upgradedApp: true, population: 'company' } }],
];

const days = isDeep ? 12 : 8;

/** What the model is told of a source that the run could not read. */
function describeReading({ soundness, problem }: JudgedSource) {
  if (soundness === 'complete') {
    return {};
  }
  return problem?.code === 'attribute-missing' ? { ...incomplete, ...wrongInstrument } : incomplete;
}

test.each(isDeep ? fleets : fleets.slice(0, 1))(`${days} runs with random faults, seed %i`, async (seed, options) => {
  const draw = makeRandom(seed).next;
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(draw() * items.length)] as Item;
  const setup = await openSimulator({ devices: 240, seed: seed + 40, slowMilliseconds: slowAnswer, ...options });
  const folder = await makeFolder();
  const past: ModelNight[][] = [];
  for (let day = 1; day <= days; day += 1) {
    const slot = `2026-03-${String(day).padStart(2, '0')}`;
    const faults = Array.from({ length: Math.floor(draw() * 3) }, () => {
      const place = pick(['', 'jamf/', 'graph/']);
      return `${place}${pick(pool)}${draw() < 0.3 ? ':lasting' : ''}`;
    });
    setup.simulator.setMoment(toMoment(slot));
    setup.simulator.setFaults(faults);
    const { exit, night: judged } = await runSlot(setup, folder, slot, limitWaits(faults));
    setup.simulator.setFaults([]);
    const sources = judged?.sources ?? [];
    const changes = Object.fromEntries(sources.map((source) => [source.name, describeReading(source)]));
    const run = expectRun(slot, observe(setup.simulator, changes), { past });
    const describe = (all: readonly { readonly soundness: string }[]) => all.map(({ soundness }) => soundness);
    expect(describe(sources), `${slot} ${faults.join(' ')}`).toEqual(describe(run.sources));
    await expectTables(folder, slot, run);
    expect(exit).toBe(sources.every(({ soundness }) => soundness === 'complete') ? 0 : 3);
    past.push([run]);
  }
  const seen = past.flat().flatMap(({ sources }) => sources.map(({ soundness }) => soundness));
  expect(seen).toContain('carried');
  if (isDeep) {
    const counts = [...Map.groupBy(seen, (soundness) => soundness)].map(([word, all]) => `${all.length} ${word}`);
    process.stdout.write(
      `random faults, seed ${seed}: ${days} runs, readings: ${counts.join(', ')}; every table as the model says\n`,
    );
  }
  await setup.close();
});
