import { describe, expect, it } from 'vitest';
import type { DeviceFacts, SourceFacts } from '../../src/core/facts/facts.ts';
import { at, device, exemption, figures, judged, mac, pc, source } from './world.ts';

function whyNot(changes: Partial<DeviceFacts>, settings: Partial<SourceFacts> = {}): string | undefined {
  return device(judged({ sources: [source('windows', [pc('a', '1', changes)], settings)] }), 'a').judgement
    .excludedBecause;
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
    const night = judged({ sources: [source('macs', [mac('1', 'Installed', { managementState: 'unmanaged' })])] });

    expect(device(night, '1').judgement).toMatchObject({
      excludedBecause: 'unmanaged',
      counted: false,
      status: 'Installed',
    });
  });

  it('a record that does not say is counted', () => {
    const { managementState: _1, managementAgent: _2, ownership: _3, ...silent } = pc('a');
    const night = judged({ sources: [source('windows', [silent], { population: 'company' })] });

    expect(device(night, 'a').judgement.counted).toBe(true);
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
    const old = pc('a', '1', { ...everything, ...changes });
    const night = judged({
      sources: [source('windows', [old, pc('b', '1', { serialNumber: 'TWIN1' })], { population: 'company' })],
      exemptions: [exemption('device_id', 'a')],
    });

    expect(device(night, 'a').judgement.excludedBecause).toBe(because);
  });

  it('exempt comes last, and excluded includes it', () => {
    const night = judged({ exemptions: [exemption('device_id', 'a')] });

    expect(device(night, 'a').judgement.excludedBecause).toBe('exempt');
    expect(figures(night, 'windows')).toMatchObject({ devices: 2, counted: 1, excluded: 1, exempt: 1 });
    expect(figures(night, 'macs')).toMatchObject({ devices: 2, counted: 2, excluded: 0, exempt: 0 });
  });
});

describe('superseded', () => {
  function losers(...records: [id: string, changes: Partial<DeviceFacts>][]): string[] {
    const devices = records.map(([id, changes]) => mac(id, 'Installed', { serialNumber: 'C02XYZ', ...changes }));
    const night = judged({ sources: [source('macs', devices)] });
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

  it('case and spaces of a serial number mean nothing', () => {
    expect(losers(['1', { serialNumber: ' c02xyz ', reportedAt: at(1, -9) }], ['2', {}])).toEqual(['1']);
  });

  it('of equal dates the higher id stays: numbers by size, 10 above 9', () => {
    expect(losers(['9', {}], ['10', {}])).toEqual(['9']);
    expect(losers(['099', {}], ['0100', {}], ['100', {}])).toEqual(['0100', '099']);
    expect(losers(['99999999999999999998', {}], ['99999999999999999999', {}])).toEqual(['99999999999999999998']);
    expect(losers(['a9', {}], ['a10', {}])).toEqual(['a10']);
  });

  it('a newer record that is unmanaged or retiring takes nobody’s place', () => {
    expect(losers(['1', { reportedAt: at(1, -9) }], ['2', { managementState: 'unmanaged' }])).toEqual([]);
    const old = pc('a', '1', { serialNumber: 'PF0X1', lastSeenAt: at(1, -9) });
    const retiring = pc('b', '1', { serialNumber: 'PF0X1', managementState: 'deletePending' });
    const night = judged({ sources: [source('windows', [old, retiring])] });
    expect(device(night, 'a').judgement.counted).toBe(true);
    expect(device(night, 'b').judgement.excludedBecause).toBe('retiring');
    expect(device(night, 'b').judgement.supersededBy).toBeUndefined();
  });

  it('across the sources of one platform, and not across platforms', () => {
    const night = judged({
      sources: [
        source('macs', [mac('1', 'Installed', { serialNumber: 'C02SAME', reportedAt: at(1, -9) })]),
        source('macs-2', [mac('1', 'Installed', { serialNumber: 'c02same' })]),
        source('windows', [pc('1', '1', { serialNumber: 'C02SAME', lastSeenAt: at(1, -20) })]),
      ],
    });

    expect(device(night, '1', 'macs').judgement.excludedBecause).toBe('superseded');
    expect(device(night, '1', 'macs-2').judgement.counted).toBe(true);
    expect(device(night, '1', 'windows').judgement.counted).toBe(true);
  });

  it('one of equal date and id in two sources stays, and always the same', () => {
    const twin = mac('1', 'Installed', { serialNumber: 'C02SAME' });
    const night = judged({ sources: [source('macs-2', [twin]), source('macs', [twin])] });

    expect(night.devices.map((one) => [one.source, one.judgement.counted])).toEqual([
      ['macs', false],
      ['macs-2', true],
    ]);
  });
});
