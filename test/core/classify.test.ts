import { describe, expect, it } from 'vitest';
import type { Answer, DeviceFacts } from '../../src/core/facts/facts.ts';
import { readValue, readValueTime } from '../../src/core/record/judge-record.ts';
import { at, conclude, findDevice, judgeOnce, makeFacts, makeMac, makePc, makeSource } from './make-facts.ts';

function judgedMac(value: string | null, changes: Partial<DeviceFacts> = {}) {
  return findDevice(judgeOnce({ sources: [makeSource('macs', [makeMac('1', value, changes)])] }), '1');
}

function judgedPc(answers: readonly Answer[], changes: Partial<DeviceFacts> = {}, windowsStateMaxAgeDays?: number) {
  const limit = windowsStateMaxAgeDays === undefined ? {} : { windowsStateMaxAgeDays };
  const policy = { ...makeFacts(1).policy, ...limit };
  return findDevice(
    judgeOnce({ policy, sources: [makeSource('windows', [makePc('a', '1', { ...changes, answers })])] }),
    'a',
  );
}

const row = (value: string, days?: number): Answer => (days === undefined ? { value } : { value, at: at(1, days) });

describe('what the platforms say', () => {
  it.each([
    ['Installed', 'Installed', 'reported', true],
    [' Installed\n', 'Installed', 'reported', true],
    ['Not Installed', 'Not Installed', 'reported', true],
    [null, 'Not Installed', 'never-reported', false],
    ['', 'Not Installed', 'never-reported', false],
    [' \t\n', 'Not Installed', 'never-reported', false],
    ['installed', 'Not Installed', 'unrecognised-value', false],
    ['Installed 7.1', 'Not Installed', 'unrecognised-value', false],
    ['constructor', 'Not Installed', 'unrecognised-value', false],
  ])('macOS %j is %s, %s, proven %s [J2, D14]', (value, status, reason, proven) => {
    const known = judgedMac(value);

    expect(conclude(known)).toMatchObject({ status, reason, proven, stale: false, counted: true });
    expect(readValue(known)).toBe(value?.trim() === '' ? undefined : (value ?? undefined));
    expect(readValueTime(known)).toBe(at(1, -1));
  });

  it.each([
    ['1', 'Installed', 'reported', true],
    ['4', 'Installed', 'uninstall-failed', false],
    ['3', 'Not Installed', 'reported', true],
    ['2', 'Not Installed', 'install-failed', true],
    ['5', 'Not Installed', 'install-pending', true],
    ['-1', 'Not Installed', 'not-applicable', false],
    ['99', 'Not Installed', 'state-unknown', false],
    ['1.0', 'Not Installed', 'state-unknown', false],
    ['', 'Not Installed', 'state-unknown', false],
    ['toString', 'Not Installed', 'state-unknown', false],
  ])('Windows state %j is %s, %s, proven %s [X14]', (value, status, reason, proven) => {
    const shown = value === '' ? undefined : value;
    expect(conclude(judgedPc([row(value, -3)]))).toMatchObject({
      status,
      reason,
      proven,
      value: shown,
      valueAt: at(1, -3),
    });
  });
});

describe('several rows of one Windows device', () => {
  it.each([
    ['the newest outcome decides [F8]', [row('1', -40), row('3', -2)], '3', 'Not Installed', true],
    ['whichever word is the smaller', [row('2', -9), row('3', -2)], '3', 'Not Installed', true],
    [
      'another outcome of less than 30 days before doubts it',
      [row('1', -31.9), row('3', -2)],
      '3',
      'Not Installed',
      false,
    ],
    ['an older 3 doubts a 1 in the same way', [row('1', -2), row('3', -9)], '1', 'Installed', false],
    ['1 and 4 say the same', [row('1', -2), row('4', -9)], '1', 'Installed', true],
    ['2 and 3 say the same', [row('2', -2), row('3', -9)], '2', 'Not Installed', true],
    ['of one moment the lower word decides, in doubt', [row('1', -2), row('3', -2)], '1', 'Installed', false],
    ['an outcome comes before a newer 5', [row('1', -9), row('5', -2)], '1', 'Installed', true],
    ['5 before a newer -1', [row('5', -9), row('-1', -2)], '5', 'Not Installed', true],
    ['-1 before any other word', [row('99', -2), row('-1', -9)], '-1', 'Not Installed', false],
    ['what is no outcome doubts nothing', [row('1', -9), row('5', -2), row('99', -2)], '1', 'Installed', true],
    ['a 1 among spaces is a 1', [row(' 1 ', -2), row('3', -9)], ' 1 ', 'Installed', false],
    ['an undated outcome is older than any dated one', [row('1'), row('3', -400)], '3', 'Not Installed', false],
    ['of undated ones nobody knows', [row('1'), row('3')], '1', 'Installed', false],
    ['a date that is none is no date', [row('3', -2), { value: '1', at: 'never' }], '3', 'Not Installed', false],
  ])('%s', (_, answers, value, status, proven) => {
    expect(conclude(judgedPc(answers))).toMatchObject({ value, status, proven });
    expect(conclude(judgedPc([...answers].reverse()))).toMatchObject({ value, status, proven });
  });

  it('of equal dates the same row wins in any order', () => {
    const answers = [row('3', -2), row('2', -2), { ...row('2', -2), detail: '0x87D1' }];

    expect(conclude(judgedPc(answers))).toMatchObject({ value: '2', detail: undefined });
    expect(conclude(judgedPc([...answers].reverse()))).toMatchObject({ value: '2', detail: undefined });
  });
});

const rowOf = (app: string, value: string, days: number): Answer => ({ ...row(value, days), app });

describe('several apps that stand for each other', () => {
  it.each([
    ['one that says Installed is enough', [rowOf('a', '1', -40), rowOf('b', '3', -2)], '1', 'Installed', true],
    ['none is doubted by another', [rowOf('a', '3', -3), rowOf('b', '1', -2)], '1', 'Installed', true],
    ['a clear Installed is better', [rowOf('a', '4', -2), rowOf('b', '1', -9)], '1', 'Installed', true],
    [
      'one in doubt is not clear',
      [rowOf('a', '1', -2), rowOf('a', '3', -5), rowOf('b', '1', -9)],
      '1',
      'Installed',
      true,
    ],
    ['otherwise the newest outcome', [rowOf('a', '3', -9), rowOf('b', '2', -2)], '2', 'Not Installed', true],
    ['a 5 is clear, and a -1 is not', [rowOf('a', '-1', -2), rowOf('b', '5', -9)], '5', 'Not Installed', true],
    [
      'of what is clear, an outcome before a newer 5',
      [rowOf('a', '3', -9), rowOf('b', '5', -2)],
      '3',
      'Not Installed',
      true,
    ],
    [
      'Not Installed is what all say: one in doubt takes the proof from a clear 3',
      [rowOf('a', '3', -2), rowOf('a', '1', -3), rowOf('b', '3', -9)],
      '3',
      'Not Installed',
      false,
    ],
    [
      'and from a clear 5',
      [rowOf('a', '3', -2), rowOf('a', '1', -3), rowOf('b', '5', -9)],
      '5',
      'Not Installed',
      false,
    ],
    [
      'an undated contrary outcome is in doubt, too',
      [rowOf('a', '3', -2), { value: '1', app: 'a' }, rowOf('b', '5', -9)],
      '5',
      'Not Installed',
      false,
    ],
  ])('%s', (_, answers, value, status, proven) => {
    expect(conclude(judgedPc(answers))).toMatchObject({ value, status, proven });
    expect(conclude(judgedPc([...answers].reverse()))).toMatchObject({ value, status, proven });
  });
});

describe('age', () => {
  it.each([
    ['exactly 30 days', at(1, -30), false],
    ['a millisecond more', at(1, -30, -1), true],
    ['younger than the moment', at(1, 1), false],
    ['more than a day ahead of the reading, so not known', at(1, 1, 1), true],
    ['unknown', undefined, true],
    ['no date at all', 'never', true],
  ])('%s: stale %s [J5, X13]', (_, date, stale) => {
    const dated = date === undefined ? {} : { reportedAt: date };
    const { reportedAt: _left, ...undated } = makeMac('1', 'Installed', { answers: [row('Installed', -1)] });
    const night = judgeOnce({ sources: [makeSource('macs', [{ ...undated, ...dated }])] });

    expect(conclude(findDevice(night, '1'))).toMatchObject({ stale, proven: !stale, status: 'Installed' });
  });

  it('of a Windows device is that of its last sync; the state’s own date is only shown', () => {
    const old = [row('1', -300)];

    expect(conclude(judgedPc(old))).toMatchObject({ stale: false, proven: true, valueAt: at(1, -300) });
    expect(conclude(judgedPc([row('1', -1)], { lastSeenAt: at(1, -31) }))).toMatchObject({
      stale: true,
      proven: false,
    });
  });

  it.each([
    ['exactly the limit', [row('1', -90)], true],
    ['a day more', [row('1', -91)], false],
    ['unknown', [row('1')], false],
  ])('windowsStateMaxAgeDays counts against proof and nothing else: %s', (_, answers, proven) => {
    expect(conclude(judgedPc(answers, {}, 90))).toMatchObject({ proven, stale: false, status: 'Installed' });
  });
});

describe('judgements', () => {
  it('are one for the devices that have the same, and keep apart what only some have', () => {
    const row = { serial: 'C02FX2', by: 'ada', until: '2026-12-31', ticket: 'T-1', note: '' };
    const again = (id: string, of: string) => makeMac(id, 'Installed', { serialNumber: `C02FX${of}` });
    const all = [
      makeMac('1'),
      makeMac('2'),
      makeMac('3'),
      again('4', '3'),
      makeMac('5'),
      again('6', '5'),
      makeMac('7'),
    ];
    const { devices } = judgeOnce({ sources: [makeSource('macs', all)], acknowledgements: [row] });
    const judgements = devices.map(({ judgement }) => judgement);
    expect(judgements.map(({ acknowledgement }) => acknowledgement?.by)).toEqual([undefined, 'ada', ...Array(5)]);
    expect(judgements.map(({ supersededBy }) => supersededBy?.id)).toEqual([
      undefined,
      undefined,
      '4',
      undefined,
      '6',
      undefined,
      undefined,
    ]);
    expect([judgements[6] === judgements[0], judgements[3] === judgements[0]]).toEqual([true, true]);
  });
});
