import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findLastSlot, findMoment } from '../../src/settings/schedule/schedule.ts';
import { formatZonedDate } from '../../src/settings/schedule/zoned-time.ts';

const utc = { cron: '15 5 * * *', timezone: 'UTC' };

describe('the slot', () => {
  it.each([
    ['at the scheduled moment', utc, '2026-11-20T05:15:00Z', '2026-11-20', '2026-11-20T05:15:00.000Z'],
    ['a second before it', utc, '2026-11-20T05:14:59Z', '2026-11-19', '2026-11-19T05:15:00.000Z'],
    ['late in the day', utc, '2026-11-20T23:59:59Z', '2026-11-20', '2026-11-20T05:15:00.000Z'],
    ['over the turn of the year [C14]', utc, '2027-01-01T00:00:00Z', '2026-12-31', '2026-12-31T05:15:00.000Z'],
    ['over a leap day [C14]', utc, '2028-03-01T00:00:00Z', '2028-02-29', '2028-02-29T05:15:00.000Z'],
    [
      'on a 29 February',
      { cron: '0 6 29 2 *', timezone: 'UTC' },
      '2026-11-20T12:00:00Z',
      '2024-02-29',
      '2024-02-29T06:00:00.000Z',
    ],
    [
      'in a zone ahead',
      { cron: '15 5 * * *', timezone: 'Pacific/Auckland' },
      '2026-11-19T16:15:00Z',
      '2026-11-20',
      '2026-11-19T16:15:00.000Z',
    ],
    [
      'in a zone behind',
      { cron: '15 22 * * *', timezone: 'America/New_York' },
      '2026-11-20T04:00:00Z',
      '2026-11-19',
      '2026-11-20T03:15:00.000Z',
    ],
    [
      'before the clocks go forward [C12]',
      { cron: '30 1 * * *', timezone: 'Europe/Berlin' },
      '2026-03-29T12:00:00Z',
      '2026-03-29',
      '2026-03-29T00:30:00.000Z',
    ],
    [
      'inside the gap: the next moment that exists [C13]',
      { cron: '30 2 * * *', timezone: 'Europe/Berlin' },
      '2026-03-29T01:00:00Z',
      '2026-03-29',
      '2026-03-29T01:00:00.000Z',
    ],
    [
      'a second before the end of the gap [C13]',
      { cron: '30 2 * * *', timezone: 'Europe/Berlin' },
      '2026-03-29T00:59:59Z',
      '2026-03-28',
      '2026-03-28T01:30:00.000Z',
    ],
    [
      'in a gap that ends the date: on the next one [C13]',
      { cron: '30 23 * * *', timezone: 'America/Nuuk' },
      '2026-03-29T12:00:00Z',
      '2026-03-28',
      '2026-03-29T01:00:00.000Z',
    ],
    [
      'in a gap of a whole day [C13]',
      { cron: '15 5 * * *', timezone: 'Pacific/Apia' },
      '2011-12-30T10:00:00Z',
      '2011-12-30',
      '2011-12-30T10:00:00.000Z',
    ],
    [
      'in the hour that comes twice: the first one [C12]',
      { cron: '30 2 * * *', timezone: 'Europe/Berlin' },
      '2026-10-25T12:00:00Z',
      '2026-10-25',
      '2026-10-25T00:30:00.000Z',
    ],
  ])('%s', (_, schedule, now, slot, moment) => {
    const last = findLastSlot(schedule, new Date(now));
    expect({ slot: last.slot, moment: last.moment.toISOString() }).toEqual({ slot, moment });
  });

  it('has no time on a date without a scheduled run', () => {
    expect(findMoment({ cron: '15 5 * * 1-5', timezone: 'UTC' }, '2026-11-21')).toBeUndefined();
    expect(findMoment({ cron: '15 5 * * 1-5', timezone: 'UTC' }, '2026-11-20')?.toISOString()).toBe(
      '2026-11-20T05:15:00.000Z',
    );
  });

  it('is always the date of its own moment, not after now, and less than 26 hours old on a daily schedule [C12, C14]', () => {
    const zones = [
      'UTC',
      'Europe/Berlin',
      'America/Santiago',
      'Australia/Lord_Howe',
      'Asia/Kolkata',
      'America/St_Johns',
    ];
    const property = fc.property(
      fc.date({ min: new Date('2024-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }),
      fc.integer({ min: 4, max: 22 }),
      fc.constantFrom(...zones),
      (now, hour, timezone) => {
        const { slot, moment } = findLastSlot({ cron: `15 ${hour} * * *`, timezone }, now);
        expect(moment.getTime()).toBeLessThanOrEqual(now.getTime());
        expect(now.getTime() - moment.getTime()).toBeLessThan(26 * 3_600_000);
        expect(formatZonedDate(timezone, moment)).toBe(slot);
      },
    );
    fc.assert(property, { numRuns: 150, seed: 20261120 });
  });
});
