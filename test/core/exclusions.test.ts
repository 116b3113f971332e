import { describe, expect, it } from 'vitest';
import type { DeviceFacts, SourceFacts } from '../../src/core/facts.ts';
import { at, device, exemption, figures, judged, mac, pc, source } from './world.ts';

function whyNot(changes: Partial<DeviceFacts>, settings: Partial<SourceFacts> = {}): string | undefined {
  return device(judged({ sources: [source('windows', [pc('a', '1', changes)], settings)] }), 'a').excludedBecause;
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
    ['retireCanceled', undefined],
    ['wipeFailed', undefined],
    ['wipeCanceled', undefined],
    ['unhealthy', undefined],
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

    expect(device(night, '1')).toMatchObject({ excludedBecause: 'unmanaged', counted: false, status: 'Installed' });
  });

  it('a record that does not say is counted', () => {
    const { managementState: _1, managementAgent: _2, ownership: _3, ...silent } = pc('a');
    const night = judged({ sources: [source('windows', [silent], { population: 'company' })] });

    expect(device(night, 'a').counted).toBe(true);
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

    expect(device(night, 'a').excludedBecause).toBe(because);
  });

  it('exempt comes last, and excluded includes it', () => {
    const night = judged({ exemptions: [exemption('device_id', 'a')] });

    expect(device(night, 'a').excludedBecause).toBe('exempt');
    expect(figures(night, 'windows')).toMatchObject({ devices: 2, counted: 1, excluded: 1, exempt: 1 });
    expect(figures(night, 'macs')).toMatchObject({ devices: 2, counted: 2, excluded: 0, exempt: 0 });
  });
});

describe('superseded', () => {
  function losers(...records: [id: string, changes: Partial<DeviceFacts>][]): string[] {
    const devices = records.map(([id, changes]) => mac(id, 'Installed', { serialNumber: 'C02XYZ', ...changes }));
    const night = judged({ sources: [source('macs', devices)] });
    return night.devices.filter((one) => one.excludedBecause === 'superseded').map(({ facts }) => facts.id);
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

  it.each([
    '',
    ' ',
    '0',
    'System Serial Number',
    'ToBeFilledByO.E.M.',
    'Defaultstring',
    'None',
    'X-1',
    '00000000',
    '123456789',
    '0123456789',
    '987654321',
    'xxxxxxxx',
    undefined,
  ])('placeholder %j matches nothing', (serial) => {
    const changes = serial === undefined ? {} : { serialNumber: serial };
    const { serialNumber: _, ...bare } = mac('1', 'Installed', { reportedAt: at(1, -9) });
    const { serialNumber: __, ...other } = mac('2');
    const night = judged({
      sources: [
        source('macs', [
          { ...bare, ...changes },
          { ...other, ...changes },
        ]),
      ],
    });

    expect(figures(night).counted).toBe(2);
  });

  it('a few of Apple’s serial numbers have no digit; one of a PC without a digit is none', () => {
    expect(
      losers(['1', { serialNumber: 'FVFXQKLM', reportedAt: at(1, -9) }], ['2', { serialNumber: 'FVFXQKLM' }]),
    ).toEqual(['1']);
    const twins = ['a', 'b'].map((id, day) => pc(id, '1', { serialNumber: 'ABCDEFGH', lastSeenAt: at(1, -day) }));
    expect(figures(judged({ sources: [source('windows', twins)] })).counted).toBe(2);
  });

  it('of equal dates the higher id stays: numbers by size, 10 above 9', () => {
    expect(losers(['9', {}], ['10', {}])).toEqual(['9']);
    expect(losers(['099', {}], ['0100', {}], ['100', {}])).toEqual(['0100', '099']);
    expect(losers(['99999999999999999998', {}], ['99999999999999999999', {}])).toEqual(['99999999999999999998']);
    expect(losers(['a9', {}], ['a10', {}])).toEqual(['a10']);
  });

  it('one of unknown enrolment replaces another that was not heard from lately', () => {
    const { enrolledAt: _, ...fresh } = mac('2', 'Installed', { serialNumber: 'C02XYZ' });
    const long = at(1, -60);
    const old = mac('1', 'Installed', { serialNumber: 'C02XYZ', reportedAt: long, lastSeenAt: long });

    expect(device(judged({ sources: [source('macs', [old, fresh])] }), '1').excludedBecause).toBe('superseded');
  });

  it('a record without a date is older than any', () => {
    const { reportedAt: _, ...undated } = mac('9', 'Installed', { serialNumber: 'C02XYZ', answers: [] });
    const dated = mac('1', 'Installed', { serialNumber: 'C02XYZ', reportedAt: at(1, -900) });

    expect(device(judged({ sources: [source('macs', [undated, dated])] }), '9').excludedBecause).toBe('superseded');
  });

  it('all but the newest of three', () => {
    expect(losers(['1', { reportedAt: at(1, -3) }], ['2', {}], ['3', { reportedAt: at(1, -2) }])).toEqual(['1', '3']);
  });

  it('a newer record that is unmanaged or retiring takes nobody’s place', () => {
    expect(losers(['1', { reportedAt: at(1, -9) }], ['2', { managementState: 'unmanaged' }])).toEqual([]);
    const old = pc('a', '1', { serialNumber: 'PF0X1', lastSeenAt: at(1, -9) });
    const retiring = pc('b', '1', { serialNumber: 'PF0X1', managementState: 'deletePending' });
    const night = judged({ sources: [source('windows', [old, retiring])] });
    expect(device(night, 'a').counted).toBe(true);
    expect(device(night, 'b').excludedBecause).toBe('retiring');
    expect(device(night, 'b').supersededBy).toBeUndefined();
  });

  it('across the sources of one platform, and not across platforms', () => {
    const night = judged({
      sources: [
        source('macs', [mac('1', 'Installed', { serialNumber: 'C02SAME', reportedAt: at(1, -9) })]),
        source('macs-2', [mac('1', 'Installed', { serialNumber: 'c02same' })]),
        source('windows', [pc('1', '1', { serialNumber: 'C02SAME', lastSeenAt: at(1, -20) })]),
      ],
    });

    expect(device(night, '1', 'macs').excludedBecause).toBe('superseded');
    expect(device(night, '1', 'macs-2').counted).toBe(true);
    expect(device(night, '1', 'windows').counted).toBe(true);
  });

  it('by the last sync on Windows', () => {
    const old = pc('b', '1', { serialNumber: 'PF0X1', lastSeenAt: at(1, -2), answers: [{ value: '1', at: at(1) }] });
    const night = judged({ sources: [source('windows', [old, pc('a', '3', { serialNumber: 'PF0X1' })])] });

    expect(device(night, 'b').excludedBecause).toBe('superseded');
  });

  it('one of equal date and id in two sources stays, and always the same', () => {
    const twin = mac('1', 'Installed', { serialNumber: 'C02SAME' });
    const night = judged({ sources: [source('macs-2', [twin]), source('macs', [twin])] });

    expect(night.devices.map((one) => [one.source, one.counted])).toEqual([
      ['macs', false],
      ['macs-2', true],
    ]);
  });
});
