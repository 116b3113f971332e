/** Starts besides the night's own: on which nights they come, and which of them is the last for a slot. */
import { createTask } from 'node-cron';
import { describe, expect, it } from 'vitest';
import { readSettings } from '../../src/compose/read-settings.ts';
import { deriveHealingCron, deriveVerifyCron, isLastStart } from '../../src/settings/schedule/later-starts.ts';
import { findCronProblem, findLastSlot, resolveScheduledSlot } from '../../src/settings/schedule/schedule.ts';
import { least } from './least.ts';

const hour = 3_600_000;

/** Of the moments a day apart from one on, those at which a cron starts; in 14 months, with a leap day. */
function matchesOf(cron: string, from: number): boolean[] {
  const task = createTask(cron, () => {}, { timezone: 'UTC' });
  return Array.from({ length: 430 }, (_, index) => task.match(new Date(from + index * 24 * hour)));
}

describe('a healing start', () => {
  it.each([
    ['15 5 * * *', 2],
    ['15 23 * * *', 2],
    ['0 15 5 * * 1-5', 5],
    ['15 22 * * mon-fri', 5],
    ['15 22 * * 0,6', 3],
    ['15 5 L * *', 2],
    ['15 5 * * 2#2', 2],
    ['15 23 1,15,27 * *', 2],
    ['15 20 5 2,3 *', 6],
    ['15 5 31 * *', 18],
  ])('%s comes %d hours later on the same nights and no other', (cron, hours) => {
    const own = findLastSlot({ cron, timezone: 'UTC' }, new Date('2028-01-05T00:00:00Z')).moment.getTime();
    const nights = matchesOf(cron, own);
    expect(nights).toContain(true);
    expect(matchesOf(deriveHealingCron(cron, hours), own + hours * hour)).toEqual(nights);
  });

  it.each(['15 23 31 * *', '15 23 L * *', '15 23 * * 2#2', '15 23 * 1-6 *', '15 23 1 * 5'])(
    '%s past midnight comes every day, where cron cannot say less',
    (cron) => {
      expect(deriveHealingCron(cron, 2)).toBe('15 1 * * *');
    },
  );

  it('keeps the second of a schedule that has one', () => {
    expect(deriveHealingCron('30 15 5 * * *', 2)).toBe('30 15 7 * * *');
    expect(findCronProblem(deriveHealingCron('30 15 5 * * *', 2))).toBeUndefined();
  });

  it.each([
    ['the hours after its slot', '15 5 * * *', 'UTC', '2026-11-20T07:15:00Z', '2026-11-20', '2026-11-20T05:15:00.000Z'],
    ['after midnight', '15 23 * * *', 'UTC', '2026-11-21T01:15:00Z', '2026-11-20', '2026-11-20T23:15:00.000Z'],
    ['at any hour', '15 5 * * *', 'UTC', '2026-11-21T05:14:00Z', '2026-11-20', '2026-11-20T05:15:00.000Z'],
    ['on a day without a night', '15 5 * * 5', 'UTC', '2026-11-22T07:15:00Z', '2026-11-20', '2026-11-20T05:15:00.000Z'],
    ['ahead', '15 5 * * *', 'Asia/Tokyo', '2026-11-20T23:15:00Z', '2026-11-21', '2026-11-20T20:15:00.000Z'],
  ])('%s belongs to the last slot before it, with its moment', (_, cron, timezone, time, slot, moment) => {
    const late = new Date(Date.parse(time) + 3 * hour);
    const resolved = resolveScheduledSlot({ cron, timezone }, new Date(time), late);
    expect({ ...resolved, moment: resolved.moment.toISOString() }).toEqual({ slot, moment, heals: true });
  });

  it('is none at the schedule’s own moment, however late it comes', () => {
    const time = new Date('2026-11-20T05:15:00Z');
    const late = new Date(time.getTime() + 6 * hour);
    expect(resolveScheduledSlot({ cron: '15 5 * * *', timezone: 'UTC' }, time, late)).toEqual({
      slot: '2026-11-20',
      moment: time,
    });
  });
});

describe('the last start of a slot', () => {
  const daily = { cron: '15 5 * * *', timezone: 'UTC', healAfterHours: [2, 5] };
  const slot = findLastSlot(daily, new Date('2026-11-20T12:00:00Z'));

  it.each([
    ['the night itself', daily, '2026-11-20T05:15:10Z', false],
    ['the first healing', daily, '2026-11-20T07:15:10Z', false],
    ['the last healing', daily, '2026-11-20T10:15:10Z', true],
    ['a start by hand after it', daily, '2026-11-20T15:00:00Z', true],
    ['the night itself, where nothing heals', { ...daily, healAfterHours: [] }, '2026-11-20T05:15:10Z', true],
  ])('%s', (_, schedule, now, isLast) => {
    expect(isLastStart(schedule, slot, new Date(now))).toBe(isLast);
  });

  it('is counted by the clocks of the zone, also when they change', () => {
    const schedule = { cron: '15 0 * * *', timezone: 'Europe/Berlin', healAfterHours: [5] };
    const night = findLastSlot(schedule, new Date('2026-03-29T12:00:00Z'));
    // Four hours later by the sun, five by the clock.
    expect(isLastStart(schedule, night, new Date('2026-03-29T03:15:00Z'))).toBe(true);
    expect(isLastStart(schedule, night, new Date('2026-03-29T03:00:00Z'))).toBe(false);
  });
});

it('the store is verified every Sunday, hours after the night', () => {
  expect(deriveVerifyCron('15 5 * * 1-5')).toBe('15 13 * * 0');
  expect(deriveVerifyCron('0 45 20 L * *')).toBe('45 4 * * 0');
});

describe('schedule.healAfterHours', () => {
  const settings = (hours: string) =>
    readSettings(`${least}${hours === '' ? '' : `schedule: { healAfterHours: ${hours} }`}`);

  it.each([
    ['', [2, 5]],
    ['[]', []],
    ['[6, 1, 6]', [1, 6]],
  ])('%s', (given, hours) => {
    expect(settings(given).settings?.schedule.healAfterHours).toEqual(hours);
  });

  it.each([
    ['[0]', 'schedule.healAfterHours[0]: must be a number from 1 to 20.'],
    ['[24]', 'schedule.healAfterHours[0]: must be a number from 1 to 20.'],
    ['[1.5]', 'schedule.healAfterHours[0]: must be a whole number.'],
    ['2', 'schedule.healAfterHours: must be a list of hours such as [2, 5], or [] for none.'],
    ['[1, 2, 3, 4, 5]', 'schedule.healAfterHours: must be at most four hours.'],
  ])('%s is refused', (given, problem) => {
    expect(settings(given).problems).toEqual([problem]);
  });
});
