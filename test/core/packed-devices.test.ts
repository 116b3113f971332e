/** Devices in columns read as the devices did that were packed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeviceFacts } from '../../src/core/facts.ts';
import { createDevicePacker, packDevices, unpackDevice } from '../../src/core/packed-devices.ts';

const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.constantFrom('', 'Zoë’s Mac', '\ud800'));
const maybe = fc.option(text, { nil: undefined });
const answer = fc.record({ value: text, detail: text, at: text }, { requiredKeys: ['value'], noNullPrototype: true });
const device: fc.Arbitrary<DeviceFacts> = fc
  .record({
    ...{ id: text, platform: text, name: maybe, serialNumber: maybe, user: maybe, osVersion: maybe, model: maybe },
    ...{ lastSeenAt: maybe, reportedAt: maybe, enrolledAt: maybe, managementState: maybe, managementAgent: maybe },
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
        expect(packed.map(unpackDevice)).toStrictEqual(devices);
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
    expect(packDevices(devices).map(unpackDevice)).toStrictEqual(devices);
  });

  it('that are packed already are left as they are', () => {
    const packed = packDevices([bare]);
    expect(packDevices(packed)[0]).toBe(packed[0]);
  });

  it('with more words than an index can count stay objects', () => {
    const devices = Array.from({ length: 65_600 }, (_, index) => ({ ...bare, model: `M${index}` }));
    const packed = packDevices(devices);
    expect(packed.at(-1)).toBe(devices.at(-1));
    expect(packed[65_000]).not.toBe(devices[65_000]);
    expect(packed[65_000]?.model).toBe('M65000');
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

it('expectations compare packed devices by their fields', () => {
  const [one, other] = packDevices([bare, { ...bare, id: '2' }]);
  expect([one]).toEqual([bare]);
  expect([one]).not.toEqual([other]);
  expect({ devices: [one] }).not.toStrictEqual({ devices: [other] });
});
