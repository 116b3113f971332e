/** Many nights in whatever weather comes: faults drawn by a seed, and after each night what is then true. */
import { afterAll, expect, test } from 'vitest';
import { faultNames, type SandboxOptions } from '../../simulator/sandbox.ts';
import { shortSilence, slowAnswer } from '../limits.ts';
import { makeRandom } from '../model/random.ts';
import { isDeep } from '../sampling.ts';
import { changeLine, compare, deviceLine, type Roll, truthAt, truthLines } from './roll.ts';
import { momentOf, newFolder, night, openWay, removeFolders, tableRows } from './way.ts';

afterAll(removeFolders);

/**
 * These wait by the other side's clock, or change the devices themselves, or leave the tables as they are but for proof or
 * a few devices.
 */
const elsewhere = [
  ...['throttled-seconds', 'throttled-date', 'hang', 'drifting-pages', 'clean-up', 'attribute-disabled'],
  ...faultNames.filter((name) => name.startsWith('record-')),
];
// Sorted, so that a seed draws the same weather in whatever order faults are listed.
const pool = faultNames.filter((name) => !elsewhere.includes(name)).sort();

/** A seed draws faults and devices. The first brings many lasting faults within few nights. */
const worlds: readonly (readonly [seed: number, options: SandboxOptions])[] = [
  [4, { jamf: { pageCap: 60 }, graph: { pageSize: 60, exportPolls: 0 } }],
  [2, { jamf: { older: true, pageCap: 110, signIn: 'account' }, graph: { upgradedApp: true, population: 'company' } }],
];

const nights = isDeep ? 12 : 8;

test.each(isDeep ? worlds : worlds.slice(0, 1))(`${nights} nights of weather %i`, async (seed, options) => {
  const draw = makeRandom(seed).next;
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(draw() * items.length)] as Item;
  const way = await openWay({ devices: 240, seed: seed + 40, slowMilliseconds: slowAnswer, ...options });
  const folder = await newFolder();
  const rolls = new Map<string, Roll>();
  const seen = new Set<string>();
  for (let day = 1; day <= nights; day += 1) {
    const slot = `2026-03-${String(day).padStart(2, '0')}`;
    const faults = Array.from({ length: Math.floor(draw() * 3) }, () => {
      const place = pick(['', 'jamf/', 'graph/']);
      return `${place}${pick(pool)}${draw() < 0.3 ? ':lasting' : ''}`;
    });
    way.sandbox.setMoment(momentOf(slot));
    way.sandbox.setFaults(faults);
    const isSlow = faults.some((fault) => fault.includes('slow-pages'));
    const { exit, night: judged } = await night(way, folder, slot, isSlow ? { idle: shortSilence } : {});
    way.sandbox.setFaults([]);
    const rows = await tableRows(folder, slot, 'devices');
    const changes = (await tableRows(folder, slot, 'changes')).map(changeLine).sort();
    for (const { name, soundness, problem } of judged?.sources ?? []) {
      seen.add(soundness);
      const mine = rows.filter(({ source }) => source === name);
      const told = changes.filter((line) => line.startsWith(name));
      const before = rolls.get(name);
      const where = `${slot} ${faults.join(' ')}: ${name} ${soundness} ${problem?.message ?? ''}`;
      if (soundness !== 'complete') {
        expect([before === undefined ? 'missing' : 'carried', told], where).toEqual([soundness, []]);
        const known = [...(before?.since.keys() ?? [])].sort();
        expect(mine.map((row) => `${name} ${row.device_id}`).sort(), where).toEqual(known);
        continue;
      }
      const truths = truthAt(way.sandbox, slot, before).filter(({ source }) => source === name);
      const expected = compare(before, truths, slot);
      expect(mine.map(deviceLine).sort(), where).toEqual(truthLines(truths));
      expect(told, where).toEqual(expected.changes);
      rolls.set(name, expected.roll);
    }
    expect(exit).toBe(judged?.sources.every(({ soundness }) => soundness === 'complete') ? 0 : 3);
  }
  expect([...seen]).toContain('carried');
  await way.close();
});
