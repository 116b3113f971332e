import { describe, expect, it } from 'vitest';
import { findExemptionProblem } from '../../src/core/exemptions.ts';
import type { ExemptionRow } from '../../src/core/facts.ts';
import { at, device, exemption, incomplete, judged, mac, nights, pc, slot, source, told, twoSources } from './world.ts';

function resultOf(row: ExemptionRow, devices = [pc('a'), pc('b')]) {
  const night = judged({ exemptions: [row], sources: [source('windows', devices), source('macs', [mac('a')])] });
  const [judgedRow] = night.exemptions;
  const exempted = night.devices.filter((one) => one.excludedBecause === 'exempt');
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
    expect(resultOf(exemption(match, value, { source: from }))).toEqual(expected);
  });

  it('a name or user of several devices exempts none of them', () => {
    const twins = [pc('a', '1', { name: 'pc', user: 'ada' }), pc('b', '1', { name: 'pc', user: 'ada' })];

    expect(resultOf(exemption('device_name', 'pc', { source: 'windows' }), twins)).toEqual(['ambiguous', 2, []]);
    expect(resultOf(exemption('user', 'ada', { source: 'windows' }), twins)).toEqual(['ambiguous', 2, []]);
  });

  it('a serial number in any spelling exempts its machines that would be counted, and counts those', () => {
    const both = [
      pc('a', '1', { serialNumber: 'x-1' }),
      pc('b', '1', { serialNumber: 'X1', managementState: 'discovered' }),
    ];

    expect(resultOf(exemption('serial', ' X 1'), both)).toEqual(['active', 1, ['windows a']]);
  });

  it('a replaced record makes a row neither ambiguous nor active', () => {
    const old = pc('a', '1', { name: 'pc', serialNumber: 'PF0X9', lastSeenAt: at(1, -5) });
    const now = pc('b', '1', { name: 'pc', serialNumber: 'PF0X9' });

    expect(resultOf(exemption('device_name', 'pc', { source: 'windows' }), [old, now])).toEqual([
      'active',
      1,
      ['windows b'],
    ]);
    expect(resultOf(exemption('device_id', 'a', { source: 'windows' }), [old, now])).toEqual(['unmatched', 0, []]);
  });
});

describe('until when', () => {
  it.each([
    [slot(0), 'expired'],
    [slot(1), 'expiring'],
    [slot(15), 'expiring'],
    [slot(16), 'active'],
  ])('expires %s: %s [D10]', (expires, result) => {
    const [is, , exempted] = resultOf(exemption('serial', 'PF0Xa', { expires }));

    expect(is).toBe(result);
    expect(exempted).toEqual(result === 'expired' ? [] : ['windows a']);
  });
});

describe('a row that does not do what it says [D10]', () => {
  it.each([
    ['no owner', { owner: '' }],
    ['no reason', { reason: '' }],
    ['no date', { expires: '' }],
    ['no real date', { expires: '2026-02-30' }],
    ['no such month', { expires: '2026-13-01' }],
    ['a year of six digits', { expires: '+012026-12-31' }],
    ['a date in words', { expires: '1 July 2026' }],
    ['no value', { value: '' }],
    ['an unknown match', { match: 'hostname' }],
    ['an unknown match that every object has', { match: 'constructor' }],
    ['a name without a source', { match: 'device_name', value: 'pc-a' }],
    ['a user without a source', { match: 'user', value: 'user-a@example.com' }],
  ])('%s: ignored', (_, changes) => {
    expect(resultOf(exemption('serial', 'PF0Xa', changes))).toEqual(['invalid', 0, []]);
  });

  it.each([
    [{}, undefined],
    [{ match: 'host' }, 'match is "host"; it must be one of serial, device_id, device_name, user'],
    [{ value: '' }, 'value is empty'],
    [{ match: 'user' }, 'source is empty, which user does not allow: it can be changed on the machine itself'],
    [{ owner: '' }, 'owner is empty'],
    [{ reason: '' }, 'reason is empty'],
    [{ expires: 'soon' }, 'expires is "soon"; it must be a date such as 2026-12-31'],
  ])('%j: %s', (changes, problem) => {
    expect(findExemptionProblem(exemption('serial', 'PF0Xa', changes))).toBe(problem);
  });

  it('one without a letter or digit fits no machine without a serial number', () => {
    const blank = [pc('a', '1', { serialNumber: '-' }), pc('b', '1', { serialNumber: '' })];

    expect(resultOf(exemption('serial', '--'), blank)).toEqual(['unmatched', 0, []]);
    expect(resultOf(exemption('user', '-', { source: 'windows' }), [pc('a', '1', { user: '-' })])).toEqual([
      ...['active', 1, ['windows a']],
    ]);
  });

  it('an invalid row that is also past its date is invalid', () => {
    expect(resultOf(exemption('serial', 'PF0Xa', { owner: '', expires: slot(0) }))).toEqual(['invalid', 0, []]);
  });

  it('every row appears in the order of the file', () => {
    const rows = [exemption('serial', 'zzz'), exemption('serial', 'PF0Xa'), exemption('serial', '', {})];

    expect(judged({ exemptions: rows }).exemptions.map(({ value, result }) => [value, result])).toEqual([
      ['zzz', 'unmatched'],
      ['PF0Xa', 'active'],
      ['', 'invalid'],
    ]);
  });
});

describe('over the nights', () => {
  it('an exemption takes a device out of the count, its end brings it back', () => {
    const row = exemption('serial', 'PF0Xb', { expires: slot(3) });
    const all = nights({}, { exemptions: [row] }, { exemptions: [row] }, { exemptions: [row] });

    expect(all.map(told)).toEqual([[], ['windows b excluded'], [], ['windows b included']]);
    expect(all[1]?.changes[0]).toMatchObject({ reason: 'exempt', from: 'Not Installed', to: 'Not Installed' });
    expect(all[3]?.changes[0]).toMatchObject({ reason: 'exempt' });
    expect(device(all[3], 'b').notInstalledSince).toBe(slot(1));
  });

  it('holds for a carried source too', () => {
    const [macs] = twoSources();
    const sources = macs ? [macs, incomplete('windows')] : [];
    const all = nights({}, { sources, exemptions: [exemption('device_id', 'b')] });

    expect(device(all[1], 'b')).toMatchObject({ excludedBecause: 'exempt', answeredOn: slot(1) });
    expect(told(all[1])).toEqual([]);
  });

  it('holds for a carried source beside one of a user who is left out', () => {
    const rows = (devices: ExemptionRow['devices'] = []) => [
      exemption('device_id', 'a', { source: 'windows', owner: 'ada' }),
      exemption('user', 'left out', { source: 'windows', devices }),
    ];
    const all = nights(
      { exemptions: rows([['windows', 'b']]) },
      { sources: [source('macs', [mac('1')]), incomplete('windows')], exemptions: rows() },
    );

    expect(['a', 'b'].map((id) => device(all[1], id).excludedBecause)).toEqual(['exempt', 'exempt']);
  });
});
