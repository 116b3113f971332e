/** Which starts `muster schedule` makes, whatever its process sleeps through: driven by a clock that the test sets. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StartLoop } from '../../src/cli/start-loop.ts';
import type { HealedSchedule } from '../../src/settings/schedule/later-starts.ts';
import { findLastSlot, listSlots } from '../../src/settings/schedule/schedule.ts';
import { isDeep } from '../sampling.ts';

const minute = 60_000;
const hour = 60 * minute;

interface Work {
  readonly start: 'run' | 'heal' | 'verify';
  readonly slot: string;
  readonly at: string;
}

/** A loop with its clock. Each run takes `minutes`, and fails where `fails` says so. */
function openLoop(schedule: HealedSchedule, from: string, { minutes = 1, fails = (_: Work): boolean => false } = {}) {
  let now = Date.parse(from);
  const works: Work[] = [];
  const lines: { readonly event: string; readonly data: Readonly<Record<string, unknown>> }[] = [];
  const work = async (start: Work['start']) => {
    const at = new Date(now);
    const done = { start, slot: findLastSlot(schedule, at).slot, at: at.toISOString().slice(0, 16) };
    works.push(done);
    now += minutes * minute;
    return !fails(done);
  };
  const loop = new StartLoop({
    schedule,
    now: () => new Date(now),
    log: (_level, event, data = {}) => lines.push({ event, data }),
    run: ({ heals }) => work(heals ? 'heal' : 'run'),
    verify: () => work('verify'),
  });
  const lookAt = async (moment: number) => {
    now = moment;
    await loop.startDue();
  };
  const starts = () => works.map(({ start, slot, at }) => `${start} ${slot} at ${at}`);
  return { lookAt, works, lines, starts, read: () => now };
}

const daily: HealedSchedule = { cron: '15 5 * * *', timezone: 'UTC', healAfterHours: [2, 5] };
/** A Monday, after the slot of the day and its healings. */
const monday = '2026-11-23T12:00:00Z';

describe('a process that wakes', () => {
  it('late makes the start that came due, once [W1]', async () => {
    const { lookAt, starts, lines } = openLoop(daily, monday);
    await lookAt(Date.parse('2026-11-24T05:16:14Z'));
    await lookAt(Date.parse('2026-11-24T05:17:00Z'));
    expect(starts()).toEqual(['run 2026-11-24 at 2026-11-24T05:16']);
    expect(lines.map(({ event }) => event)).toEqual(['start.late']);
  });

  it('after days makes the newest start alone, names the others, and drops healings [W1]', async () => {
    const { lookAt, starts, lines } = openLoop(daily, monday);
    await lookAt(Date.parse('2026-11-27T11:00:00Z'));
    expect(starts()).toEqual(['run 2026-11-27 at 2026-11-27T11:00']);
    expect(lines).toContainEqual({
      event: 'slots.missed',
      data: expect.objectContaining({ count: 3, newest: ['2026-11-24', '2026-11-25', '2026-11-26'] }),
    });
    expect(lines.find(({ event }) => event === 'healing.skipped')?.data.count).toBe(8);
  });

  it('makes the newest healing alone where it slept through healings [W1]', async () => {
    const { lookAt, starts } = openLoop(daily, monday);
    await lookAt(Date.parse('2026-11-24T05:15:00Z'));
    await lookAt(Date.parse('2026-11-24T11:30:00Z'));
    expect(starts()).toEqual(['run 2026-11-24 at 2026-11-24T05:15', 'heal 2026-11-24 at 2026-11-24T11:30']);
  });

  it('verifies the store once, after the run [W1]', async () => {
    const { lookAt, starts } = openLoop(daily, monday);
    await lookAt(Date.parse('2026-12-07T06:00:00Z'));
    expect(starts()).toEqual(['run 2026-12-07 at 2026-12-07T06:00', 'verify 2026-12-07 at 2026-12-07T06:01']);
  });

  it('also after its clock was set back [W1]', async () => {
    const { lookAt, starts } = openLoop(daily, '2027-11-23T12:00:00Z');
    await lookAt(Date.parse('2026-11-24T05:14:00Z'));
    await lookAt(Date.parse('2026-11-24T05:15:00Z'));
    expect(starts()).toEqual(['run 2026-11-24 at 2026-11-24T05:15']);
  });
});

describe('a process that is busy', () => {
  it('drops healings that were due before its run ended [W1]', async () => {
    const { lookAt, starts } = openLoop(daily, monday, { minutes: 180 });
    await lookAt(Date.parse('2026-11-24T05:15:00Z'));
    await lookAt(Date.parse('2026-11-24T10:15:00Z'));
    expect(starts()).toEqual(['run 2026-11-24 at 2026-11-24T05:15', 'heal 2026-11-24 at 2026-11-24T10:15']);
  });

  it('heals a run that failed, though the healing was due before it ended [W1]', async () => {
    const fails = ({ start }: Work) => start === 'run';
    const { lookAt, starts } = openLoop(daily, monday, { minutes: 180, fails });
    await lookAt(Date.parse('2026-11-24T05:15:00Z'));
    expect(starts()).toEqual(['run 2026-11-24 at 2026-11-24T05:15', 'heal 2026-11-24 at 2026-11-24T08:15']);
  });

  it('makes a start that came due meanwhile when its work has ended [W1]', async () => {
    const { lookAt, starts } = openLoop(daily, '2026-11-29T13:00:00Z', { minutes: 990 });
    await lookAt(Date.parse('2026-11-29T13:15:00Z'));
    expect(starts()).toEqual(['verify 2026-11-29 at 2026-11-29T13:15', 'run 2026-11-30 at 2026-11-30T05:45']);
  });
});

it('over 400 days in any zone, each slot is run once or named as missed, and each run is of the newest [C12, C13, W1]', async () => {
  const from = '2026-11-28T12:00:00Z';
  const end = Date.parse(from) + 400 * 24 * hour;
  const sleeps = fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 60, max: 4 * 24 * 60 }) },
    { weight: 1, arbitrary: fc.integer({ min: 60, max: 40 * 24 * 60 }) },
  );
  const property = fc.asyncProperty(
    fc.constantFrom(...Intl.supportedValuesOf('timeZone')),
    fc.integer({ min: 0, max: 59 }),
    fc.integer({ min: 0, max: 23 }),
    fc.uniqueArray(fc.integer({ min: 1, max: 20 }), { maxLength: 3 }),
    fc.array(sleeps, { minLength: 8, maxLength: 30 }),
    fc.integer({ min: 1, max: 8 * 60 }),
    async (timezone, minutes, hours, healAfterHours, asleep, takes) => {
      const schedule = { cron: `${minutes} ${hours} * * *`, timezone, healAfterHours };
      const { lookAt, works, lines, read } = openLoop(schedule, from, { minutes: takes });
      for (let at = 0; read() < end; at += 1) {
        const [before, wakes] = [read(), read() + (asleep[at % asleep.length] ?? 1) * minute];
        const made = works.length;
        await lookAt(wakes);
        // A start that is due is made in the look that comes first.
        const newest = listSlots(schedule, new Date(before), new Date(wakes)).at(-1)?.slot;
        expect(works[made]).toMatchObject(newest === undefined ? {} : { start: 'run', slot: newest });
      }
      const runs = works.filter(({ start }) => start === 'run').map(({ slot }) => slot);
      const missed = lines.reduce(
        (sum, { event, data }) => sum + (event === 'slots.missed' ? Number(data.count) : 0),
        0,
      );
      expect(new Set(runs).size).toBe(runs.length);
      expect(runs.length + missed).toBe(listSlots(schedule, new Date(from), new Date(read())).length);
    },
  );
  await fc.assert(property, { numRuns: isDeep ? 400 : 2, seed: 20261128 });
});
