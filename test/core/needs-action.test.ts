/** From which day on a device is overdue: the same rule for the page and for the alerts. */
import { describe, expect, it } from 'vitest';
import { isOverdue, listDevicesNeedingAction } from '../../src/core/needs-action.ts';

describe('a device that is Not Installed since 2026-06-01, with a limit of 14 days,', () => {
  it.each([
    [13, '2026-06-14', false],
    [14, '2026-06-15', true],
    [15, '2026-06-16', true],
  ])('is overdue from day 14 on: day %i', (_, slot, overdue) => {
    expect(isOverdue('2026-06-01', slot, { overdueAfterDays: 14 })).toBe(overdue);
  });

  it('is overdue at once with a limit of 0 days', () => {
    expect(isOverdue('2026-06-01', '2026-06-01', { overdueAfterDays: 0 })).toBe(true);
  });
});

it('a device that is Installed is never overdue', () => {
  expect(isOverdue(undefined, '2026-06-15', { overdueAfterDays: 0 })).toBe(false);
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

  expect(listDevicesNeedingAction([...others, ...ordered], ({ id }) => id)).toEqual(ordered);
  expect(listDevicesNeedingAction([...ordered.toReversed(), ...others], ({ id }) => id)).toEqual(ordered);
});
