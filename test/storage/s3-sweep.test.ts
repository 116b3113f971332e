/** A night in a bucket with a fault at its requests (G1, G3, G13): every fault at each in `npm run test:deep`; nothing is random. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { type Scenario, scenarios } from '../night/scenarios.ts';
import { company } from '../night/small.ts';
import { isDeep } from '../sampling.ts';
import { copiesIn, look } from './s3-reader.ts';
import { type Ended, type Kind, kinds, sweep } from './s3-sweep.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-s3-sweep-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

type Plan = readonly (readonly [scenario: string, kinds: readonly Kind[], isAll: boolean])[];

/** Every fault at every request of one kind of night; of the others, what differs: writes lost and writers killed. */
const shortPlan: Plan = [
  ['the second night', kinds, true],
  ['the first night', ['lost reply', 'rival'], false],
  ['the healing of a partial night', ['lost reply', 'kill after'], false],
  ['the acceptance of a suspect night', ['kill after'], false],
  ['a night that removes an old one', ['kill after', 'rival'], false],
];

const plan: Plan = isDeep ? scenarios.map(({ name }) => [name, kinds, true]) : shortPlan;
const cases = plan.flatMap(([name, swept, isAll]) => swept.map((kind) => ({ name, kind, isAll })));

test.each(cases)('$name: $kind [S1, S3, S4, S5, S7, C1]', async ({ name, kind, isAll }) => {
  const scenario = scenarios.find((candidate) => candidate.name === name);
  if (scenario === undefined) {
    throw new Error(`There is no scenario ${name}.`);
  }
  const wanted = await inFolder(scenario);
  const { requests, faults, saw, violations } = await sweep(
    scenario,
    wanted,
    kind,
    ({ operation }) => isAll || !isReading(operation),
  );
  process.stdout.write(
    `S3 sweep | ${name} | ${requests} requests | ${kind} | ${faults} faults | a reader then saw nothing ${saw.nothing}, the run before ${saw.before}, the new run ${saw.after} | ${violations.length} violations\n`,
  );
  expect(violations.slice(0, 20)).toEqual([]);
  expect(faults).toBeGreaterThan(6);
  expect(saw.nothing + saw.before + saw.after).toBe(faults);
});

function isReading(operation: string): boolean {
  return ['GetObject', 'HeadObject', 'ListObjectsV2'].includes(operation);
}

async function inFolder(scenario: Scenario): Promise<Ended> {
  const store = createFolderStore(folder);
  const made = company();
  await scenario.prepare(store, made);
  await scenario.act(store, made);
  const objects = new Map<string, Buffer>();
  for await (const key of store.list('')) {
    objects.set(key, await readFile(join(folder, key)));
  }
  return { seen: look(objects, ''), copies: copiesIn(objects, '') };
}
