/** Dates that cannot be, and dates that are not known. */
import { expect, it } from 'vitest';
import { dropImpossibleEnrolment, isOlderThan, readAgeTime } from '../../src/core/ages.ts';
import { isCalendarDate, parseTime } from '../../src/core/calendar.ts';
import { at, mac } from './world.ts';

it.each([
  ['1970-12-31T23:59:59.999Z', false],
  ['1971-01-02T00:00:00.000Z', true],
  ['1975-01-01T00:00:00.000Z', true],
  [at(1), true],
  [at(1, 1), true],
  [at(1, 1, 1), false],
  ['never', false],
])('an enrolment on %s is possible for a reading of 2026-06-01: %s', (enrolledAt, possible) => {
  const { enrolledAt: _, ...undated } = mac('1');
  expect(dropImpossibleEnrolment({ ...undated, enrolledAt }, at(1))).toEqual(
    possible ? { ...undated, enrolledAt } : undated,
  );
  expect(dropImpossibleEnrolment(undated, at(1))).toBe(undated);
});

it('the age is that of the oldest date, and unknown where one is', () => {
  const rules = { ageDates: ['reportedAt', 'lastSeenAt'] } as const;
  const device = mac('1', 'Installed', { reportedAt: at(1, -3), lastSeenAt: at(1, -2) });

  expect(readAgeTime(device, rules)).toBe(parseTime(at(1, -3)));
  expect(readAgeTime({ ...device, lastSeenAt: at(1, -4) }, rules)).toBe(parseTime(at(1, -4)));
  expect(readAgeTime({ ...device, lastSeenAt: 'never' }, rules)).toBeUndefined();
  expect(readAgeTime({ ...device, reportedAt: '' }, rules)).toBeUndefined();
});

it.each([
  [undefined, true],
  [at(1, -2), false],
  [at(1, -2, -1), true],
  [at(2), false],
])('%s is older than two days: %s', (date, older) => {
  expect(isOlderThan(parseTime(date), at(1), 2)).toBe(older);
});

it.each([
  ['2026-02-28', true],
  ['2026-02-29', false],
  ['2024-02-29', true],
  ['2026-13-01', false],
  ['2026-1-01', false],
  ['2026', false],
  ['2026-01', false],
  ['12026-01-01', false],
  ['2026-01-01T', false],
  ['', false],
])('%j is a day: %s', (text, isDay) => {
  expect(isCalendarDate(text)).toBe(isDay);
});
