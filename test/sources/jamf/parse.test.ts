import { describe, expect, it } from 'vitest';
import { parseIdPage, parseInventoryPage } from '../../../src/sources/jamf/parse.ts';
import { needSharedText, type Skip } from '../../needs.ts';
import { attribute, computer, entry, parseOne, who } from './builders.ts';

const general = (changes: Record<string, unknown>) => ({ general: { ...Object(computer().general), ...changes } });

describe('a device', () => {
  it('becomes facts', () => {
    expect(parseOne()).toEqual({
      id: '958',
      definitions: ['6'],
      device: {
        id: '958',
        operatingSystem: 'macos',
        name: 'MAC-01',
        serialNumber: 'LYF123',
        user: 'ada',
        osVersion: '15.2.0',
        model: 'Mac Studio',
        lastSeenAt: '2026-10-07T03:55:32.000Z',
        reportedAt: '2026-10-06T23:57:00.650Z',
        enrolledAt: '2025-12-16T15:50:57.000Z',
        managementState: 'managed',
        answers: [{ value: 'Installed', at: '2026-10-06T23:57:00.650Z' }],
      },
    });
  });

  it('may have nothing but its id [J5]', () => {
    const row = parseOne({ general: null, hardware: null, userAndLocation: null, operatingSystem: null });
    expect(row.device).toEqual({ id: '958', operatingSystem: 'macos', managementState: 'managed', answers: [] });
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['a number as id', { id: 958 }, { id: '958' }],
    ['blanks around the id (F17) [P25]', { id: ' 958 ' }, { id: '958' }],
    [
      'the older name of the contact',
      general({ lastContact: undefined, lastContactTime: '2026-01-02T03:04:05.6Z' }),
      { lastSeenAt: '2026-01-02T03:04:05.600Z' },
    ],
    [
      'both dates of contact',
      general({ lastContact: '2026-01-02', lastContactTime: '2026-01-01' }),
      { lastSeenAt: '2026-01-02T00:00:00.000Z' },
    ],
    ['no enrolment date', general({ lastEnrolledDate: null }), { enrolledAt: '2025-12-16T00:00:00.000Z' }],
    ['an impossible date', general({ reportDate: '2026-02-30T00:00:00Z' }), { reportedAt: undefined }],
    ['an empty user', { userAndLocation: { username: '', email: 'a@b.test' } }, { user: 'a@b.test' }],
    ['a site', general({ site: { id: 3, name: 'Berlin' } }), { site: 'Berlin' }],
    ['a site whose id is not told', general({ site: { name: 'None' } }), { site: 'None' }],
    ['the site that is none', general({ site: { id: '-1', name: 'None' } }), { site: undefined }],
    ['a site without a name', general({ site: { id: '3', name: ' ' } }), { site: undefined }],
    ['no site', general({ site: null }), { site: undefined }],
    ['a text as site', general({ site: 'Berlin' }), { site: undefined }],
    ['an unmanaged one', general({ remoteManagement: { managed: false } }), { managementState: 'unmanaged' }],
    [
      'management in another spelling',
      general({ remoteManagement: { managed: 'false' } }),
      { managementState: 'managed' },
    ],
    ['management not told', general({ remoteManagement: null }), { managementState: 'managed' }],
    ['a blank name', general({ name: '  ' }), { name: undefined }],
    ['a lone surrogate', general({ name: 'x\ud800' }), { name: 'x\ufffd' }],
    ['a name too long', general({ name: 'x'.repeat(5000) }), { name: 'x'.repeat(1024) }],
    ['a name that is no text', general({ name: { toString: 'x' } }), { name: undefined }],
    ['keys of the future', { lockdown: { mode: 1 }, __proto__: { name: 'x' } }, { name: 'MAC-01' }],
  ])('with %s', (_name, changes, expected) => {
    expect(parseOne(changes).device).toMatchObject(
      Object.fromEntries(Object.entries(expected).filter(([, value]) => value !== undefined)),
    );
    for (const [field, value] of Object.entries(expected)) {
      if (value === undefined) {
        expect(parseOne(changes).device).not.toHaveProperty(field);
      }
    }
  });

  it('that is no Mac counts as received only', () => {
    expect(parseOne(general({ platform: 'Windows' }))).toEqual({ id: '958', definitions: [] });
    expect(parseOne(general({ platform: null })).device).toBeDefined();
  });

  it('has the ids of its department and its building, beside the device', () => {
    const { departmentId, buildingId, device } = parseOne({ userAndLocation: { departmentId: 4, buildingId: '5' } });
    expect([departmentId, buildingId]).toEqual(['4', '5']);
    expect(device).not.toHaveProperty('departmentId');
    const none = parseOne({ userAndLocation: { departmentId: null, buildingId: '' } });
    expect([Object.hasOwn(none, 'departmentId'), Object.hasOwn(none, 'buildingId')]).toEqual([false, false]);
  });
});

describe('the attribute [J2]', () => {
  const without = { general: { platform: 'Mac', reportDate: '2026-10-06T00:00:00Z', extensionAttributes: [] } };

  it.each<[string, Record<string, unknown>]>([
    ['general', { general: { reportDate: '2026-10-06T00:00:00Z', extensionAttributes: [entry()] } }],
    ['purchasing', { ...without, purchasing: { extensionAttributes: [entry()] } }],
    ['the top', { ...without, extensionAttributes: [entry()] }],
  ])('is found in %s', (_place, changes) => {
    expect(parseOne(changes).device?.answers).toEqual([{ value: 'Installed', at: '2026-10-06T00:00:00.000Z' }]);
  });

  it.each<[string, unknown[], readonly string[]]>([
    ['no entry', [null, 'x', []], []],
    ['another attribute of that name', [entry({ definitionId: '7' })], []],
    ['no id of its definition', [entry({ definitionId: null }), entry({ definitionId: '' })], []],
    ['no values', [entry({ values: [] })], []],
    ['a text in place of values', [entry({ values: 'Installed' })], []],
    ['values that are no text', [entry({ values: [null, {}, ['x'], 'Installed', 7, true] })], ['Installed, 7, true']],
    ['a value too long', [entry({ values: ['x'.repeat(2000)] })], ['x'.repeat(1024)]],
    ['an empty value', [entry({ values: [''] })], ['']],
    ['a value kept as it came', [entry({ values: [' Installed\r\n'] })], [' Installed\r\n']],
    ['several values', [entry({ values: ['Installed', 'Not Installed'] })], ['Installed, Not Installed']],
    ['a number as definition id', [entry({ definitionId: 6 })], ['Installed']],
    ['a renamed one, by its id', [entry({ name: 'Old name' })], ['Installed']],
  ])('with %s', (_name, entries, expected) => {
    const { device } = parseOne(general({ extensionAttributes: entries }));
    expect(device?.answers.map((answer) => answer.value)).toEqual(expected);
  });

  it('is found by name where its id is not known, and tells which ids have that name', () => {
    const entries = [entry(), entry({ definitionId: 9, values: ['Not Installed'] }), entry({ name: 'Agent status' })];
    expect(parseOne(general({ extensionAttributes: entries }), { name: 'Agent Status' }).definitions).toEqual([
      '6',
      '9',
    ]);
  });

  it.each<[string, unknown[], unknown[], string[]]>([
    ['with the same value has one value', ['Installed'], ['Installed'], ['Installed']],
    ['with a value in one of them has that', [], ['Installed'], ['Installed']],
    ['with two values has both', ['Installed'], ['Not Installed'], ['Not Installed, Installed']],
  ])('in two sections %s', (_what, one, other, expected) => {
    const { device } = parseOne({
      general: { platform: 'Mac', extensionAttributes: [entry({ values: one })] },
      extensionAttributes: [entry({ values: other })],
    });
    expect(device?.answers.map(({ value }) => value)).toEqual(expected);
  });

  it('has no date where the device never reported', () => {
    expect(parseOne(general({ reportDate: null })).device?.answers).toEqual([{ value: 'Installed' }]);
  });
});

describe('a page', () => {
  it.each<[string, unknown]>([
    ['null', null],
    ['a list', []],
    ['results null', { totalCount: 0, results: null }],
    ['no total', { results: [] }],
    ['a total as text', { totalCount: '3', results: [] }],
    ['a total of parts', { totalCount: 1.5, results: [] }],
    ['a total beyond all whole numbers', { totalCount: 2 ** 53, results: [] }],
    ['a row that is null', { totalCount: 1, results: [null] }],
    ['a row without id', { totalCount: 1, results: [computer({ id: null })] }],
  ])('with %s is unreadable [P2, P7, H28]', (_name, body) => {
    expect(() => parseInventoryPage(body, who, attribute)).toThrow(
      expect.objectContaining({ code: 'answer-unreadable' }),
    );
  });
});

it('a page of ids alone has ids', () => {
  expect(parseIdPage({ totalCount: 2, results: [computer(), { id: 7 }] }, who)).toEqual({
    total: 2,
    rows: [{ id: '958' }, { id: '7' }],
  });
});

describe('real bodies', () => {
  const page = (skip: Skip, name: string) =>
    parseInventoryPage(JSON.parse(needSharedText(skip, `real/${name}`)), who, { id: '2', name: 'Test' });

  it('are understood: a page', ({ skip }) => {
    const { total, rows } = page(skip, 'jamf-computers-inventory-page.json');
    expect(total).toBe(138);
    expect(rows.map((row) => row.id)).toEqual(['54', '70', '64']);
    expect(rows.every((row) => row.definitions.length === 1)).toBe(true);
    expect(rows[0]?.device).toEqual({
      id: '54',
      operatingSystem: 'macos',
      reportedAt: '2021-03-29T12:44:46.840Z',
      enrolledAt: '2021-03-29T00:00:00.000Z',
      managementState: 'unmanaged',
      answers: [],
    });
  });

  it('are understood: one computer', ({ skip }) => {
    expect(page(skip, 'jamf-computers-inventory-one.json').rows[0]?.device).toEqual({
      id: '1',
      operatingSystem: 'macos',
      name: 'Computer 95',
      serialNumber: 'CA40F81C60A3',
      user: 'user91',
      model: '13-inch MacBook Pro (Mid 2012)',
      lastSeenAt: '2014-10-24T10:26:55.335Z',
      reportedAt: '2021-03-29T12:44:12.595Z',
      enrolledAt: '2014-10-24T10:25:39.607Z',
      managementState: 'unmanaged',
      answers: [],
    });
  });
});
