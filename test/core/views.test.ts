/** What is kept once for many devices reads as if each had it. */
import { describe, expect, it } from 'vitest';
import { createBaselineDevice } from '../../src/core/baseline-views.ts';
import type { JudgedDevice, MatchedDevice } from '../../src/core/judged.ts';
import { unpack } from '../../src/core/views.ts';
import { incomplete, judged, mac, nightsOf, pc, slot, source } from './world.ts';

describe('a judged device', () => {
  const night = nightsOf(
    source('macs', [mac('1'), mac('2'), mac('3', null)]),
    source('macs', [mac('1'), mac('2', 'Not Installed'), mac('3', ' '), mac('4')]),
  )[1];
  const find = (id: string) => night?.devices.find(({ facts }) => facts.id === id) as JudgedDevice;

  it('has every field as a plain object has it', () => {
    for (const device of night?.devices ?? []) {
      const plain = unpack(device);
      expect(plain).not.toBe(device);
      for (const [name, value] of Object.entries(plain)) {
        expect([name, device[name as keyof JudgedDevice]]).toStrictEqual([name, value]);
      }
      expect(JSON.parse(JSON.stringify(device))).toStrictEqual(JSON.parse(JSON.stringify(plain)));
    }
  });

  it('has what is its own', () => {
    expect(night?.devices.map(({ facts }) => facts.id)).toEqual(['1', '2', '3', '4']);
    expect([find('2').notInstalledSince, find('1').notInstalledSince]).toEqual([slot(2), undefined]);
  });

  it('has no value where its answer is blank, and then the date of the report', () => {
    expect(find('1').value).toBe('Installed');
    expect([find('3').value, find('3').valueAt]).toEqual([undefined, find('3').facts.reportedAt]);
    const [silent] = judged({ sources: [source('windows', [{ ...pc('a'), answers: [] }])] }).devices;
    expect([silent?.value, silent?.detail]).toEqual([undefined, undefined]);
  });

  it('has what nobody else has, beside what many have', () => {
    const row = { serial: 'C02FX2', by: 'ada', until: '2026-12-31', ticket: 'T-1', note: '' };
    const again = (id: string, of: string) => mac(id, 'Installed', { serialNumber: `C02FX${of}` });
    const all = [mac('1'), mac('2'), mac('3'), again('4', '3'), mac('5'), again('6', '5')];
    const sources = [source('macs', all)];
    const [first, second, third, fourth] = judged({ sources, acknowledgements: [row] }).devices as [
      JudgedDevice,
      JudgedDevice,
      JudgedDevice,
      JudgedDevice,
    ];
    expect([first, second].map((one) => [one.acknowledgement?.by, 'acknowledgement' in unpack(one)])).toEqual([
      [undefined, false],
      ['ada', true],
    ]);
    expect([third, fourth].map(({ supersededBy }) => supersededBy?.id)).toEqual(['4', undefined]);
    expect(judged({ sources }).devices[4]?.supersededBy).toEqual({ source: 'macs', id: '6', wasCounted: false });
    expect(JSON.parse(JSON.stringify(second))).toHaveProperty('acknowledgement.ticket', 'T-1');
  });

  it('keeps nothing of the baseline when the night is judged', () => {
    expect(night?.devices.map((device) => (device as Partial<MatchedDevice>).match)).toEqual([
      ...[undefined, undefined, undefined, undefined],
    ]);
  });

  it('cannot be spread or cloned by mistake, which would lose every field', () => {
    expect(() => ({ ...find('1') })).toThrow('unpack');
    expect(() => structuredClone(find('1'))).toThrow('unpack');
    expect({ ...unpack(find('1')), proven: false }).toMatchObject({ source: 'macs', proven: false });
  });
});

describe('a device of a baseline', () => {
  const fields = { status: 'Installed', reason: 'reported', counted: true, transitions: [] } as const;

  it('has every field as a plain object has it, and is written like one', () => {
    const all = {
      ...fields,
      ...{ excludedBecause: 'exempt' as const, notInstalledSince: '2026-06-01' },
      movedFrom: [{ source: 'b', id: '7', on: '2026-06-01' }],
    } as const;
    const device = createBaselineDevice(mac('1'), all);
    const plain = { facts: mac('1'), ...all };
    expect(unpack(device)).toStrictEqual(plain);
    for (const name of Object.keys(plain) as (keyof typeof plain)[]) {
      expect([name, device[name]]).toStrictEqual([name, plain[name]]);
    }
    expect(JSON.stringify(device)).toBe(JSON.stringify(plain));
  });

  it('cannot be spread by mistake', () => {
    expect(() => ({ ...createBaselineDevice(mac('1'), fields) })).toThrow('unpack');
  });
});

describe('the membership picture', () => {
  it('is the same each time that it is gone through', () => {
    const [, night] = nightsOf(source('macs', [mac('1'), mac('2')]), source('macs', [mac('1', null), mac('3')]));
    const rows = [...(night?.groups ?? [])];
    expect(rows.map(({ device, group, change }) => [device.id, group, change])).toEqual([
      ['1', 'Installed', 'left'],
      ['1', 'Not Installed', 'joined'],
      ['2', 'Installed', 'left'],
      ['3', 'Installed', 'joined'],
    ]);
    expect([...(night?.groups ?? [])]).toEqual(rows);
    expect([...judged({ sources: [incomplete('macs')] }).groups]).toEqual([]);
  });
});
