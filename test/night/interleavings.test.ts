/**
 * Two to four runs of one slot and of neighbouring ones, a reader beside them, in orders that fast-check draws: one run
 * publishes each slot, nothing is lost, a message is sent twice only by runs beside each other, and nobody ever reads
 * half a run (G1, G3, G4, G5).
 */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MusterError } from '../../src/base/errors.ts';
import { systemClock } from '../../src/http/clock.ts';
import { runNight } from '../../src/night.ts';
import { readCurrentRun } from '../../src/storage/commits/log.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { readStateHead } from '../../src/storage/runs/run-state.ts';
import type { Store } from '../../src/storage/store.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
import { counts, listener, partsWith } from '../alerts/listeners.ts';
import { memoryDisk } from '../storage/disks.ts';
import { actInTurn, takeTurns } from '../storage/take-turns.ts';
import { company, slots } from './small.ts';

const isDeep = process.env.DEEP !== undefined;
const [first = '', second = '', third = ''] = slots;

/** Which slots are run at once: the older is refused where the newer was published before it. */
const plans: readonly (readonly string[])[] = [
  [second, second],
  [second, second, second],
  [second, second, second, second],
  [second, third],
  [second, second, third],
  [second, third, third],
  [second, second, third, third],
];

const contender = fc.record({
  /** Effects a turn; long turns leave the others far behind. */
  lengths: fc.array(fc.constantFrom(1, 3, 10, 40, 200), { minLength: 1, maxLength: 6 }),
  /** Windows does not answer this one. */
  isPartial: fc.boolean(),
});
const arrangement = fc.record({
  plan: fc.constantFrom(...plans),
  contenders: fc.array(contender, { minLength: 4, maxLength: 4 }),
  reader: fc.array(fc.constantFrom(1, 3, 10), { minLength: 1, maxLength: 3 }),
  isFirst: fc.boolean(),
});

test('runs at once in any order: each slot is published once, and nothing is lost or half read [C7, C9]', async () => {
  const property = fc.asyncProperty(
    fc.scheduler({ act: actInTurn }),
    arrangement,
    async (scheduler, { plan, contenders, reader, isFirst }) => {
      const disk = memoryDisk();
      const store = createFolderStore('/store', disk);
      const channels = [listener('one'), listener('parts', true)];
      const made = company();
      if (!isFirst) {
        await runNight(made.order(first), partsWith(made, store, channels, systemClock));
      }

      const runs = plan.map((slot, index) => {
        const { lengths, isPartial } = contenders[index] ?? { lengths: [1], isPartial: false };
        const mine = company();
        if (isPartial) {
          mine.away.add('windows');
        }
        const name = `run ${index + 1} of ${slot}`;
        return takeTurns(scheduler, { name, lengths, disk, clock: systemClock }, async (seat) => {
          const own = createFolderStore('/store', seat.disk);
          const parts = { ...partsWith(mine, own, channels, seat.clock), clock: seat.clock };
          const outcome = await runNight(mine.order(slot), parts).catch((error: unknown) => error);
          return { slot, outcome };
        });
      });
      const atReader = { name: 'a reader', lengths: reader, disk, clock: systemClock };
      const reads = takeTurns(scheduler, atReader, async (seat) => {
        const own = createFolderStore('/store', seat.disk);
        for (let read = 0; read < 5; read += 1) {
          await expectWholeRun(own);
        }
      });
      const [ended] = await scheduler.waitFor(Promise.all([Promise.all(runs), reads]));

      const published = new Map<string, unknown[]>();
      for (const { slot, outcome } of ended) {
        if (outcome instanceof Error) {
          expect(outcome).toBeInstanceOf(MusterError);
          expect(outcome).toMatchObject({ code: 'slot-refused' });
          expect(slot).not.toBe(plan.at(-1));
          continue;
        }
        const { did, exit } = outcome as { did: string; exit: number };
        // One that began after the slot was published is no rival, and finds it as it is.
        expect(['published', 'superseded', 'unchanged']).toContain(did);
        published.set(slot, [...(published.get(slot) ?? []), ...(did === 'published' ? [exit] : [])]);
      }
      const newest = plan.at(-1) ?? '';
      expect(published.get(newest)).not.toEqual([]);
      for (const exits of published.values()) {
        // One that began after a partial run may replace it by a complete one; no two are alike.
        expect([[], [0], [3], [0, 3]]).toContainEqual(exits.sort());
      }

      // Whoever comes next finishes what the last one left, and finds it whole.
      await runNight(made.order(newest), partsWith(made, store, channels, systemClock));
      expect((await verifyRuns(store)).damage).toEqual([]);
      const current = await readCurrentRun(store);
      expect(current?.commit.slot).toBe(newest);
      const left = current && (await readStateHead(store, current)).runs.kept.map(({ slot }) => slot);
      const kept = [...(left ?? []), newest];
      const wanted = [
        ...(isFirst ? [] : [first]),
        ...[...published].flatMap(([slot, exits]) => (exits.length > 0 ? [slot] : [])),
      ];
      expect(kept).toEqual(wanted);
      for (const channel of channels) {
        // One more for each run at work beside the one that sends it; the last run of all finds it marked.
        expect([...counts(channel)].filter(([, times]) => times > plan.length)).toEqual([]);
      }
      const people = new Set([...counts(channels[0] ?? listener('none')).keys()].map((key) => key.split('/')[1]));
      expect(wanted.filter((slot) => !people.has(slot))).toEqual([]);
    },
  );
  await fc.assert(property, {
    numRuns: isDeep ? 2_000 : 15,
    seed: isDeep ? Date.now() : 20261122,
    endOnFailure: !isDeep,
  });
});

/** latest.json → commit → every file, as somebody reads them who knows nothing of the writers. */
async function expectWholeRun(store: Store): Promise<void> {
  const pointer = await store.read('latest.json');
  if (pointer === undefined) {
    return;
  }
  const { manifest: key, sha256 } = JSON.parse(pointer.toString());
  const manifest = await store.read(key);
  expect(hash(manifest)).toBe(sha256);
  for (const file of JSON.parse(manifest?.toString() ?? '').files) {
    expect(hash(await store.read(file.key))).toBe(file.sha256);
  }
}

function hash(body: Buffer | undefined): string {
  return createHash('sha256')
    .update(body ?? '')
    .digest('hex');
}
