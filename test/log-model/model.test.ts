/** The model of the log holds its invariants in thousands of schedules, and no rule of it can be left out unnoticed. */
import { describe, expect, it } from 'vitest';
import { isDeep } from '../sampling.ts';
import { compareOutcomes } from './compare.ts';
import { lateCopyAfterHeal, lateCopyAfterRetract, lateLatest, overtakenRival, tellingSchedules } from './gaps.ts';
import { addQuietEnd, generateSchedule } from './generate.ts';
import { findViolations } from './invariants.ts';
import { createModelSubject } from './model-subject.ts';
import type { GroupOutcome } from './outcome.ts';
import { playSchedule } from './play.ts';
import { playOnSubject } from './play-subject.ts';
import { type LogRules, writtenRules } from './rules.ts';
import type { Schedule } from './schedule.ts';
import { describeSchedule, shrinkSchedule } from './shrink.ts';

/** All of them with `DEEP`. */
const schedules = isDeep ? 5_000 : 120;

function makeSchedule(seed: number): Schedule {
  return addQuietEnd(generateSchedule(seed));
}

/** The violations of a schedule, and the smallest schedule that still has one. */
async function describeViolations(schedule: Schedule): Promise<string[]> {
  const isBroken = (candidate: Schedule) => findViolations(candidate).violations.length > 0;
  return isBroken(schedule)
    ? [...findViolations(schedule).violations, describeSchedule(await shrinkSchedule(schedule, isBroken))]
    : [];
}

describe('the model', () => {
  it(`holds its invariants in ${schedules} schedules`, async () => {
    for (let seed = 1; seed <= schedules; seed += 1) {
      expect({ seed, violations: await describeViolations(makeSchedule(seed)) }).toEqual({ seed, violations: [] });
    }
  });

  it.each(tellingSchedules)('holds its invariants where a rule tells', async (schedule) => {
    expect(await describeViolations(schedule)).toEqual([]);
  });

  it('plays what it is about, often', () => {
    const counts = countEvents(400);
    for (const event of [
      ...['replaces', 'retracts', 'accepts', 'prunes', 'keptFrom'],
      ...['exit 0', 'exit 1', 'exit 2', 'exit 3', 'exit 4', 'killed', 'sound', 'behind', 'left over'],
    ]) {
      expect(counts.get(event) ?? 0, event).toBeGreaterThan(20);
    }
  });

  it('gives the same outcome for the same seed', () => {
    expect(playSchedule(makeSchedule(7))).toEqual(playSchedule(makeSchedule(7)));
  });
});

describe('a rule that is left out is noticed', () => {
  const broken: readonly (keyof LogRules)[][] = [
    ['readsLogLast', 'looksTwice'],
    ['allowsOvertakenRivals'],
    ['knowsOwnBytes'],
    ['yieldsToRivals'],
    ['readsNumberAfter'],
    ['stopsAtFailedAudit'],
    ['finishesAtStart'],
    ['needsLatestToRemove'],
    ['replacesOnlyByBetter'],
    ['remembersRetractedSlots'],
    ['removesAfterCommit'],
    ['passesOnOwedCopies'],
    ['takesCopiesAway'],
  ];

  it.each(broken.map((names) => [names.join(' and '), names] as const))('%s', (_name, names) => {
    const rules = { ...writtenRules, ...Object.fromEntries(names.map((name) => [name, false])) };
    const isBroken = (schedule: Schedule) => findViolations(schedule, rules).violations.length > 0;
    let seed = 1;
    while (!tellingSchedules.some(isBroken) && seed <= schedules && !isBroken(makeSchedule(seed))) {
      seed += 1;
    }
    expect(seed).toBeLessThan(schedules);
  });
});

describe('gaps of the text', () => {
  it('a late put of latest.json names a run that is removed', () => {
    expect(findViolations(lateLatest).gaps).toEqual(['reader: latest.json names a run that is removed']);
  });

  it.each([
    ['a heal', lateCopyAfterHeal],
    ['a retraction', lateCopyAfterRetract],
  ])('a copy that comes too late after %s, of a run that is killed then, stays', (_name, schedule) => {
    expect(findViolations(schedule).gaps).toEqual([expect.stringMatching(/^stale: devices\/date=2026-03-03/)]);
  });

  it('refuses an honest log, where the commit in a taken place must not be behind latest.json', () => {
    expect(playSchedule(overtakenRival).map(({ ends }) => ends)).toEqual([[0, 0, 0]]);
    const literal = playSchedule(overtakenRival, { ...writtenRules, allowsOvertakenRivals: false });
    expect(literal.map(({ ends }) => ends)).toEqual([[1, 0, 0]]);
  });
});

describe('the subject', () => {
  it('plays the same schedules through gated stores, with the same outcome', async () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const schedule = makeSchedule(seed);
      const found = await playOnSubject(schedule, createModelSubject());
      expect({ seed, differences: compareOutcomes(playSchedule(schedule), found) }).toEqual({ seed, differences: [] });
    }
  });

  it('is compared in every part', () => {
    const outcomes = playSchedule(lateLatest);
    const others = outcomes.map((outcome): GroupOutcome => ({ ...outcome, latest: 99, keptRuns: [] }));
    expect(compareOutcomes(outcomes, others)).toHaveLength(4);
  });
});

function countEvents(seeds: number): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (event: string) => counts.set(event, (counts.get(event) ?? 0) + 1);
  for (let seed = 1; seed <= seeds; seed += 1) {
    const outcomes = playSchedule(makeSchedule(seed));
    for (const { ends, verdict } of outcomes) {
      ends.map((end) => (end === 'killed' ? end : `exit ${end}`)).forEach(add);
      add(verdict.behind.length > 0 ? 'behind' : 'sound');
      verdict.behind.flatMap((name) => (name.endsWith('is left over') ? ['left over'] : [])).forEach(add);
    }
    for (const commit of outcomes.at(-1)?.commits ?? []) {
      for (const field of ['replaces', 'retracts', 'accepts', 'prunes', 'keptFrom'] as const) {
        if (commit[field] !== undefined) {
          add(field);
        }
      }
    }
  }
  return counts;
}
