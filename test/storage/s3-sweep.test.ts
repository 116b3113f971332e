/** A night in a bucket with a fault at its requests (G1, G3, G13): every fault at each in `npm run test:deep`; nothing is random. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scenarios } from '../night/scenarios.ts';
import { company } from '../night/small.ts';
import { isDeep } from '../sampling.ts';
import { type Ended, endedIn, type Kind, kinds, openStage, type Stage, sweep } from './s3-sweep.ts';
import { makeStore, readObjects } from './written-runs.ts';

/** Every fault at every request of one kind of night; of the others, what differs: writes lost and writers killed. */
const shortPlan: Readonly<Record<string, readonly Kind[]>> = {
  'the second night': ['kill before', 'lost reply', 'rival'],
  'the first night': ['denied for ever'],
  'the healing of a partial night': ['kill after'],
  'the acceptance of a suspect night': ['kill after'],
  'a night that removes an old one': ['rival'],
  'the retraction of the third night': ['kill after'],
  'runs that a person lets go': ['kill after'],
};

describe.each(scenarios)('$name', (scenario) => {
  const swept = isDeep ? kinds : (shortPlan[scenario.name] ?? []);
  const isAll = swept === kinds;
  let stage: Stage;
  let wanted: Ended;

  beforeAll(async () => {
    stage = await openStage(scenario);
    const store = makeStore();
    const made = company();
    await scenario.prepare(store, made);
    await scenario.act(store, made);
    wanted = endedIn(await readObjects(store), '');
  });
  afterAll(() => stage.peer.close());

  test.each(swept)(
    '%s at a request: a reader sees a whole run, and it ends the same [S1, S3, S4, S5, S7, C1]',
    async (kind) => {
      const { faults, saw, violations } = await sweep(
        stage,
        wanted,
        kind,
        ({ operation }) => isAll || !isReading(operation),
      );
      process.stdout.write(
        `S3 sweep | ${scenario.name} | ${stage.requests.length} requests | ${kind} | ${faults} faults | a reader then saw nothing ${saw.nothing}, the run before ${saw.before}, the new run ${saw.after} | ${violations.length} violations\n`,
      );
      expect(violations.slice(0, 20)).toEqual([]);
      expect(faults).toBeGreaterThan(3);
      expect(saw.nothing + saw.before + saw.after).toBe(faults);
    },
  );
});

function isReading(operation: string): boolean {
  return ['GetObject', 'HeadObject', 'ListObjectsV2'].includes(operation);
}
