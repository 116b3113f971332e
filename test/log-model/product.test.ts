/** The product plays the model's schedules: the same commits, kept runs, copies, audit, exit codes and verdicts. */
import { describe, expect, it } from 'vitest';
import { isDeep } from '../sampling.ts';
import { compareOutcomes } from './compare.ts';
import { foundSchedules } from './found.ts';
import { lateLatest, overtakenRival } from './gaps.ts';
import { addQuietEnd, generateSchedule } from './generate.ts';
import { playSchedule } from './play.ts';
import { playOnSubject } from './play-subject.ts';
import { createProductSubject } from './product-subject.ts';
import type { Schedule } from './schedule.ts';
import { describeSchedule, shrinkSchedule } from './shrink.ts';

/** All of them with `DEEP`. */
const schedules = isDeep ? 5_000 : 20;

describe('the product', () => {
  it(`leaves what the model leaves in ${schedules} schedules`, { timeout: schedules * 5_000 }, async () => {
    for (let seed = 1; seed <= schedules; seed += 1) {
      expect({ seed, differences: await describeDifferences(addQuietEnd(generateSchedule(seed))) }).toEqual({
        seed,
        differences: [],
      });
    }
  });

  it.each(Object.entries({ ...foundSchedules, lateLatest, overtakenRival }))(
    'leaves what the model leaves in %s',
    async (_name, schedule) => {
      expect(await describeDifferences(schedule)).toEqual([]);
    },
  );
});

/** The differences of a schedule, and the smallest schedule that still has one. */
async function describeDifferences(schedule: Schedule): Promise<string[]> {
  const differences = await findDifferences(schedule);
  if (differences.length === 0) {
    return [];
  }
  const isDifferent = async (candidate: Schedule) => (await findDifferences(candidate)).length > 0;
  return [...differences, describeSchedule(await shrinkSchedule(schedule, isDifferent))];
}

async function findDifferences(schedule: Schedule): Promise<string[]> {
  return compareOutcomes(playSchedule(schedule), await playOnSubject(schedule, createProductSubject()));
}
