/** Which rows of the files of exemptions and acknowledgements hold, and for which devices. */
import { describe, expect, it } from 'vitest';
import type { AcknowledgementRow, ExemptionRow } from '../../src/core/facts/company.ts';
import type { DeviceFacts } from '../../src/core/facts/facts.ts';
import {
  findAcknowledgement,
  findAcknowledgementProblem,
  indexAcknowledgements,
  judgeAcknowledgements,
} from '../../src/core/machine/acknowledgements.ts';
import { findExemptionProblem } from '../../src/core/machine/exemptions.ts';
import {
  at,
  findDevice,
  judgeOnce,
  judgeRuns,
  listChanges,
  makeExemption,
  makeIncomplete,
  makeMac,
  makePc,
  makeSource,
  makeTwoSources,
  slot,
} from './make-facts.ts';
import { record } from './records.ts';

function resultOf(row: ExemptionRow, devices = [makePc('a'), makePc('b')]) {
  const night = judgeOnce({
    exemptions: [row],
    sources: [makeSource('windows', devices), makeSource('macs', [makeMac('a')])],
  });
  const [judgedRow] = night.exemptions;
  const exempted = night.devices.filter((one) => one.judgement.excludedBecause === 'exempt');
  return [judgedRow?.result, judgedRow?.devices, exempted.map((one) => `${one.source} ${one.facts.id}`)];
}

describe('what a row fits', () => {
  it.each([
    ['serial', 'PF0Xa', '', ['active', 1, ['windows a']]],
    ['serial', 'pfa', '', ['unmatched', 0, []]],
    ['serial', 'PF0Xa', 'macs', ['unmatched', 0, []]],
    ['device_id', 'a', '', ['active', 2, ['macs a', 'windows a']]],
    ['device_id', 'a', 'windows', ['active', 1, ['windows a']]],
    ['device_name', 'pc-b', 'windows', ['active', 1, ['windows b']]],
    ['device_name', 'PC-B', 'windows', ['unmatched', 0, []]],
    ['device_name', 'pc', 'windows', ['unmatched', 0, []]],
    ['user', 'user-a@example.com', 'windows', ['active', 1, ['windows a']]],
    ['user', 'user-a@example.com', 'macs', ['unmatched', 0, []]],
    ['serial', '__proto__', '', ['unmatched', 0, []]],
  ])('%s %s in source %j: %j [D10]', (match, value, from, expected) => {
    expect(resultOf(makeExemption(match, value, { source: from }))).toEqual(expected);
  });

  it('a name or user of several devices exempts none of them', () => {
    const twins = [makePc('a', '1', { name: 'pc', user: 'ada' }), makePc('b', '1', { name: 'pc', user: 'ada' })];

    expect(resultOf(makeExemption('device_name', 'pc', { source: 'windows' }), twins)).toEqual(['ambiguous', 2, []]);
    expect(resultOf(makeExemption('user', 'ada', { source: 'windows' }), twins)).toEqual(['ambiguous', 2, []]);
  });

  it('a replaced record makes a row neither ambiguous nor active', () => {
    const old = makePc('a', '1', { name: 'pc', serialNumber: 'PF0X9', lastSeenAt: at(1, -5) });
    const now = makePc('b', '1', { name: 'pc', serialNumber: 'PF0X9' });

    expect(resultOf(makeExemption('device_name', 'pc', { source: 'windows' }), [old, now])).toEqual([
      'active',
      1,
      ['windows b'],
    ]);
    expect(resultOf(makeExemption('device_id', 'a', { source: 'windows' }), [old, now])).toEqual(['unmatched', 0, []]);
  });
});

describe('until when', () => {
  it.each([
    [slot(0), 'expired'],
    [slot(1), 'expiring'],
    [slot(15), 'expiring'],
    [slot(16), 'active'],
  ])('expires %s: %s [D10]', (expires, result) => {
    const [is, , exempted] = resultOf(makeExemption('serial', 'PF0Xa', { expires }));

    expect(is).toBe(result);
    expect(exempted).toEqual(result === 'expired' ? [] : ['windows a']);
  });
});

describe('a row that does not do what it says [D10]', () => {
  it.each([
    [{}, undefined],
    [{ match: 'constructor' }, 'match is "constructor"; it must be one of serial, device_id, device_name, user'],
    [{ value: '' }, 'value is empty'],
    [{ match: 'user' }, 'source is empty, which user does not allow: it can be changed on the machine itself'],
    [{ owner: '' }, 'owner is empty'],
    [{ reason: '' }, 'reason is empty'],
    [{ expires: 'soon' }, 'expires is "soon"; it must be a date such as 2026-12-31'],
    [{ expires: '2026-02-30' }, 'expires is "2026-02-30"; it must be a date such as 2026-12-31'],
  ])('%j: %s', (changes, problem) => {
    const row = makeExemption('serial', 'PF0Xa', changes);
    expect(findExemptionProblem(row)).toBe(problem);
    expect(resultOf(row)[0] === 'invalid').toBe(problem !== undefined);
  });

  it('holds until its date as people write it, and appears with the date as tables have it', () => {
    const judgeWritten = (expires: string) =>
      judgeOnce({ exemptions: [makeExemption('serial', 'PF0Xa', { expires })] }).exemptions.map((one) => [
        one.expires,
        one.result,
      ]);
    expect(judgeWritten('31.12.2027')).toEqual([['2027-12-31', 'active']]);
    expect(judgeWritten('12/31/2025')).toEqual([['2025-12-31', 'expired']]);
    expect(judgeWritten('01/02/2027')).toEqual([['01/02/2027', 'invalid']]);
  });

  it('every row appears in the order of the file', () => {
    const rows = [makeExemption('serial', 'zzz'), makeExemption('serial', 'PF0Xa'), makeExemption('serial', '', {})];

    expect(judgeOnce({ exemptions: rows }).exemptions.map(({ value, result }) => [value, result])).toEqual([
      ['zzz', 'unmatched'],
      ['PF0Xa', 'active'],
      ['', 'invalid'],
    ]);
  });
});

describe('over the nights', () => {
  it('holds for a carried source too', () => {
    const [macs] = makeTwoSources();
    const sources = macs ? [macs, makeIncomplete('windows')] : [];
    const all = judgeRuns({}, { sources, exemptions: [makeExemption('device_id', 'b')] });

    expect(findDevice(all[1], 'b').judgement).toMatchObject({ excludedBecause: 'exempt', answeredOn: slot(1) });
    expect(listChanges(all[1])).toEqual([]);
  });
});

const row = (changes: Partial<AcknowledgementRow> = {}): AcknowledgementRow => ({
  serial: 'C02 FX-1',
  by: 'ada',
  until: '2026-06-10',
  ticket: '',
  note: '',
  ...changes,
});
const devices = ['c02fx1', 'C02FX2', undefined, 'C02FX2'].map((serialNumber) =>
  record('macs', makeMac('1', 'Installed', { serialNumber } as Partial<DeviceFacts>)),
);
const judgeOne = (changes: Partial<AcknowledgementRow>, slot = '2026-06-10') =>
  judgeAcknowledgements([row(changes)], devices, slot).map(({ result, devices: fits }) => [result, fits])[0];

describe('a row', () => {
  it.each([
    [{}, undefined],
    [{ serial: '' }, 'serial is empty'],
    [{ serial: ' - ' }, 'serial is empty'],
    [{ by: '' }, 'by is empty'],
    [{ until: 'soon' }, 'until is "soon"; it must be a date such as 2026-12-31'],
    [{ until: '2026-06-31' }, 'until is "2026-06-31"; it must be a date such as 2026-12-31'],
    [{ until: '10.6.2026' }, undefined],
    [{ problem: 'a quote is not closed' }, 'a quote is not closed'],
    [{ until: '+002026-06-10' }, 'until is "+002026-06-10"; it must be a date such as 2026-12-31'],
  ])('%j: %s', (changes, problem) => {
    expect(findAcknowledgementProblem(row(changes))).toBe(problem);
    expect(judgeOne(changes)?.[0] === 'invalid').toBe(problem !== undefined);
  });

  it.each([
    ['holds through the day that it names', {}, '2026-06-10', ['active', 1]],
    ['and not on the next', {}, '2026-06-11', ['expired', 1]],
    ['and as people write it', { until: '10.6.2026' }, '2026-06-10', ['active', 1]],
    ['and not on the next, as people write it', { until: '10.6.2026' }, '2026-06-11', ['expired', 1]],
    ['fits every device of its serial number', { serial: 'C02FX2' }, '2026-06-10', ['active', 2]],
    ['fits none', { serial: 'C02FX3' }, '2026-06-10', ['unmatched', 0]],
    ['that fits none may also be past its day', { serial: 'C02FX3' }, '2026-06-11', ['expired', 0]],
    ['that is wrong fits none', { by: '' }, '2026-06-11', ['invalid', 0]],
  ])('%s', (_, changes, slot, expected) => {
    expect(judgeOne(changes, slot)).toEqual(expected);
  });
});

it('of several rows for one machine, the one that holds longest counts', () => {
  const rows = ['2026-06-11', '2026-06-20', '2026-06-15', '2026-06-20', '2026-06-01'].map((until, index) =>
    row({ until, by: `person ${index}` }),
  );
  const index = indexAcknowledgements(judgeAcknowledgements(rows, devices, '2026-06-10'));

  expect(findAcknowledgement({ serialNumber: 'C02-FX1' }, index)).toEqual({
    by: 'person 1',
    until: '2026-06-20',
    ticket: '',
  });
  expect(findAcknowledgement({ serialNumber: 'C02FX2' }, index)).toBeUndefined();
  expect(findAcknowledgement({}, index)).toBeUndefined();
  expect(findAcknowledgement({ serialNumber: 'C02-FX1' }, new Map())).toBeUndefined();
});

it('each device has its own acknowledgement, however much else two have in common', () => {
  const rows = ['1', '2'].map((id) => row({ serial: `C02FX${id}`, by: `person ${id}` }));
  const night = judgeOnce({
    acknowledgements: rows,
    sources: [
      makeSource(
        'macs',
        ['1', '2', '3'].map((id) => makeMac(id)),
      ),
    ],
  });

  expect(night.devices.map(({ judgement }) => judgement.acknowledgement?.by)).toEqual([
    'person 1',
    'person 2',
    undefined,
  ]);
});
