/** Days and times as people and spreadsheets write them; a text that can mean several days means none. */
import { describe, expect, it } from 'vitest';
import { findDateProblem, readDay, readTime } from '../../src/core/time/written-dates.ts';

describe('a day', () => {
  it.each([
    '2026-12-31',
    '2026/12/31',
    '31.12.2026',
    '31. 12. 2026',
    '31.12.26',
    '31/12/2026',
    '12/31/2026',
    '31-12-2026',
    '31-Dec-26',
    '31 Dec 2026',
    'Dec 31, 2026',
    'Thursday, December 31, 2026',
    'Donnerstag, 31. Dezember 2026',
    '31 décembre 2026',
    '31 de diciembre de 2026',
    '2026-12-31 00:00:00',
    '2026-12-31T23:59:59Z',
    '12/31/2026 12:00:00 AM',
    ' 31.12.2026 08:00 ',
  ])('is read as people write it: %s [M2]', (text) => {
    expect(readDay(text)).toBe('2026-12-31');
    expect(findDateProblem('expires', text)).toBeUndefined();
  });

  it('is read where both orders are the same day, and with points the day is first', () => {
    expect([readDay('05/05/2027'), readDay('1.2.2027')]).toEqual(['2027-05-05', '2027-02-01']);
  });

  it.each([
    ['01/02/2027', '2027-01-02 or 2027-02-01'],
    ['1-2-2027', '2027-01-02 or 2027-02-01'],
    ['31/12/26', '2026-12-31 or 2031-12-26'],
    ['01/02/2027 08:00', '2027-01-02 or 2027-02-01'],
  ])('that can mean several days is none, and all are named: %s [M2]', (text, days) => {
    expect([readDay(text), readTime(text)]).toEqual([undefined, undefined]);
    expect(findDateProblem('expires', text)).toBe(`expires is "${text}", which can mean ${days}; write one of these`);
  });

  it.each([
    '',
    'soon',
    '2026-02-30',
    '30.02.2026',
    '13/13/2026',
    '3 jui 2026',
    'not 31 Dec 2026',
    '46387',
    '1/2/3/2026',
  ])('that does not exist is none: %j', (text) => {
    expect(readDay(text)).toBeUndefined();
    expect(findDateProblem('expires', text)).toBe(`expires is "${text}"; it must be a date such as 2026-12-31`);
  });
});

describe('a time', () => {
  it.each([
    ['31.12.2026 7:05', '2026-12-31T07:05:00.000Z'],
    ['12/31/2026 3:04:05 PM', '2026-12-31T15:04:05.000Z'],
    ['12/31/2026, 12:30 a.m.', '2026-12-31T00:30:00.000Z'],
    ['2026-12-31T07:05:00.5+02:00', '2026-12-31T05:05:00.500Z'],
    ['2026-12-31', '2026-12-31T00:00:00.000Z'],
  ])('is read with its zone, and else in UTC: %s', (text, time) => {
    expect(new Date(readTime(text) ?? 0).toISOString()).toBe(time);
  });

  it('of an hour that no day has is none', () => {
    expect([readTime('2026-12-31 25:00'), readTime('2026-12-31 07:61')]).toEqual([undefined, undefined]);
  });
});
