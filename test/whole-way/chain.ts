/** Nights on which nothing fails, and what nights with faults are held against. */
import { cpSync } from 'node:fs';
import { expect } from 'vitest';
import { shortSilence, slowAnswer } from '../limits.ts';
import { compare, type Roll, truthAt } from './roll.ts';
import { allTables, type Changes, momentOf, newFolder, night, openWay, type Way } from './way.ts';

export const [first, second, third] = ['2026-03-01', '2026-03-02', '2026-03-03'] as const;

export interface Chain {
  readonly way: Way;
  /** A copy of the store after the first of the nights. */
  afterOneNight(): Promise<string>;
  /** Every table of a night, as it is without a fault. */
  good(slot: string): Readonly<Record<string, string>>;
  /** What was true on a night, to compare the next with. */
  roll(slot: string): Roll | undefined;
  /** A night with faults; they are gone when it is over. */
  faulty(folder: string, slot: string, faults: readonly string[]): ReturnType<typeof night>;
  /** Undoes what a fault did to the devices themselves. */
  renewFleet(): void;
}

/** `until` is the last of the nights without a fault. */
export async function openChain(until: string): Promise<Chain> {
  const way = await openWay({
    slowMilliseconds: slowAnswer,
    devices: 360,
    jamf: { pageCap: 110 },
    graph: { pageSize: 110, exportPolls: 0 },
  });
  const oneNight = await newFolder();
  const folder = await newFolder();
  const tables = new Map<string, Record<string, string>>();
  const rolls = new Map<string, Roll>();
  let before: Roll | undefined;
  for (const slot of [first, second, third].filter((one) => one <= until)) {
    expect((await night(way, folder, slot)).exit).toBe(0);
    if (slot === first) {
      cpSync(folder, oneNight, { recursive: true });
    }
    tables.set(slot, await allTables(folder, slot));
    before = compare(before, truthAt(way.sandbox, slot, before), slot).roll;
    rolls.set(slot, before);
  }
  return {
    way,
    good: (slot) => tables.get(slot) ?? {},
    roll: (slot) => rolls.get(slot),
    async afterOneNight() {
      const copy = await newFolder();
      cpSync(oneNight, copy, { recursive: true });
      return copy;
    },
    async faulty(store, slot, faults) {
      way.sandbox.setMoment(momentOf(slot));
      way.sandbox.setFaults(faults);
      try {
        return await night(way, store, slot, bearing(faults));
      } finally {
        way.sandbox.setFaults([]);
      }
    },
    renewFleet: () => way.sandbox.setMoment(momentOf('2026-02-28')),
  };
}

/** Where a wait is measured by the other side, time is real; where silence or slowness matters, little of it is borne. */
function bearing(faults: readonly string[]): Changes {
  if (faults.some((fault) => /throttled-(seconds|date)/.test(fault))) {
    return { real: true };
  }
  if (faults.some((fault) => /hang/.test(fault))) {
    // Silence is waited for in real time.
    return { idle: shortSilence, patience: 3 * shortSilence };
  }
  return faults.some((fault) => /slow-pages/.test(fault)) ? { idle: shortSilence } : {};
}
