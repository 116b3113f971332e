/** From which day on a device is overdue: the same rule for the page and for the alerts. */
import { describe, expect, it } from 'vitest';
import { isOverdue } from '../../src/core/needs-action.ts';

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
