/** Devices in columns read as the devices did that were packed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeviceFacts } from '../../src/core/facts.ts';
import { createDevicePacker, isDeviceFacts, packDevices, readDeviceTime } from '../../src/core/packed-devices.ts';
import { unpack } from '../../src/core/views.ts';

const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.constantFrom('', 'Zoë’s Mac', '\ud800'));
const maybe = fc.option(text, { nil: undefined });
const anyTime = fc.oneof(
  text,
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.date({ noInvalidDate: true }).map((date) => `${date.toISOString().slice(0, -5)}Z`),
  fc.constantFrom('2026-11-20T08:00:00.1234567Z', '2026-02-30T00:00:00Z', '2026-11-20T24:00:00Z', '2026-11-20', '1969'),
);
const time = fc.option(anyTime, { nil: undefined });
const answer = fc.record(
  { value: text, detail: text, at: anyTime },
  { requiredKeys: ['value'], noNullPrototype: true },
);
const device: fc.Arbitrary<DeviceFacts> = fc
  .record({
    ...{ id: text, platform: text, name: maybe, serialNumber: maybe, user: maybe, osVersion: maybe, model: maybe },
    ...{ lastSeenAt: time, reportedAt: time, enrolledAt: time, managementState: maybe, managementAgent: maybe },
    ...{ ownership: maybe, site: maybe, department: maybe, building: maybe, category: maybe },
    answers: fc.array(answer, { maxLength: 3 }),
  })
  .map((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never);

const bare: DeviceFacts = { id: '1', platform: 'macos', answers: [] };

describe('packed devices', () => {
  it('have every field of the devices, whatever their texts are', () => {
    fc.assert(
      fc.property(fc.array(device, { maxLength: 12 }), (devices) => {
        const packed = packDevices(devices);
        expect(packed.map(unpack)).toStrictEqual(devices);
        expect(JSON.parse(JSON.stringify(packed))).toStrictEqual(JSON.parse(JSON.stringify(devices)));
        for (const [index, one] of devices.entries()) {
          for (const name of Object.keys(one) as (keyof DeviceFacts)[]) {
            expect(packed[index]?.[name]).toStrictEqual(one[name]);
          }
        }
      }),
      { numRuns: 200, seed: 20261122 },
    );
  });

  it('go on across blocks, in their order', () => {
    const devices = Array.from({ length: 1_500 }, (_, index) => ({ ...bare, id: `C${index}`, model: `M${index % 7}` }));
    expect(packDevices(devices).map(unpack)).toStrictEqual(devices);
  });

  it('cannot be spread or cloned by mistake, which would lose every field', () => {
    const [packed = bare] = packDevices([bare]);
    expect(() => ({ ...packed })).toThrow('unpack');
    expect(() => structuredClone(packed)).toThrow('unpack');
    const { id: _, ...rest } = bare;
    expect(rest).toEqual({ platform: 'macos', answers: [] });
    expect(() => {
      const { id: __, ...fields } = packed;
      return fields;
    }).toThrow('unpack');
  });

  it('that are packed already are left as they are', () => {
    const packed = packDevices([bare]);
    expect(packDevices(packed)[0]).toBe(packed[0]);
    const pack = createDevicePacker();
    expect(pack(packed)).toBe(packed);
    expect(pack([...packed, undefined])).toHaveLength(2);
    const [first, second] = pack([...packed, { ...bare, id: '2' }]);
    expect([first, second?.id]).toEqual([packed[0], '2']);
    expect(second).not.toStrictEqual(packed[0]);
    expect(createDevicePacker()([undefined, bare]).map((one) => one?.id)).toEqual([undefined, '1']);
  });

  const full: DeviceFacts = {
    ...{ id: '7', platform: 'macos', name: 'Zoë’s Mac', serialNumber: 'C02', user: 'zoe@example.com' },
    ...{ osVersion: '15.2', model: 'Mac', site: 'Köln', department: 'Sales', building: 'A', category: 'Office' },
    ...{ lastSeenAt: '2026-11-20T08:00:00Z', reportedAt: '2026-11-20T08:00:00.125Z', enrolledAt: '2026-11-20' },
    ...{ managementState: 'managed', managementAgent: 'mdm', ownership: 'company' },
    answers: [{ value: 'Installed', detail: 'd', at: '1969-12-31T23:59:59.999Z' }],
  };

  it('have what each of them has, beside devices that lack it', () => {
    const devices: DeviceFacts[] = [
      full,
      bare,
      { ...full, id: '', name: '', answers: [] },
      { ...bare, answers: [{ value: 'x' }] },
      { ...bare, answers: [{ value: 'x', at: 'never' }, { value: 'y' }] },
      { ...full, lastSeenAt: '2026-02-30T00:00:00Z', enrolledAt: '1969-12-31T23:59:59Z' },
    ];
    const packed = packDevices(devices);
    expect(packed.map(unpack)).toStrictEqual(devices);
    for (const [index, device] of devices.entries()) {
      expect(packed[index]).not.toBe(device);
      for (const name of Object.keys(full) as (keyof DeviceFacts)[]) {
        expect([name, packed[index]?.[name]]).toStrictEqual([name, device[name]]);
      }
    }
  });

  it('have the times of their dates, however these are written', () => {
    const other = {
      ...full,
      lastSeenAt: 'never',
      reportedAt: '2026-11-21T09:30:00Z',
      enrolledAt: '2026-11-19T00:00:00.001Z',
    };
    const devices = [full, bare, other, bare, bare];
    const read = (device: DeviceFacts) =>
      (['lastSeenAt', 'reportedAt', 'enrolledAt'] as const).map((field) => readDeviceTime(device, field));
    expect(devices.map(read)).toEqual([
      [Date.parse('2026-11-20T08:00:00Z'), Date.parse('2026-11-20T08:00:00.125Z'), Date.parse('2026-11-20')],
      [undefined, undefined, undefined],
      [undefined, Date.parse('2026-11-21T09:30:00Z'), Date.parse('2026-11-19T00:00:00.001Z')],
      [undefined, undefined, undefined],
      [undefined, undefined, undefined],
    ]);
    expect(packDevices(devices).map(read)).toEqual(devices.map(read));
  });

  it('have texts of any length', () => {
    const devices = [65_534, 1, 2, 0].map((length) => ({ ...bare, name: 'n'.repeat(length), user: 'u' }));
    expect(packDevices(devices).map(({ name, user }) => [name?.length, user])).toEqual([
      [65_534, 'u'],
      [1, 'u'],
      [2, 'u'],
      [0, 'u'],
    ]);
    expect(packDevices(devices.slice(0, 2)).map(({ name }) => name?.length)).toEqual([65_534, 1]);
  });

  it('share the words that they have in common', () => {
    const packed = packDevices([full, { ...full, id: '8', model: ['M', 'ac'].join('') }, { ...full, model: 'Other' }]);
    expect(packed.map(({ model, site }) => [model, site])).toEqual([
      ['Mac', 'Köln'],
      ['Mac', 'Köln'],
      ['Other', 'Köln'],
    ]);
  });

  it('with more words than an index can count stay objects', () => {
    const words = ['osVersion', 'model', 'managementState', 'managementAgent', 'ownership', 'site', 'department'];
    const devices = Array.from({ length: 9_400 }, (_, index) => ({
      ...bare,
      ...Object.fromEntries(words.map((name) => [name, `${name} ${index}`])),
    }));
    const packed = packDevices(devices);
    expect(packed.at(-1)).toBe(devices.at(-1));
    expect(packed[9_000]).not.toBe(devices[9_000]);
    expect(packed[9_000]?.model).toBe('model 9000');
  });

  it.each([
    ['a field that this version does not know', { ...bare, colour: 'red' }],
    ['a field called as every object has one', { ...bare, constructor: 'red' }],
    ['a field of another type', { ...bare, name: 5 }],
    ['an answer with a field that this version does not know', { ...bare, answers: [{ value: 'x', colour: 'red' }] }],
    ['an answer with a date of another type', { ...bare, answers: [{ value: 'x', at: 5 }] }],
  ])('%s is lost by none', (_, stored) => {
    const [packed] = createDevicePacker()([stored as unknown as DeviceFacts]);
    expect(JSON.parse(JSON.stringify(packed))).toStrictEqual(stored);
  });
});

describe('a stored value', () => {
  it.each<[string, unknown, boolean]>([
    ['a device', bare, true],
    ['with all of its fields', { ...bare, name: 'n', answers: [{ value: 'x', detail: 'd', at: 't' }] }, true],
    ['with a field of a later version', { ...bare, colour: 5 }, true],
    ['none', null, false],
    ['a list', [], false],
    ['without an id', { platform: 'macos', answers: [] }, false],
    ['without a platform', { id: '1', answers: [] }, false],
    ['without answers', { id: '1', platform: 'macos' }, false],
    ['with an id that is a number', { ...bare, id: 1 }, false],
    ['with a platform that is a number', { ...bare, platform: 1 }, false],
    ['with a name that is a number', { ...bare, name: 1, user: 'u' }, false],
    ['with a date that is a number', { ...bare, lastSeenAt: 1 }, false],
    ['with a site that is null', { ...bare, site: null }, false],
    ['with an answer that is none', { ...bare, answers: [{ value: 'x' }, null] }, false],
    ['with an answer without a value', { ...bare, answers: [{ at: 't' }] }, false],
    ['with a detail that is a number', { ...bare, answers: [{ value: 'x', detail: 5 }] }, false],
    ['with a date of an answer that is a number', { ...bare, answers: [{ value: 'x', at: 5 }] }, false],
  ])('%s: whether it is a device', (_, value, isDevice) => {
    expect(isDeviceFacts(value)).toBe(isDevice);
  });
});

it('expectations compare packed devices by their fields', () => {
  const [one, other] = packDevices([bare, { ...bare, id: '2' }]);
  expect([one]).toEqual([bare]);
  expect([one]).not.toEqual([other]);
  expect({ devices: [one] }).not.toStrictEqual({ devices: [other] });
});
