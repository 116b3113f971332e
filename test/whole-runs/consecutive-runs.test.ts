import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Simulator } from '../../simulator/simulator.ts';
import type { GroupFacts } from '../../src/core/facts/facts.ts';
import type { ModelNight } from '../model/rows.ts';
import { isDeep } from '../sampling.ts';
import { readJson, signInToJamf } from '../simulator/client.ts';
import { expectTables } from './expect-tables.ts';
import { expectRun, observe } from './expected-runs.ts';
import { makeFolder, openSimulator, removeFolders, runSlot, type SimulatorSetup, toMoment } from './simulator-runs.ts';

/** Two runs more than something happens on. */
const slots = Array.from({ length: isDeep ? 12 : 10 }, (_, index) => `2026-03-${String(index + 1).padStart(2, '0')}`);
const kinds = ['excluded', 'included', 'lost', 'moved', 'new-installed', 'new-not-installed', 'recovered', 'removed'];
const words = ['Installed', 'Not Installed'] as const;

let setup: SimulatorSetup;
let folder: string;
const past: ModelNight[][] = [];

beforeAll(async () => {
  // So many devices that every kind of change comes by itself within these runs.
  const size = isDeep ? { devices: 1_600, seed: 7 } : { devices: 600, seed: 3 };
  setup = await openSimulator({ ...size, jamf: { pageCap: 120 }, graph: { pageSize: 120 } });
  folder = await makeFolder();
});

afterAll(async () => {
  await setup.close();
  await removeFolders();
});

/** What happens besides the fleet's ordinary life: a Mac is managed again, and devices fall out of the lists for two days. */
const incidents: Readonly<Record<string, (simulator: Simulator) => void>> = {
  '2026-03-04': (simulator) => {
    const unmanaged = simulator.listRecords().find(({ managementState }) => managementState === 'unmanaged');
    simulator.changeDevice('macs', unmanaged?.id ?? '', { managed: true });
  },
  '2026-03-07': (simulator) => simulator.removeShareOfDevices(3),
  '2026-03-09': (simulator) => simulator.restoreDevices(),
};

/** The day on which somebody has spoilt a criterion, and the one on which the server is behind with its groups. */
const spoilt = '2026-03-05';
const behind = '2026-03-06';

function disturbGroups(simulator: Simulator, slot: string): void {
  for (const word of words) {
    const group = simulator.jamf.groups.find(({ name }) => name === `Agent ${word}`);
    const [criterion] = group?.criteria ?? [];
    if (group === undefined || criterion === undefined) {
      throw new Error('the simulator has no such group');
    }
    const lagging = simulator.listRecords().filter(({ source }, index) => source === 'macs' && index % 60 === 0);
    group.lagging = slot === behind ? lagging.map(({ id }) => Number(id)) : [];
    criterion.searchType = slot === spoilt && word === 'Installed' ? 'like' : 'is';
  }
}

/** The platform's own groups as they are now, asked for by this test itself; one of another criterion is of no use. */
async function readGroups(slot: string): Promise<GroupFacts[]> {
  const get = await signInToJamf(setup.simulator);
  const read = async (id: number) => {
    const body = await readJson(await get(`/api/v3/computer-groups/smart-group-membership/${id}`));
    return (body.members as unknown[]).map(String);
  };
  const [installed, notInstalled] = [await read(101), await read(102)];
  const reading = slot === spoilt ? { problem: 'The criterion is another.' } : { members: installed };
  return [
    { holds: 'Installed', name: 'Agent Installed', ...reading },
    { holds: 'Not Installed', name: 'Agent Not Installed', members: notInstalled },
  ];
}

test.each(slots)('the run of %s says what happened to the devices', async (slot) => {
  setup.simulator.setMoment(toMoment(slot));
  incidents[slot]?.(setup.simulator);
  disturbGroups(setup.simulator, slot);
  const groups = await readGroups(slot);

  expect((await runSlot(setup, folder, slot)).exit).toBe(0);
  const run = expectRun(slot, observe(setup.simulator, { macs: { groups } }), { past });
  expect(run.sources.map(({ soundness }) => soundness)).toEqual(['complete', 'complete']);
  await expectTables(folder, slot, run);
  past.push([run]);
});

test('these runs had every kind of change and every verdict on a group', () => {
  const runs = past.flat();
  const seenKinds = new Set(runs.flatMap(({ changes }) => changes.map(({ kind }) => kind)));
  const seenVerdicts = new Set(runs.flatMap(({ groups }) => groups.map(({ verdict }) => verdict)));
  expect([...seenKinds].sort()).toEqual(kinds);
  expect([...seenVerdicts].sort()).toEqual(['agrees', 'derived', 'missing', 'outside', 'unexpected', 'unknown']);
});
