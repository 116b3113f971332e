import { describe, expect, it, test } from 'vitest';
import {
  foldDeviceId,
  groupRowsByDevice,
  listUnlistedDevices,
  parseListedDevice,
  parseReportAnswers,
} from '../../../src/sources/intune/parse.ts';
import type { ReportRow } from '../../../src/sources/intune/report/rows.ts';

const row: ReportRow = {
  deviceId: 'D',
  userId: 'u',
  state: '1',
  stateDetail: '0',
  errorCode: '0',
  hexErrorCode: '0x0',
  modifiedAt: '',
  hasFilter: undefined,
};

const parse = (device: Record<string, unknown>) => parseListedDevice(device, 'Graph');
const windows = { id: 'd', operatingSystem: 'Windows' };

describe('a device', () => {
  it.each(['a-1', 'x'.repeat(1024)])('has an id that is whole: %#', (id) => {
    expect(parse({ id })).toEqual({ id });
  });

  it.each(['x'.repeat(1025), ' ', '', 7, undefined])('without a usable id is unreadable: %#', (id) => {
    expect(() => parse({ id })).toThrow(expect.objectContaining({ code: 'answer-unreadable' }));
  });

  it.each([
    ['Windows', true],
    [' windows ', true],
    ['Windows Phone', false],
    ['macOS', false],
    [null, false],
  ])('has facts where it runs Windows, and only an id where not: %s', (operatingSystem, expected) => {
    const { facts } = parse({ id: 'd', operatingSystem, model: 'M', secret: 'x' });
    expect(facts).toEqual(expected ? { id: 'd', operatingSystem: 'windows', model: 'M', answers: [] } : undefined);
  });

  it('has each field from its own', () => {
    const known = {
      deviceName: 'n',
      serialNumber: 's',
      userPrincipalName: 'u',
      osVersion: 'o',
      model: 'm',
      lastSyncDateTime: '2026-11-19T00:00:00Z',
      enrolledDateTime: '2025-11-19T00:00:00Z',
      managementState: 'ms',
      managementAgent: 'ma',
      managedDeviceOwnerType: 'company',
    };
    const facts = {
      id: 'd',
      operatingSystem: 'windows',
      name: 'n',
      serialNumber: 's',
      user: 'u',
      osVersion: 'o',
      model: 'm',
      lastSeenAt: '2026-11-19T00:00:00.000Z',
      enrolledAt: '2025-11-19T00:00:00.000Z',
      managementState: 'ms',
      managementAgent: 'ma',
      ownership: 'company',
      answers: [],
    };
    expect(parse({ ...windows, ...known, deviceCategoryDisplayName: 'Kiosk' }).facts).toEqual({
      ...facts,
      category: 'Kiosk',
    });
    for (const none of ['Unknown', ' ', null]) {
      expect(parse({ ...windows, ...known, deviceCategoryDisplayName: none }).facts).toStrictEqual(facts);
    }
  });

  it('is the same whatever the case, the braces and the blanks of its id', () => {
    expect(foldDeviceId(' {ABC-1}\t')).toBe('abc-1');
    const grouped = groupRowsByDevice([{ ...row, deviceId: '{d}' }, row, { ...row, deviceId: 'e' }]);
    expect(['d', 'e', 'f', '{d}'].map((id) => grouped.get(id)?.length)).toEqual([2, 1, undefined, undefined]);
  });

  it('that only the report knows is named, once, and a row of none is not', () => {
    const rows = groupRowsByDevice([
      row,
      row,
      { ...row, deviceId: 'E' },
      { ...row, deviceId: ' ' },
      { ...row, deviceId: 'f' },
    ]);
    expect(listUnlistedDevices(rows, [{ id: '{D}' }])).toEqual(['e', 'f']);
    expect(listUnlistedDevices(rows, [])).toEqual(['d', 'e', 'f']);
  });
});

test('a device keeps what it said and nothing that it did not say', () => {
  const { facts } = parse({
    ...windows,
    deviceName: 'PC \uD800',
    serialNumber: '',
    userPrincipalName: ' ',
    model: null,
    enrolledDateTime: '0001-01-01T00:00:00Z',
  });
  expect(facts).toStrictEqual({
    id: 'd',
    operatingSystem: 'windows',
    name: 'PC \uFFFD',
    answers: [],
  });
});

test('long texts are cut, never in the middle of a character [H31]', () => {
  const { facts } = parse({ ...windows, model: `${'x'.repeat(1023)}\u{1F600}` });
  expect(facts?.model).toHaveLength(1024);
  expect(facts?.model?.isWellFormed()).toBe(true);
});

describe('answers', () => {
  const answers = (...rows: Partial<ReportRow>[]) => parseReportAnswers(rows.map((more) => ({ ...row, ...more })));

  it('are in order of their time, then state, user and detail', () => {
    const shuffled = [
      { state: '3', userId: 'b' },
      { state: '1', userId: 'b', modifiedAt: '2026-11-19T00:00:00Z' },
      { state: '3', userId: 'a', stateDetail: '2' },
      { state: '3', userId: 'a', stateDetail: '1' },
      { state: '1', userId: 'c', modifiedAt: '2026-11-18T00:00:00Z' },
    ];
    const expected = [
      { value: '3', detail: 'state detail 1' },
      { value: '3', detail: 'state detail 2' },
      { value: '3' },
      { value: '1', at: '2026-11-18T00:00:00.000Z' },
      { value: '1', at: '2026-11-19T00:00:00.000Z' },
    ];
    expect(answers(...shuffled)).toStrictEqual(expected);
    expect(answers(...shuffled.toReversed())).toStrictEqual(expected);
  });

  it.each([
    [{ errorCode: ' ', hexErrorCode: '0x00000000', stateDetail: '0.0' }, undefined],
    [{ errorCode: ' 5 ', hexErrorCode: '0x5', stateDetail: ' 7 ' }, 'error 5 (0x5), state detail 7'],
    [
      { errorCode: '-2016345060', hexErrorCode: '0x87D1041C', stateDetail: '2000' },
      'error -2016345060 (0x87D1041C), state detail 2000',
    ],
    [{ errorCode: '5', hexErrorCode: '0' }, 'error 5'],
    [{ errorCode: '0', hexErrorCode: 'bad' }, 'error bad'],
    [{ stateDetail: 'x'.repeat(2000) }, `state detail ${'x'.repeat(1024 - 13)}`],
  ])('have the detail of their codes: %#', (codes, detail) => {
    expect(answers(codes)).toStrictEqual([{ value: '1', ...(detail === undefined ? {} : { detail }) }]);
  });

  it('are bounded', () => {
    expect(answers({ state: 'x'.repeat(2000) })[0]?.value).toHaveLength(1024);
  });
});
