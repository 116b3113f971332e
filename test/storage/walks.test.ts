/**
 * Random walks of all commands over a folder and a bucket: after each step the store is sound, what stands is what the
 * highest commit says, no event is lost or doubled beyond one crash (G4, G5), and the tables equal their rebuild (G13).
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MusterError } from '../../src/base/errors.ts';
import { sourceRules } from '../../src/compose/source-kinds.ts';
import { rebuildRun } from '../../src/run/rebuild.ts';
import { readCurrentRun } from '../../src/storage/commits/log.ts';
import type { Store } from '../../src/storage/store.ts';
import { counts } from '../alerts/listeners.ts';
import { hangLimit } from '../limits.ts';
import { slots } from '../night/small.ts';
import { isDeep } from '../sampling.ts';
import { openStoreSetup, type PlaceKind, type StoreSetup } from './places.ts';
import { makeStore } from './written-runs.ts';

interface Walk {
  readonly setup: StoreSetup;
  /** The index of the last slot that was run. */
  day: number;
  /** Runs that were killed, each of which may have sent a message twice. */
  crashes: number;
}

const slotOf = ({ day }: Walk) => slots[day] ?? '';

/** Dies at its write with this number: a dead process does nothing more. */
function dyingAt(store: Store, at: number): Store {
  let writes = 0;
  const count = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    writes += 1;
    if (writes >= at) {
      throw new MusterError('store-unreachable', 'killed');
    }
    return work();
  };
  return {
    ...store,
    create: (key, body) => count(() => store.create(key, body)),
    put: (key, body) => count(() => store.put(key, body)),
    copy: (from, to) => count(() => store.copy(from, to)),
    remove: (key) => count(() => store.remove(key)),
  };
}

/** What a person may be told, instead of an outcome. */
const refusals: readonly string[] = ['slot-refused', 'retract-refused', 'not-suspect'];

async function orRefused(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof MusterError) || !refusals.includes(error.code)) {
      throw error;
    }
  });
}

type Step = (walk: Walk, dice: number) => Promise<unknown>;

const steps: Readonly<Record<string, Step>> = {
  'the next run': (walk) => {
    walk.day = Math.min(walk.day + 1, slots.length - 1);
    return orRefused(walk.setup.night(slotOf(walk)));
  },
  'a partial run': async (walk) => {
    walk.day = Math.min(walk.day + 1, slots.length - 1);
    walk.setup.made.away.add('windows');
    await orRefused(walk.setup.night(slotOf(walk)));
    walk.setup.made.away.clear();
  },
  'a suspect run': async (walk) => {
    walk.day = Math.min(walk.day + 1, slots.length - 1);
    walk.setup.made.shrunk.add('macs');
    await orRefused(walk.setup.night(slotOf(walk)));
    walk.setup.made.shrunk.clear();
  },
  'the same slot again': (walk) => orRefused(walk.setup.night(slotOf(walk))),
  'an acceptance': (walk) => orRefused(walk.setup.accept(slotOf(walk))),
  'a retraction': async (walk) => {
    await orRefused(walk.setup.retract(slotOf(walk)));
  },
  'a pruning': (walk) => walk.setup.prune(),
  'another limit': async (walk, dice) => {
    walk.setup.made.keptNights = 1 + (dice % 4);
  },
  'another clock': async (walk, dice) => {
    walk.setup.clock.ahead = ((dice % 49) - 24) * 3_600_000;
  },
  'a run that is killed': async (walk, dice) => {
    walk.day = Math.min(walk.day + 1, slots.length - 1);
    walk.crashes += 1;
    await walk.setup.night(slotOf(walk), dyingAt(walk.setup.store, 1 + (dice % 90))).catch(() => undefined);
    await orRefused(walk.setup.night(slotOf(walk)));
  },
  'a retraction that is killed': async (walk, dice) => {
    walk.crashes += 1;
    await walk.setup.retract(slotOf(walk), dyingAt(walk.setup.store, 1 + (dice % 30))).catch(() => undefined);
    await orRefused(walk.setup.night(slotOf(walk)));
  },
  'two runs at once': async (walk) => {
    walk.day = Math.min(walk.day + 1, slots.length - 1);
    await Promise.all([0, 1].map(() => orRefused(walk.setup.night(slotOf(walk)))));
  },
  'a run beside a retraction': async (walk) => {
    const slot = slotOf(walk);
    walk.day = Math.min(walk.day + 1, slots.length - 1);
    await Promise.all([orRefused(walk.setup.retract(slot)), orRefused(walk.setup.night(slotOf(walk)))]);
  },
};

async function expectSound({ setup, crashes }: Walk, name: string): Promise<void> {
  const { store, channel, codes, commit } = setup;
  const current = await readCurrentRun(store);
  if (current === undefined) {
    return;
  }
  expect(await codes(), name).toEqual([]);
  const numbers = await Array.fromAsync(store.list('commits/'));
  const last = await commit(numbers.length);
  expect(current.commit.number, name).toBe(last.number);
  expect(await setup.latest(), name).toMatchObject({ number: last.number, slot: current.commit.slot });
  expect(countDoubled(counts(channel)), name).toBeLessThanOrEqual(crashes);
  const target = makeStore('/rebuilt');
  const { tables } = setup.made;
  await rebuildRun(store, current.commit.slot, { target, tables, rules: sourceRules });
  for (const { key, sha256 } of current.commit.files.filter((file) => file.key.endsWith('.csv'))) {
    expect(await target.digest(key.split('/').at(-1) ?? ''), `${name}: ${key}`).toBe(sha256);
  }
}

/** Messages that were sent again; the parts of one are claimed and marked together, so all of them go again. */
function countDoubled(taken: ReadonlyMap<string, number>): number {
  const messages = Map.groupBy(taken, ([key]) => key.slice(0, key.lastIndexOf('-')));
  return [...messages.values()].reduce((sum, parts) => sum + Math.max(...parts.map(([, times]) => times)) - 1, 0);
}

const plans: readonly (readonly [kind: PlaceKind, hasAudit: boolean, walks: number, steps: number])[] = [
  ['a folder', false, isDeep ? 200 : 2, 10],
  ['a folder', true, isDeep ? 200 : 2, 10],
  ['a bucket', true, isDeep ? 200 : 1, isDeep ? 10 : 6],
];

/** A step in a bucket takes a third of a second on a quiet machine. */
const timeout = isDeep ? 3 * hangLimit : hangLimit;

test.each(plans)(
  'random commands in %s (audit: %s), %i times %i steps: sound after each',
  { timeout },
  async (kind, hasAudit, walks, stepsAWalk) => {
    const plan = fc.array(fc.tuple(fc.constantFrom(...Object.keys(steps)), fc.nat(10_000)), {
      minLength: stepsAWalk,
      maxLength: stepsAWalk,
    });
    const property = fc.asyncProperty(plan, async (chosen) => {
      const setup = await openStoreSetup(kind, { hasAudit, isSigned: true });
      try {
        const walk: Walk = { setup, day: -1, crashes: 0 };
        for (const [name, dice] of [['the next run', 0] as const, ...chosen]) {
          await steps[name]?.(walk, dice);
          await expectSound(walk, name);
        }
      } finally {
        await setup.close();
      }
    });
    await fc.assert(property, {
      numRuns: walks,
      seed: isDeep ? Date.now() : 20261123,
      endOnFailure: !isDeep,
    });
  },
);
