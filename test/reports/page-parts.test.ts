/** Parts of the page that need no browser: the columns of its data, its texts, and what to do about a device. */
import { describe, expect, it, test } from 'vitest';
import { findSourceKind } from '../../src/compose/source-kinds.ts';
import type { NextSteps, Step } from '../../src/core/facts/rules.ts';
import type { Reason } from '../../src/core/facts/vocabulary.ts';
import type { ReportedDevice } from '../../src/reports/document/devices.ts';
import type { GroupReport } from '../../src/reports/document/groups.ts';
import { fillText, formatNumber } from '../../src/reports/page/shared/format.ts';
import type { ListDescription } from '../../src/reports/page/shared/list.ts';
import { groupTexts, listTexts } from '../../src/reports/page/shared/list-texts.ts';
import { findNextStep } from '../../src/reports/page/shared/next-steps.ts';
import {
  createColumnReader,
  decodeAge,
  decodeId,
  encodeAge,
  encodeColumn,
  encodeId,
} from '../../src/reports/page/shared/page-data.ts';
import { describeGroupList, describeMemberList } from '../../src/reports/page/shared/report-lists.ts';
import { kindsUnderTest } from '../kinds.ts';
import { hostileNames } from './names.ts';

describe('a column', () => {
  it.each<[string, unknown[]]>([
    ['words that repeat', ['a', 'b', undefined, 'a', 'a', undefined]],
    ['texts of their own', ['a', 'b', 'c']],
    ['texts that hold the separator', ['a\u007f', 'b', 'c']],
    ['texts that are not all known', ['a', undefined, 'c']],
    ['flags', [true, false, true, true, undefined]],
    ['lists', [[{ slot: '2026-06-01' }], [{ slot: '2026-06-01' }], undefined, []]],
    ['no row', []],
    ['hostile names', [...hostileNames]],
  ])('of %s is read back', (_, values) => {
    const read = createColumnReader(JSON.parse(JSON.stringify(encodeColumn(values))));
    expect(values.map((_, row) => read(row))).toEqual(values);
    expect(read(values.length)).toBeUndefined();
  });

  it.each([
    '0d6ef9c5-3f6a-4b53-9f6e-6f6f8f1f2a3b',
    '0d6ef9c53f6a4b539f6e6f6f8f1f2a3b',
    '0D6EF9C5-3F6A-4B53-9F6E-6F6F8F1F2A3B',
    '~12',
    '12',
    '',
  ])('of ids has %j again', (id) => {
    expect(decodeId(encodeId(id))).toBe(id);
  });

  it.each(['2026-06-01T05:15:00Z', '2026-06-01T05:14:59.123Z', '2026-06-02T00:00:00.001Z', '1970-01-01T00:00:00Z'])(
    'of times has %s again, to the millisecond',
    (time) => {
      const moment = '2026-06-01T05:15:00.000Z';
      expect(Date.parse(decodeAge(encodeAge(time, Date.parse(moment)), moment))).toBe(Date.parse(time));
    },
  );
});

test.each([
  [0, 'Copied 0 rows.'],
  [1, 'Copied 1 row.'],
  [1_001, 'Copied 1,001 rows.'],
])('the form of a word fits the number that is filled in: %i', (count, text) => {
  expect(fillText(listTexts.copied, { count: formatNumber(count) })).toBe(text);
});

describe('the next step', () => {
  const find = (kind: string, device: Partial<ReportedDevice>, createdAt?: string, seenAfter?: number) =>
    findNextStep(
      { reason: 'reported', platform: 'windows', ...device },
      findSourceKind(kind).nextSteps,
      createdAt,
      seenAfter,
    );

  it.each(kindsUnderTest)(
    'of $kind.kind is there for each reason that its rules give, and for no other',
    ({ kind }) => {
      const { words, silent, blank, other, elsewhere } = kind.rules;
      const verdicts = [
        ...words.values(),
        silent,
        blank,
        other,
        ...(elsewhere === undefined ? [] : [elsewhere.verdict]),
      ];
      const steps = Object.values<Step<string>>(kind.nextSteps.byReason).flatMap((step) =>
        typeof step === 'string' ? step : Object.values(step),
      );
      expect(Object.keys(kind.nextSteps.byReason).sort()).toEqual(
        [...new Set(['unread', ...verdicts.map(({ reason }) => reason)])].sort(),
      );
      expect(steps.every((step) => step.endsWith('.'))).toBe(true);
      expect(new Set(steps).size).toBe(steps.length);
    },
  );

  it('does not compile without one of them', () => {
    const steps: NextSteps<'reported' | 'never-reported'> = {
      // @ts-expect-error: "never-reported" has no step.
      byReason: { reported: 'Look.', unread: 'Look again.' },
      notSeen: 'Find it.',
    };
    expect(findNextStep({ reason: 'never-reported', platform: 'macos' }, steps, undefined)).toBeUndefined();
  });

  it('does not compile without a text for each operating system, where it has one for any', () => {
    // @ts-expect-error: a device with Windows has none.
    const unread: Step<'macos' | 'windows'> = { macos: 'Run it.' };
    const steps = { byReason: { unread }, notSeen: '' };
    expect(findNextStep({ reason: 'unread', platform: 'macos' }, steps, undefined)).toBe('Run it.');
    expect(findNextStep({ reason: 'unread', platform: 'windows' }, steps, undefined)).toBeUndefined();
  });

  /** What only one operating system has; a new one brings its own here. */
  const ownWords: Readonly<Record<string, RegExp>> = {
    macos: /\bmacOS\b|\bMacs?\b|\bsudo (jamf|profiles)\b|\.pkg\b/,
    windows: /\bWindows\b|\bmsiexec\b|\bCompany Portal\b|\.(exe|msi)\b/,
    linux: /\bLinux\b|\b(apt|dnf|systemctl)\b|\.(deb|rpm)\b/,
  };

  it.each(kindsUnderTest)(
    'of $kind.kind is never that of another operating system',
    ({ kind: { nextSteps, rules } }) => {
      const { byReason, notSeen, beforeInstrument = '', byCode = {} } = nextSteps;
      const steps = [notSeen, beforeInstrument, ...Object.values<Step<string>>({ ...byReason, ...byCode })];
      for (const system of Object.keys(rules.operatingSystems)) {
        expect(Object.keys(ownWords)).toContain(system);
        const texts = steps.map((step) => (typeof step === 'string' ? step : step[system]));
        const foreign = Object.entries(ownWords).filter(([other]) => other !== system);
        expect(texts.filter((text) => foreign.some(([, words]) => words.test(text ?? '')))).toEqual([]);
      }
    },
  );

  it.each([
    ['0x87D1041C', 'Installed, but not detected afterwards'],
    ['install failed (0x87d1041c)', 'Installed, but not detected afterwards'],
    ['0x80070643', 'The installer itself failed'],
    ['exit 1603', 'The installer itself failed'],
    ['11603', 'The installation failed'],
    ['0x80070005', 'Access was denied'],
    ['0x80070003', 'A file or folder was not found'],
    ['0x12345678', 'The installation failed'],
  ])('of a failure with the detail %s: %s', (detail, step) => {
    expect(find('intune', { reason: 'install-failed', detail })).toContain(step);
  });

  it.each<[string, Partial<ReportedDevice>, string]>([
    ['was last seen before there was a rule', { lastSeenAt: '2026-01-12T09:29:59Z' }, 'before the app was created'],
    ['was seen since', { lastSeenAt: '2026-01-12T09:30:00Z' }, 'Not offered'],
    ['has no date', {}, 'Not offered'],
    [
      'has a service that delivers apps',
      { reason: 'managed-elsewhere', lastSeenAt: '2026-01-01T00:00:00Z' },
      'from there',
    ],
  ])('of a device without an answer that %s', (_, device, step) => {
    expect(find('intune', { reason: 'never-reported', ...device }, '2026-01-12T09:30:00Z')).toContain(step);
  });

  it.each<[string, string, Partial<ReportedDevice>, string]>([
    ['a Mac that was not seen for months', 'jamf', { lastSeenAt: '2024-05-01T08:00:00Z' }, 'switch it on'],
    ['a Mac that was seen lately', 'jamf', { lastSeenAt: '2026-01-13T08:00:00Z' }, 'sudo jamf recon'],
    ['a Mac without a date', 'jamf', {}, 'sudo jamf recon'],
    ['a Mac that cannot be read', 'jamf', { reason: 'unread', lastSeenAt: '2024-05-01T08:00:00Z' }, 'Open its record'],
    ['a PC that was not seen for months', 'intune', { lastSeenAt: '2024-05-01T08:00:00Z' }, 'enrol it again'],
  ])('of %s helps with that one (L7)', (_, kind, device, step) => {
    const platform = kind === 'jamf' ? 'macos' : 'windows';
    expect(find(kind, { platform, ...device }, undefined, Date.parse('2025-12-14T05:15:00Z'))).toContain(step);
  });

  it.each(['unmanaged', '__proto__', 'constructor', 'install-pending'])('is none for %s of a Mac', (reason) => {
    expect(find('jamf', { reason: reason as Reason })).toBeUndefined();
  });
});

describe('the rows of a list', () => {
  const cells = <Row>({ columns }: ListDescription<Row>, row: Row) => columns.map(({ text }) => text(row));
  const member = { source: 'macs', group: 'Agent Installed', id: '7', change: 'joined', inPicture: true } as const;

  it('of members say yes, no or not known, and why', () => {
    const list = describeMemberList('Agent Installed');
    const why = 'managed and has the word, but the platform does not list it';
    const row = {
      ...member,
      platform: 'macos',
      name: 'mac-7',
      inPlatformGroup: false,
      verdict: 'missing',
      why,
    } as const;
    expect(cells(list, row)).toEqual(['mac-7', '7', 'joined', listTexts.no, listTexts.yes, 'missing', why]);
    const unread = { ...member, verdict: 'unknown', why: '' } as const;
    expect(cells(list, unread)).toEqual(['', '7', 'joined', listTexts.unknown, listTexts.yes, 'unknown', '']);
  });

  it('of groups name who keeps them, and lead to their members', () => {
    const group = { source: 'macs', platform: 'macos', group: 'Agent Installed', members: 1_200, joined: 3, left: 2 };
    const row = { ...group, onPlatform: true, missing: 1, unexpected: 1 } as unknown as GroupReport;
    const { columns } = describeGroupList({ macos: 'macOS' });
    expect(columns.map(({ text }) => text(row))).toEqual([
      'Agent Installed',
      'macs',
      groupTexts.platform,
      '1,200',
      '3',
      '2',
      '2',
    ]);
    expect(columns.map(({ note }) => note?.(row))).toContain(' macOS');
    expect(columns.flatMap(({ counts }) => counts?.(row) ?? [])).toHaveLength(4);
    expect(columns[2]?.text({ ...row, onPlatform: false })).toBe(groupTexts.ours);
  });
});
