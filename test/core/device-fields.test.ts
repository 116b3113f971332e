/** What a stored device must look like, and that devices which share their words say the same. */
import { describe, expect, it } from 'vitest';
import { createDeviceInterner, isDeviceFacts } from '../../src/core/facts/device-fields.ts';
import type { DeviceFacts } from '../../src/core/facts/facts.ts';

const bare: DeviceFacts = { id: '1', operatingSystem: 'macos', answers: [] };

describe('a device that shares its words', () => {
  const full: DeviceFacts = {
    ...bare,
    name: 'Zoë’s Mac',
    serialNumber: 'C02',
    user: 'zoe@example.com',
    osVersion: '15.2',
    model: 'Mac',
    site: 'Köln',
    lastSeenAt: '2026-11-20T08:00:00Z',
    reportedAt: '2026-11-20T08:00:00.125Z',
    answers: [
      { value: 'Installed', detail: 'error 5', at: '2026-11-20T08:00:00.125Z' },
      { value: '', at: 'never' },
      { value: 'x' },
    ],
  };

  it.each([
    ['with every kind of field', full],
    ['without most of them', bare],
    ['with a field of a later version', { ...bare, colour: 5, answers: [{ value: 'x', colour: 'red' }] }],
  ])('%s says the same', (_, device) => {
    const share = createDeviceInterner();
    const before = structuredClone(device);
    expect([share(device), share(structuredClone(device))]).toStrictEqual([before, before]);
    expect(device).toStrictEqual(before);
  });
});

describe('a stored value', () => {
  it.each<[string, unknown, boolean]>([
    ['a device', bare, true],
    ['with all of its fields', { ...bare, name: 'n', answers: [{ value: 'x', detail: 'd', at: 't' }] }, true],
    ['with a field of a later version', { ...bare, colour: 5 }, true],
    ['none', null, false],
    ['without an id', { operatingSystem: 'macos', answers: [] }, false],
    ['without answers', { id: '1', operatingSystem: 'macos' }, false],
    ['with an id that is a number', { ...bare, id: 1 }, false],
    ['with an operating system that is a number', { ...bare, operatingSystem: 1 }, false],
    ['with a date that is a number', { ...bare, lastSeenAt: 1 }, false],
    ['with an answer that is none', { ...bare, answers: [{ value: 'x' }, null] }, false],
    ['with an answer without a value', { ...bare, answers: [{ at: 't' }] }, false],
    ['with a date of an answer that is a number', { ...bare, answers: [{ value: 'x', at: 5 }] }, false],
  ])('%s: whether it is a device', (_, value, isDevice) => {
    expect(isDeviceFacts(value)).toBe(isDevice);
  });
});
