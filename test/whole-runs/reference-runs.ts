/** Runs in which nothing fails, and what runs with faults are held against. */
import { cpSync } from 'node:fs';
import { expect } from 'vitest';
import { shortSilence, slowAnswer } from '../limits.ts';
import type { ModelNight } from '../model/rows.ts';
import { expectTables } from './expect-tables.ts';
import { expectRun, observe } from './expected-runs.ts';
import {
  makeFolder,
  openSimulator,
  type RunChanges,
  readAllTables,
  runSlot,
  type SimulatorSetup,
  toMoment,
} from './simulator-runs.ts';

export const [first, second, third, fourth] = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04'] as const;

export interface ReferenceRuns {
  readonly setup: SimulatorSetup;
  /** A copy of the store after the first of the runs. */
  copyAfterFirstRun(): Promise<string>;
  /** Every table of a run, as it is without a fault. */
  readTables(slot: string): Readonly<Record<string, string>>;
  /** The first run, as the model judges it. */
  readonly firstRun: ModelNight;
  /** A run with faults; they are gone when it is over. */
  runWithFaults(folder: string, slot: string, faults: readonly string[]): ReturnType<typeof runSlot>;
  /** Undoes what a fault did to the devices themselves. */
  renewDevices(): void;
}

/** `until` is the last of the runs without a fault. */
export async function openReferenceRuns(until: string): Promise<ReferenceRuns> {
  const setup = await openSimulator({
    slowMilliseconds: slowAnswer,
    devices: 360,
    jamf: { pageCap: 110 },
    graph: { pageSize: 110, exportPolls: 0 },
  });
  const { simulator } = setup;
  const oneRun = await makeFolder();
  const folder = await makeFolder();
  const tables = new Map<string, Record<string, string>>();
  const past: [ModelNight][] = [];
  for (const slot of [first, second, third].filter((one) => one <= until)) {
    expect((await runSlot(setup, folder, slot)).exit).toBe(0);
    if (slot === first) {
      cpSync(folder, oneRun, { recursive: true });
    }
    tables.set(slot, await readAllTables(folder, slot));
    const run = expectRun(slot, observe(simulator), { past });
    await expectTables(folder, slot, run);
    past.push([run]);
  }
  const [[firstRun]] = past as [[ModelNight]];
  return {
    setup,
    firstRun,
    readTables: (slot) => tables.get(slot) ?? {},
    async copyAfterFirstRun() {
      const copy = await makeFolder();
      cpSync(oneRun, copy, { recursive: true });
      return copy;
    },
    async runWithFaults(store, slot, faults) {
      simulator.setMoment(toMoment(slot));
      simulator.setFaults(faults);
      try {
        return await runSlot(setup, store, slot, limitWaits(faults));
      } finally {
        simulator.setFaults([]);
      }
    },
    renewDevices: () => simulator.setMoment(toMoment('2026-02-28')),
  };
}

/** Where a wait is measured by the other side, time is real; where silence or slowness matters, little of it is borne. */
export function limitWaits(faults: readonly string[]): RunChanges {
  if (faults.some((fault) => /throttled-(seconds|date)/.test(fault))) {
    return { real: true };
  }
  if (faults.some((fault) => /hang.*:lasting/.test(fault))) {
    // Silence is waited for in real time.
    return { idle: shortSilence, patience: 3 * shortSilence };
  }
  return faults.some((fault) => /slow-pages/.test(fault)) ? { idle: shortSilence } : {};
}
