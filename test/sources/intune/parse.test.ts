import { expect, test } from 'vitest';
import { groupRowsByDevice, isWindows, parseDevice, parseGraphTime } from '../../../src/sources/intune/parse.ts';
import type { ReportRow } from '../../../src/sources/intune/report.ts';

test.each([
  ['2026-11-19 22:10:33.0000000', '2026-11-19T22:10:33.000Z'],
  ['2026-11-19T22:10:33.1234567', '2026-11-19T22:10:33.123Z'],
  ['2026-11-19T22:10:33', '2026-11-19T22:10:33.000Z'],
  ['2026-11-19T22:10:33Z', '2026-11-19T22:10:33.000Z'],
  ['2026-11-19T22:10:33.5+02:00', '2026-11-19T20:10:33.500Z'],
  ['0001-01-01T00:00:00Z', undefined],
  ['0001-01-01 00:00:00.0000000', undefined],
  ['9999-12-31T23:59:59.9999999Z', undefined],
  ['2026-02-30T00:00:00Z', undefined],
  ['2026-13-01T00:00:00Z', undefined],
  ['2026-11-19T25:00:00Z', undefined],
  ['11/19/2026 10:10:33 PM', undefined],
  ['1763590233', undefined],
  ['', undefined],
  [null, undefined],
  [1763590233, undefined],
])('time %s [X13]', (from, to) => {
  expect(parseGraphTime(from)).toBe(to);
});

const row: ReportRow = {
  deviceId: 'D',
  userId: '',
  state: '1',
  stateDetail: '0',
  errorCode: '0',
  hexErrorCode: '0x00000000',
  modifiedAt: '',
  hasFilter: undefined,
};

test('a device keeps what it said and nothing that it did not say', () => {
  const device = parseDevice(
    {
      id: 'd-1',
      deviceName: 'PC \uD800',
      serialNumber: '',
      userPrincipalName: ' ',
      osVersion: '10.0.22631.1',
      model: null,
      lastSyncDateTime: '2026-11-19T22:10:33Z',
      enrolledDateTime: '0001-01-01T00:00:00Z',
      managementState: 'managed',
      managementAgent: 'mdm',
      managedDeviceOwnerType: 'company',
    },
    [],
  );
  expect(device).toStrictEqual({
    id: 'd-1',
    platform: 'windows',
    name: 'PC \uFFFD',
    osVersion: '10.0.22631.1',
    lastSeenAt: '2026-11-19T22:10:33.000Z',
    managementState: 'managed',
    managementAgent: 'mdm',
    ownership: 'company',
    answers: [],
  });
});

test('long texts are cut, never in the middle of a character [H31]', () => {
  const device = parseDevice({ id: 'd', model: `${'x'.repeat(1023)}\u{1F600}` }, []);
  expect(device.model).toHaveLength(1024);
  expect(device.model?.isWellFormed()).toBe(true);
});

test.each([
  [{}, undefined],
  [
    { errorCode: '-2016345060', hexErrorCode: '0x87D1041C', stateDetail: '2000' },
    'error -2016345060 (0x87D1041C), state detail 2000',
  ],
  [{ errorCode: '-2016345060', hexErrorCode: '' }, 'error -2016345060'],
  [{ errorCode: '', hexErrorCode: '0x87D1041C' }, 'error 0x87D1041C'],
  [{ stateDetail: '-1012' }, 'state detail -1012'],
])('detail of %o', (fields, detail) => {
  expect(parseDevice({ id: 'D' }, [{ ...row, ...fields }]).answers).toStrictEqual([
    detail === undefined ? { value: '1' } : { value: '1', detail },
  ]);
});

test('all rows of a device are its answers, in an order of their own', () => {
  const rows = [
    { ...row, userId: 'b', state: '3', modifiedAt: '2026-11-19 10:00:00.0000000' },
    { ...row, userId: 'a', state: '1', modifiedAt: '2026-11-18 10:00:00.0000000' },
    { ...row, userId: 'c', state: ' 5' },
  ];
  const answers = parseDevice({ id: 'D' }, rows).answers;
  expect(answers).toEqual([
    { value: ' 5' },
    { value: '1', at: '2026-11-18T10:00:00.000Z' },
    { value: '3', at: '2026-11-19T10:00:00.000Z' },
  ]);
  expect(parseDevice({ id: 'D' }, rows.toReversed()).answers).toEqual(answers);
});

test('ids are joined whatever their case', () => {
  expect(groupRowsByDevice([{ ...row, deviceId: ' AbC ' }, row]).take('abc')).toHaveLength(1);
});

test.each([
  ['Windows', true],
  [' windows ', true],
  ['Windows Phone', false],
  ['macOS', false],
  [null, false],
])('operating system %s', (operatingSystem, expected) => {
  expect(isWindows({ id: 'd', operatingSystem })).toBe(expected);
});
