import { describe, expect, it } from 'vitest';
import type { DeviceFacts, SourceFacts } from '../../src/core/facts/facts.ts';
import { at, findDevice, findFigures, judgeOnce, makeExemption, makeMac, makePc, makeSource } from './make-facts.ts';

function whyNot(changes: Partial<DeviceFacts>, settings: Partial<SourceFacts> = {}): string | undefined {
  return findDevice(judgeOnce({ sources: [makeSource('windows', [makePc('a', '1', changes)], settings)] }), 'a')
    .judgement.excludedBecause;
}

describe('not counted by its own record', () => {
  it.each([
    ['managed', undefined],
    ['discovered', 'unmanaged'],
    ['retirePending', 'retiring'],
    ['retireIssued', 'retiring'],
    ['wipePending', 'retiring'],
    ['wipeIssued', 'retiring'],
    ['deletePending', 'retiring'],
    // Every other state is a machine that may be in use.
    ['retireFailed', undefined],
    ['unknownFutureValue', undefined],
    ['retirepending', undefined],
  ])('Windows managementState %s: %s', (managementState, because) => {
    expect(whyNot({ managementState })).toBe(because);
  });

  it.each([
    ['mdm', undefined],
    ['configurationManagerClientMdm', undefined],
    ['msSense', 'not-manageable'],
    ['configurationManagerClient', 'not-manageable'],
  ])('Windows managementAgent %s: %s', (managementAgent, because) => {
    expect(whyNot({ managementAgent })).toBe(because);
  });

  it('personal devices only where the population is company', () => {
    expect(whyNot({ ownership: 'personal' })).toBeUndefined();
    expect(whyNot({ ownership: 'personal' }, { population: 'all' })).toBeUndefined();
    expect(whyNot({ ownership: 'personal' }, { population: 'company' })).toBe('personal');
    expect(whyNot({ ownership: 'unknown' }, { population: 'company' })).toBeUndefined();
  });

  it('a Mac that is not managed [J5]', () => {
    const night = judgeOnce({
      sources: [makeSource('macs', [makeMac('1', 'Installed', { managementState: 'unmanaged' })])],
    });

    expect(findDevice(night, '1').judgement).toMatchObject({
      excludedBecause: 'unmanaged',
      counted: false,
      status: 'Installed',
    });
  });
});

describe('the first reason that holds', () => {
  const everything: Partial<DeviceFacts> = {
    managementState: 'discovered',
    managementAgent: 'msSense',
    ownership: 'personal',
    serialNumber: 'TWIN1',
    lastSeenAt: at(1, -9),
  };

  it.each([
    ['unmanaged', {}],
    ['retiring', { managementState: 'wipeIssued' }],
    ['not-manageable', { managementState: 'managed' }],
    ['personal', { managementState: 'managed', managementAgent: 'mdm' }],
    ['superseded', { managementState: 'managed', managementAgent: 'mdm', ownership: 'company' }],
  ])('%s', (because, changes) => {
    const old = makePc('a', '1', { ...everything, ...changes });
    const night = judgeOnce({
      sources: [makeSource('windows', [old, makePc('b', '1', { serialNumber: 'TWIN1' })], { population: 'company' })],
      exemptions: [makeExemption('device_id', 'a')],
    });

    expect(findDevice(night, 'a').judgement.excludedBecause).toBe(because);
  });

  it('exempt comes last, and excluded includes it', () => {
    const night = judgeOnce({ exemptions: [makeExemption('device_id', 'a')] });

    expect(findDevice(night, 'a').judgement.excludedBecause).toBe('exempt');
    expect(findFigures(night, 'windows')).toMatchObject({ devices: 2, counted: 1, excluded: 1, exempt: 1 });
    expect(findFigures(night, 'macs')).toMatchObject({ devices: 2, counted: 2, excluded: 0, exempt: 0 });
  });
});

describe('superseded', () => {
  function losers(...records: [id: string, changes: Partial<DeviceFacts>][]): string[] {
    const devices = records.map(([id, changes]) => makeMac(id, 'Installed', { serialNumber: 'C02XYZ', ...changes }));
    const night = judgeOnce({ sources: [makeSource('macs', devices)] });
    return night.devices.filter((one) => one.judgement.excludedBecause === 'superseded').map(({ facts }) => facts.id);
  }

  it('the older by the older of inventory report and last contact', () => {
    expect(losers(['1', { reportedAt: at(1, -9), lastSeenAt: at(1) }], ['2', { reportedAt: at(1, -8) }])).toEqual([
      '1',
    ]);
    expect(losers(['1', { reportedAt: at(1), lastSeenAt: at(1, -9) }], ['2', { reportedAt: at(1, -8) }])).toEqual([
      '1',
    ]);
  });

  it('of equal dates the higher id stays: numbers by size, 10 above 9', () => {
    expect(losers(['9', {}], ['10', {}])).toEqual(['9']);
    expect(losers(['099', {}], ['0100', {}], ['100', {}])).toEqual(['0100', '099']);
    expect(losers(['99999999999999999998', {}], ['99999999999999999999', {}])).toEqual(['99999999999999999998']);
    expect(losers(['a9', {}], ['a10', {}])).toEqual(['a10']);
  });
});
