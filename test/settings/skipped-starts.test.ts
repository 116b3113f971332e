/** The moments of a schedule in every time zone: each date has one, also where clocks skip its time. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listSlots } from '../../src/settings/schedule/schedule.ts';
import { describeSkippedStart, listSkippedStarts } from '../../src/settings/schedule/skipped-starts.ts';
import { sample } from '../sampling.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const first = Date.UTC(2026, 10, 28);
const days = 400;

/** Formats what clocks show, in another way than the product does. */
function createClock(timezone: string): (moment: number) => string {
  const numbers = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, ...numbers, hourCycle: 'h23' });
  return (moment) => {
    const [date = '', time = ''] = format.format(moment).split(', ');
    return `${date.split('/').reverse().join('-')} ${time}`;
  };
}

const toTwoDigits = (value: number) => String(value).padStart(2, '0');
const hours = fc.oneof(fc.constantFrom(0, 1, 2, 3, 22, 23), fc.integer({ min: 0, max: 23 }));

/** Their clocks change as those of few others: at the end of a date, by two hours, by half an hour, around a month. */
const oddZones = ['America/Nuuk', 'Antarctica/Troll', 'Australia/Lord_Howe', 'Africa/Casablanca', 'Pacific/Easter'];

describe('the starts of a schedule', () => {
  it('are one for each of 400 dates in every zone, at the first moment that shows its time or a later one [C12, C13, M1]', () => {
    let skipped = 0;
    for (const [index, timezone] of [...oddZones, ...sample(Intl.supportedValuesOf('timeZone'), 45)].entries()) {
      const clock = createClock(timezone);
      const property = fc.property(hours, fc.integer({ min: 0, max: 59 }), (hour, minutes) => {
        const cron = `${minutes} ${hour} * * *`;
        const slots = listSlots({ cron, timezone }, new Date(first), new Date(first + days * day));
        expect(slots.map(({ slot }) => slot)).toEqual(
          Array.from(slots, (_, index) => addDays(slots[0]?.slot ?? '', index)),
        );
        expect(Math.abs(slots.length - days)).toBeLessThanOrEqual(1);
        for (const { slot, moment } of slots) {
          const time = `${slot} ${toTwoDigits(hour)}:${toTwoDigits(minutes)}`;
          const shown = clock(moment.getTime());
          skipped += shown === time ? 0 : 1;
          // No clock shows this time or a later one before the moment.
          const earlier = [1, 29, 59, 119].map((before) => clock(moment.getTime() - before * minute));
          if (shown < time || earlier.some((other) => other >= time)) {
            expect({ timezone, time, shown, earlier }).toBeUndefined();
          }
        }
      });
      fc.assert(property, { numRuns: 1, seed: index });
    }
    expect(skipped).toBeGreaterThan(0);
  });

  it.each([
    [
      '30 2 * * *',
      'Europe/Berlin',
      'Clocks in Europe/Berlin skip 02:30 on 2027-03-28: the run of that date starts at 03:00.',
    ],
    [
      '15 2 * * *',
      'America/New_York',
      'Clocks in America/New_York skip 02:15 on 2027-03-14: the run of that date starts at 03:00.',
    ],
    [
      '30 1 * * *',
      'Antarctica/Troll',
      'Clocks in Antarctica/Troll skip 01:30 on 2027-03-28: the run of that date starts at 03:00.',
    ],
    [
      '15 2 * * 0',
      'Australia/Lord_Howe',
      'Clocks in Australia/Lord_Howe skip 02:15 on 2027-10-03: the run of that date starts at 02:30.',
    ],
    [
      '30 23 * * *',
      'America/Nuuk',
      'Clocks in America/Nuuk skip 23:30 on 2027-03-27: the run of that date starts at 00:00 on 2027-03-28.',
    ],
    ['30 2 * * 1-5', 'Europe/Berlin', undefined],
    ['15 5 * * *', 'Europe/Berlin', undefined],
    ['30 2 * * *', 'UTC', undefined],
    ['30 2 * * *', 'Asia/Tokyo', undefined],
  ])('%s in %s: %s [M1]', (cron, timezone, sentence) => {
    expect(describeSkippedStart({ cron, timezone }, new Date(first))).toBe(sentence);
  });

  it('are named while they are ahead', () => {
    const schedule = { cron: '30 2 * * *', timezone: 'Europe/Berlin' };
    const list = (now: string) => listSkippedStarts(schedule, new Date(now)).map(({ slot }) => slot);
    expect(list('2027-03-28T00:59:59Z')).toEqual(['2027-03-28', '2028-03-26']);
    expect(list('2027-03-28T01:00:00Z')).toEqual(['2028-03-26']);
  });
});

function addDays(date: string, count: number): string {
  return new Date(Date.parse(date) + count * day).toISOString().slice(0, 10);
}
