import { describe, expect, it } from 'vitest';
import { parseInventoryPage } from '../../../src/sources/jamf/parse.ts';
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
        platform: 'macos',
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
    expect(row.device).toEqual({ id: '958', platform: 'macos', managementState: 'managed', answers: [] });
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['a number as id', { id: 958 }, { id: '958' }],
    [
      'the older name of the contact',
      general({ lastContact: undefined, lastContactTime: '2026-01-02T03:04:05.6Z' }),
      {
        lastSeenAt: '2026-01-02T03:04:05.600Z',
      },
    ],
    ['no enrolment date', general({ lastEnrolledDate: null }), { enrolledAt: '2025-12-16T00:00:00.000Z' }],
    ['an impossible date', general({ reportDate: '2026-02-30T00:00:00Z' }), { reportedAt: undefined }],
    ['a word as date', general({ reportDate: 'never' }), { reportedAt: undefined }],
    ['an epoch as date', general({ reportDate: 1_700_000_000_000 }), { reportedAt: undefined }],
    ['an offset', general({ reportDate: '2026-10-07T02:00:00+0200' }), { reportedAt: '2026-10-07T00:00:00.000Z' }],
    ['an unmanaged one', general({ remoteManagement: { managed: false } }), { managementState: 'unmanaged' }],
    ['management not told', general({ remoteManagement: null }), { managementState: 'managed' }],
    ['an empty user', { userAndLocation: { username: '', email: 'a@b.test' } }, { user: 'a@b.test' }],
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
});

describe('the attribute [J2]', () => {
  const without = { general: { platform: 'Mac', reportDate: '2026-10-06T00:00:00Z', extensionAttributes: [] } };

  it.each<[string, Record<string, unknown>]>([
    ['general', { general: { reportDate: '2026-10-06T00:00:00Z', extensionAttributes: [entry()] } }],
    ['hardware', { ...without, hardware: { extensionAttributes: [entry()] } }],
    ['operatingSystem', { ...without, operatingSystem: { extensionAttributes: [entry()] } }],
    ['userAndLocation', { ...without, userAndLocation: { extensionAttributes: [entry()] } }],
    ['purchasing', { ...without, purchasing: { extensionAttributes: [entry()] } }],
    ['the top', { ...without, extensionAttributes: [entry()] }],
  ])('is found in %s', (_place, changes) => {
    expect(parseOne(changes).device?.answers).toEqual([{ value: 'Installed', at: '2026-10-06T00:00:00.000Z' }]);
  });

  it.each<[string, Record<string, unknown>[], readonly string[]]>([
    ['no entry', [], []],
    ['another attribute of that name', [entry({ definitionId: '7' })], []],
    ['no values', [entry({ values: [] })], []],
    ['null', [entry({ values: null })], []],
    ['a null among values', [entry({ values: [null] })], []],
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

  it('has no date where the device never reported', () => {
    expect(parseOne(general({ reportDate: null })).device?.answers).toEqual([{ value: 'Installed' }]);
  });
});

describe('a page', () => {
  it.each<[string, unknown]>([
    ['null', null],
    ['a list', []],
    ['no results', { totalCount: 0 }],
    ['results null', { totalCount: 0, results: null }],
    ['no total', { results: [] }],
    ['a total as text', { totalCount: '3', results: [] }],
    ['a total below zero', { totalCount: -1, results: [] }],
    ['a total of parts', { totalCount: 1.5, results: [] }],
    ['a total beyond all whole numbers', { totalCount: 2 ** 53, results: [] }],
    ['a total without end', { totalCount: Number.POSITIVE_INFINITY, results: [] }],
    ['a row that is null', { totalCount: 1, results: [null] }],
    ['a row without id', { totalCount: 1, results: [computer({ id: null })] }],
    ['a row with an empty id', { totalCount: 1, results: [computer({ id: '' })] }],
  ])('with %s is unreadable [P2, P7, H28]', (_name, body) => {
    expect(() => parseInventoryPage(body, who, attribute)).toThrow(
      expect.objectContaining({ code: 'answer-unreadable' }),
    );
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
      platform: 'macos',
      reportedAt: '2021-03-29T12:44:46.840Z',
      enrolledAt: '2021-03-29T00:00:00.000Z',
      managementState: 'unmanaged',
      answers: [],
    });
  });

  it('are understood: one computer', ({ skip }) => {
    expect(page(skip, 'jamf-computers-inventory-one.json').rows[0]?.device).toEqual({
      id: '1',
      platform: 'macos',
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

describe('what servers write where there is nothing', () => {
  const general = (changes: Record<string, unknown>) => ({
    general: { platform: 'Mac', remoteManagement: { managed: true }, extensionAttributes: [entry()], ...changes },
  });

  it.each(['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z', '1970-01-01', '1970-01-01T01:00:00+0100'])(
    '%s is no enrolment date',
    (lastEnrolledDate) => {
      expect(parseOne(general({ lastEnrolledDate })).device?.enrolledAt).toBeUndefined();
      const { device } = parseOne(general({ lastEnrolledDate, initialEntryDate: '2025-12-16' }));
      expect(device?.enrolledAt).toBe('2025-12-16T00:00:00.000Z');
    },
  );
});

describe('an attribute that stands in two sections', () => {
  const both = (one: unknown[], other: unknown[]) =>
    parseOne({
      general: { platform: 'Mac', extensionAttributes: [entry({ values: one })] },
      extensionAttributes: [entry({ values: other })],
    }).device?.answers.map(({ value }) => value);

  it.each<[string, unknown[], unknown[], string[]]>([
    ['with the same value has one value', ['Installed'], ['Installed'], ['Installed']],
    ['with a value in one of them has that', [], ['Installed'], ['Installed']],
    ['with two values has both', ['Installed'], ['Not Installed'], ['Not Installed, Installed']],
  ])('%s', (_what, one, other, expected) => {
    expect(both(one, other)).toEqual(expected);
  });
});
