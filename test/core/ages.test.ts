/** Dates that cannot be or are not known, and the order of devices that need action. */
import { expect, it } from 'vitest';
import { listDevicesNeedingAction } from '../../src/core/machine/needs-action.ts';
import { dropUnknownDates } from '../../src/core/record/ages.ts';
import { isCalendarDate } from '../../src/core/time/calendar.ts';
import { at, makeMac } from './make-facts.ts';

it.each([
  ['1970-12-31T23:59:59.999Z', false],
  ['1971-01-02T00:00:00.000Z', true],
  ['1975-01-01T00:00:00.000Z', true],
  [at(1), true],
  [at(1, 1), true],
  [at(1, 1, 1), false],
  ['never', false],
])('an enrolment on %s is possible for a reading of 2026-06-01: %s', (enrolledAt, possible) => {
  const { enrolledAt: _, ...undated } = makeMac('1');
  expect(dropUnknownDates({ ...undated, enrolledAt }, Date.parse(at(1)))).toEqual(
    possible ? { ...undated, enrolledAt } : undated,
  );
  expect(dropUnknownDates(undated, Date.parse(at(1)))).toBe(undated);
});

it.each(['lastSeenAt', 'reportedAt'] as const)(
  '%s of more than a day after the reading is not known [F11]',
  (field) => {
    const device = makeMac('1', 'Installed');
    const { [field]: _, ...undated } = device;

    expect(dropUnknownDates({ ...device, [field]: at(1, 1) }, Date.parse(at(1)))).toEqual({
      ...device,
      [field]: at(1, 1),
    });
    expect(dropUnknownDates({ ...device, [field]: at(1, 1, 1) }, Date.parse(at(1)))).toEqual(undated);
  },
);

it('so is the date of an answer, whose word stands [F11]', () => {
  const [now, ahead] = [at(1), at(1, 1, 1)].map((date) => ({ value: '1', app: 'a', at: date }));
  const device = { ...makeMac('1'), answers: [now, ahead].filter((answer) => answer !== undefined) };

  expect(dropUnknownDates(device, Date.parse(at(1))).answers).toEqual([now, { value: '1', app: 'a' }]);
});

it.each([
  ['2026-02-28', true],
  ['2026-02-29', false],
  ['2024-02-29', true],
  ['2026-13-01', false],
  ['2026-01', false],
  ['2026-01-01T', false],
  ['', false],
])('%j is a day: %s', (text, isDay) => {
  expect(isCalendarDate(text)).toBe(isDay);
});

it('devices that need action come longest missing first, then by source and id', () => {
  const device = (source: string, id: string, notInstalledSince?: string) => ({
    ...({ source, id, status: 'Not Installed', counted: true } as const),
    ...(notInstalledSince === undefined ? {} : { notInstalledSince }),
  });
  const ordered = [
    device('b', '9'),
    device('z', '9', '2026-06-01'),
    device('a', '1', '2026-06-02'),
    device('a', '2', '2026-06-02'),
    device('b', '0', '2026-06-02'),
  ];
  const others = [
    { ...device('a', '3', '2026-06-01'), counted: false },
    { ...device('a', '4', '2026-06-01'), status: 'Installed' as const },
  ];

  expect(listDevicesNeedingAction([...others, ...ordered], (device) => device)).toEqual(ordered);
  expect(listDevicesNeedingAction([...ordered.toReversed(), ...others], (device) => device)).toEqual(ordered);
});
