/** When records of one serial number are several machines, and for how long after. */
import { describe, expect, it } from 'vitest';
import type { DeviceFacts, Facts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import { findSharedNumbers } from '../../src/core/machine/shared-numbers.ts';
import type { JudgedRecord } from '../../src/core/record/judge-record.ts';
import { isStanding } from '../../src/reports/document/devices.ts';
import { at, findSource, judgeRuns, makeMac, makePc, makeSource, slot } from './make-facts.ts';
import { record } from './records.ts';

const number = 'macos/C02SAME';
/** Undefined where the date is not known. */
type Day = string | undefined;

function dates(enrolledAt: Day, lastSeenAt: Day): Partial<DeviceFacts> {
  return { serialNumber: 'C02SAME', enrolledAt, lastSeenAt } as Partial<DeviceFacts>;
}

const inJamf = (id: string, enrolledAt: Day, lastSeenAt: Day, from = 'macs') =>
  record(from, makeMac(id, 'Installed', dates(enrolledAt, lastSeenAt)));

const inIntune = (id: string, enrolledAt: Day, lastSeenAt: Day, changes: Partial<DeviceFacts> = {}) =>
  record('windows', makePc(id, '1', { operatingSystem: 'macos', ...dates(enrolledAt, lastSeenAt), ...changes }));

const areShared = (records: readonly JudgedRecord[], before: Parameters<typeof findSharedNumbers>[1] = []) =>
  findSharedNumbers(new Map([[number, records]]), before, { slot: slot(1), moment: at(1) }).length === 1;

const [longAgo, later] = [at(1, -400), at(1, -20)];
const weekAfter = at(1, -13);
const justAfter = at(1, -13, 1);
const weekAgo = at(1, -7);

describe('records of one number lived at once', () => {
  it.each<[string, boolean, JudgedRecord[]]>([
    [
      'where both were heard from more than 7 days after the later one was enrolled',
      true,
      [inJamf('1', longAgo, justAfter), inJamf('2', later, justAfter)],
    ],
    [
      'not where the earlier one was heard from 7 days after it',
      false,
      [inJamf('1', longAgo, weekAfter), inJamf('2', later, at(1))],
    ],
    ['not where the later one was', false, [inJamf('1', longAgo, at(1)), inJamf('2', later, weekAfter)]],
    ['where they were enrolled at once', true, [inJamf('1', later, justAfter), inJamf('2', later, justAfter)]],
    [
      'where the first lived beside the third, and the second had died',
      true,
      [inJamf('1', longAgo, at(1)), inJamf('2', at(1, -300), at(1, -300)), inJamf('3', later, at(1))],
    ],
    [
      'not where each died before the next was enrolled',
      false,
      [inJamf('1', longAgo, at(1, -301)), inJamf('2', at(1, -300), at(1, -21)), inJamf('3', later, at(1))],
    ],
    [
      'where they are in two sources of one kind',
      true,
      [inJamf('1', longAgo, at(1)), inJamf('1', later, at(1), 'macs-2')],
    ],
    ['not where they are of two kinds', false, [inJamf('1', longAgo, at(1)), inIntune('a', longAgo, at(1))]],
    [
      'not where one cannot be managed',
      false,
      [inIntune('a', longAgo, at(1)), inIntune('b', longAgo, at(1), { managementAgent: 'msSense' })],
    ],
    [
      'where two of one kind did, and one of another kind knows of it too',
      true,
      [inJamf('1', longAgo, at(1)), inJamf('2', longAgo, at(1)), inIntune('a', longAgo, at(1))],
    ],
    [
      'not where one cannot be managed, whatever else it is',
      false,
      [
        inIntune('a', longAgo, at(1)),
        inIntune('b', longAgo, at(1), { managementAgent: 'msSense', managementState: 'discovered' }),
      ],
    ],
    [
      'where one of them is unmanaged or being retired',
      true,
      [inIntune('a', longAgo, at(1)), inIntune('b', longAgo, at(1), { managementState: 'wipePending' })],
    ],
    ['not where one was never heard from', false, [inJamf('1', longAgo, at(1)), inJamf('2', later, undefined)]],
    ['not where there is one record', false, [inJamf('1', undefined, at(1))]],
    [
      'where one enrolment is not known, and both were heard from within the last 7 days',
      true,
      [inJamf('1', undefined, weekAgo), inJamf('2', at(1), weekAgo)],
    ],
    ['where neither enrolment is known', true, [inJamf('1', undefined, weekAgo), inJamf('2', undefined, weekAgo)]],
    [
      'not where the one of unknown enrolment was heard from before',
      false,
      [inJamf('1', undefined, at(1, -7, -1)), inJamf('2', at(1), at(1))],
    ],
    ['not where the other one was', false, [inJamf('1', undefined, at(1)), inJamf('2', longAgo, at(1, -7, -1))]],
    [
      'not where both enrolments are known, though both were heard from lately',
      false,
      [inJamf('1', longAgo, at(1)), inJamf('2', at(1, -1), at(1))],
    ],
    [
      'not where the one of unknown enrolment was never heard from',
      false,
      [inJamf('1', undefined, undefined), inJamf('2', at(1), at(1))],
    ],
    [
      'not where a record of unknown enrolment is of another kind',
      false,
      [inJamf('1', undefined, at(1)), inIntune('a', at(1), at(1))],
    ],
  ])('%s', (_, shared, records) => {
    expect(areShared(records)).toBe(shared);
    expect(areShared(records.toReversed())).toBe(shared);
  });
});

describe('a number is shared', () => {
  const one = [inJamf('1', longAgo, at(1))];
  const two = [...one, inJamf('2', longAgo, at(1))];
  const judge = (records: readonly JudgedRecord[], lastOn: string) =>
    findSharedNumbers(new Map([[number, records]]), [{ number, lastOn }], { slot: slot(1), moment: at(1) });

  it('for 30 days after the last night on which two of its records lived at once', () => {
    expect(judge(one, slot(-29))).toEqual([{ number, lastOn: slot(-29) }]);
    expect(judge(one, slot(-30))).toEqual([]);
  });

  it('and no longer once one of them was read, since time alone changes nothing about machines', () => {
    const carried = one.map(({ facts }) => record('macs', facts, { isFresh: false }));
    expect(judge(carried, slot(-60))).toEqual([{ number, lastOn: slot(-60) }]);
    expect(judge([...carried, inIntune('a', longAgo, at(1))], slot(-60))).toEqual([]);
    const other = [{ number: 'macos/C02OTHER', lastOn: slot(-60) }];
    expect(findSharedNumbers(new Map([[number, carried]]), other, { slot: slot(1), moment: at(1) })).toEqual([]);
  });

  it('for 30 days more from each night on which they do', () => {
    expect(judge(two, slot(-29))).toEqual([{ number, lastOn: slot(1) }]);
  });

  it('also while no record has it, and numbers are remembered in order', () => {
    const before = ['b', 'c', 'a'].map((name) => ({ number: name, lastOn: slot(0) }));
    const numbers = findSharedNumbers(new Map([[number, two]]), before, { slot: slot(1), moment: at(1) });
    expect(numbers.map((shared) => shared.number)).toEqual(['a', 'b', 'c', number]);
  });

  it('for each of two numbers by itself', () => {
    const byNumber = new Map([
      ['x', one],
      [number, two],
    ]);
    expect(findSharedNumbers(byNumber, [], { slot: slot(1), moment: at(1) })).toEqual([{ number, lastOn: slot(1) }]);
  });
});

describe('each record of a shared number', () => {
  const living = (id: string, value = 'Installed') => makeMac(id, value, dates(longAgo, at(1)));
  const makeRun = (...devices: DeviceFacts[]): Partial<Facts> => ({
    sources: [makeSource('macs', [...devices, makeMac('9')])],
  });
  const names = (...runs: readonly Partial<Facts>[]) => judgeRuns(...runs).map(listMachines);
  const listMachines = (night: Night | undefined) => night?.devices.filter(isStanding).map(({ machine }) => machine);

  it('is a machine of its own, called by its record, and a finding names them', () => {
    const [night] = judgeRuns(makeRun(living('1'), living('2')));
    expect(listMachines(night)).toEqual(['macs/1', 'macs/2', 'macos/C02FX9']);
    expect(night?.state.sharedNumbers).toEqual([{ number, lastOn: slot(1) }]);
    expect(findSource(night, 'macs').findings).toContainEqual(
      expect.objectContaining({
        check: 'devices.shared-serial',
        found: expect.stringContaining('mac-1 (1) and mac-2 (2)'),
      }),
    );
  });

  it('is named by no finding while it is the only one that is listed', () => {
    const [, night] = judgeRuns(makeRun(living('1'), living('2')), makeRun(living('1')));
    expect(listMachines(night)).toEqual(['macs/1', 'macos/C02FX9']);
    expect(findSource(night, 'macs').findings.map(({ check }) => check)).not.toContain('devices.shared-serial');
  });

  it('fits no entry by the number: one that was alone goes on by its record, and the other is new', () => {
    const [first, second] = judgeRuns(makeRun(living('1')), makeRun(living('2', 'Not Installed'), living('1')));
    expect(listMachines(first)).toEqual(['macos/C02SAME', 'macos/C02FX9']);
    expect(listMachines(second)).toEqual(['macos/C02SAME', 'macs/2', 'macos/C02FX9']);
    expect(second?.changes.map(({ device: { id }, kind }) => [id, kind])).toEqual([['2', 'new-not-installed']]);
  });

  it('is one machine with the others again from the 31st day on', () => {
    const alone = Array.from({ length: 29 }, () => makeRun(living('1')));
    // Enrolled when the first was heard from last: as it stands, it is the same machine.
    const anew = makeRun(living('1'), makeMac('2', 'Installed', dates(at(1), at(1))));
    const all = names(makeRun(living('1'), living('2')), ...alone, anew, anew);
    expect(all[30]).toEqual(['macs/1', 'macs/2', 'macos/C02FX9']);
    expect(all[31]).toEqual(['macs/2', 'macos/C02FX9']);
  });
});
