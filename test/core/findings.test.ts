/** When a finding of a machine opens and closes, by itself and by the run that takes another one back. */
import { describe, expect, it } from 'vitest';
import type { DeviceFacts, Facts, SourceFacts } from '../../src/core/facts/facts.ts';
import type { Judgement, Night } from '../../src/core/facts/judged.ts';
import { findOpenedFindings, hasFinding } from '../../src/core/ledger/findings.ts';
import { judgeAfter } from '../judge-after.ts';
import {
  at,
  judgeRuns,
  makeExemption,
  makeFacts,
  makeFinding,
  makeIncomplete,
  makeMac,
  makePc,
  makeRun,
  makeSource,
  no,
  yes,
} from './make-facts.ts';

const lacking = (id: string, changes: Partial<DeviceFacts> = {}) => makeMac(id, no, changes);
const macs = (devices: readonly DeviceFacts[], changes: Partial<SourceFacts> = {}) =>
  makeSource('macs', [...devices, makeMac('9')], changes);
const broken = { findings: [makeFinding('fail')] };
const unread = { unread: [{ id: '1', operatingSystem: 'macos' }] };
const name = 'macos/C02FX1';

/** Which findings ended, why, and whether the machine has the agent. */
const ended = (night: Night | undefined) =>
  night?.findings.ended.map(({ machine, why, isPassing }) => [machine, why, isPassing]);
const known = (night: Night | undefined) => [...(night?.findings.known ?? [])];

describe('a finding ends', () => {
  const begin = makeRun(macs([lacking('1')]));

  it.each<[string, unknown[], Partial<Facts>]>([
    ['by the answer', ['reported', true], makeRun(macs([makeMac('1')]))],
    [
      'by the answer of another record',
      ['reported', true],
      makeRun(macs([makeMac('2', yes, { serialNumber: 'C02FX1' })])),
    ],
    ['by an exclusion', ['unmanaged', false], makeRun(macs([lacking('1', { managementState: 'unmanaged' })]))],
    ['where the machine is gone', ['removed', false], makeRun(macs([]))],
    ['with its source', ['removed', false], makeRun(makeSource('windows', [makePc('a')]))],
    [
      'with its source, though another of its name lists its id',
      ['removed', false],
      makeRun(makeSource('macs', [makePc('1')], { kind: 'intune' })),
    ],
  ])('%s', (_, end, second) => {
    const [first, night] = judgeRuns(begin, second);
    expect([first, night].map(known)).toEqual([[], [name]]);
    expect(ended(night)).toEqual([[name, ...end]]);
  });

  it.each<[string, Partial<Facts>]>([
    ['while the machine lacks the agent', begin],
    ['by an exemption', { ...begin, exemptions: [makeExemption('device_id', '1')] }],
    ['by a move', makeRun(macs([lacking('2', { serialNumber: 'C02FX1' })]))],
    ['by a source that is untrusted', makeRun(macs([makeMac('1')], broken))],
    ['by its absence from one', makeRun(macs([], broken))],
    ['by a source that is carried', makeRun(makeIncomplete('macs'))],
    ['where the device could not be read', makeRun(macs([], unread))],
  ])('not %s', (_, second) => {
    const [, night, third] = judgeRuns(begin, second, second);
    expect([night, third].map(known)).toEqual([[name], [name]]);
    expect([night, third].map(ended)).toEqual([[], []]);
  });

  it('as superseded where another machine took its record', () => {
    const same = (id: string, night: number) => lacking(id, { serialNumber: 'C02FX2', reportedAt: at(night, -0.1) });
    const [, night] = judgeRuns(
      makeRun(macs([lacking('1'), lacking('2')])),
      makeRun(macs([same('1', 1), same('2', 2)])),
    );
    expect(ended(night)).toEqual([[name, 'superseded', false]]);
    expect(known(night)).toEqual([name, 'macos/C02FX2']);
  });

  it('at the time of the answer where the machine is listed, and at no time where it is gone', () => {
    const [, night] = judgeRuns(makeRun(macs([lacking('1'), lacking('2')])), makeRun(macs([makeMac('1')])));
    expect(
      night?.findings.ended.map(({ device, source: of, operatingSystem, answeredAt }) => [
        device.id,
        of,
        operatingSystem,
        answeredAt,
      ]),
    ).toEqual([
      ['1', 'macs', 'macos', at(1, -1)],
      ['2', 'macs', 'macos', undefined],
    ]);
    expect(night?.findings.ended[1]?.device).toMatchObject({ id: '2', name: 'mac-2', serialNumber: 'C02FX2' });
  });

  it('once: one of a machine that is gone is not known on the next night', () => {
    const all = judgeRuns(begin, makeRun(macs([])), makeRun(macs([])));
    expect(all.map(known)).toEqual([[], [name], []]);
    expect(ended(all[2])).toEqual([]);
  });

  it('is open of an exempt machine, and of none that is not counted or has the agent', () => {
    const devices = [lacking('1'), lacking('2'), lacking('3', { managementState: 'unmanaged' }), makeMac('4')];
    const first = { ...makeRun(macs(devices)), exemptions: [makeExemption('device_id', '1')] };
    expect(known(judgeRuns(first, first)[1])).toEqual([name, 'macos/C02FX2']);
  });
});

describe('the run that takes another one back', () => {
  const first = makeRun(macs([makeMac('1'), lacking('2')]));
  const before = judgeAfter(makeFacts(1, first), undefined);
  const state = before.night.state;
  const taken = judgeAfter(makeFacts(2, makeRun(macs([lacking('1'), lacking('2')]))), before).night.state;
  const retractedFindings = findOpenedFindings(state, taken);
  /** The first run once more, as it takes one back that had these findings open. */
  const repeat = (changes: Partial<Facts>, findings = retractedFindings) =>
    judgeAfter(makeFacts(1, { ...changes, retractedFindings: findings }), undefined).night;

  it('knows what only the ledger of that one has open', () => {
    expect(retractedFindings).toMatchObject([
      { machine: name, source: 'macs', kind: 'jamf', operatingSystem: 'macos', device: { id: '1' } },
    ]);
    expect(findOpenedFindings(state, state)).toEqual([]);
    expect(findOpenedFindings(taken, state)).toEqual([]);
  });

  it.each<[string, Partial<Facts>, unknown[]]>([
    ['by its own answer', first, ['reported', true]],
    ['where it does not list the machine', makeRun(macs([lacking('2')])), ['removed', false]],
    ['of a source that it does not have', makeRun(makeSource('windows', [makePc('a')])), ['removed', false]],
    ['of a source that it could not read', makeRun(makeIncomplete('macs')), ['removed', false]],
    ['of a source that is untrusted in it', makeRun(macs([makeMac('1'), lacking('2')], broken)), ['removed', false]],
    ['of a device that it could not read', makeRun(macs([lacking('2')], unread)), ['removed', false]],
  ])('closes a finding %s, and leaves the next run none', (_, changes, end) => {
    const night = repeat(changes);
    expect(known(night)).toContain(name);
    expect(ended(night)).toEqual([[name, ...end]]);
    const next = judgeAfter(makeFacts(2, first), { facts: makeFacts(1, changes), night }).night;
    expect([known(next), ended(next)]).toEqual([known(next).filter((one) => one !== name), []]);
  });

  it('keeps a finding open where its own answer says the same', () => {
    const night = repeat(makeRun(macs([lacking('1'), lacking('2')])));
    expect(known(night)).toEqual([name]);
    expect(ended(night)).toEqual([]);
  });

  it('closes a finding of a machine that no entry knows', () => {
    const unknown = retractedFindings.map((finding) => ({ ...finding, machine: 'macs/C02NEW1' }));
    expect(ended(repeat(first, unknown))).toEqual([['macs/C02NEW1', 'removed', false]]);
  });

  it('closes a finding once where an earlier ledger has it open too, and not where nobody can tell', () => {
    const earlier = judgeAfter(makeFacts(1, makeRun(macs([lacking('1')]))), undefined);
    const answers = (changes: Partial<Facts>) =>
      ended(judgeAfter(makeFacts(2, { ...changes, retractedFindings }), earlier).night);
    expect(answers(first)).toEqual([[name, 'reported', true]]);
    expect(answers(makeRun(makeIncomplete('macs')))).toEqual([]);
  });
});

it.each([
  [no, true, undefined, true],
  [no, false, 'exempt', true],
  [no, false, 'unmanaged', false],
  [yes, true, undefined, false],
  [yes, false, 'exempt', false],
] as const)(
  'a machine that is %s, counted %s, excluded as %s has a finding: %s',
  (status, counted, excludedBecause, has) => {
    expect(hasFinding({ status, counted, excludedBecause } as Judgement)).toBe(has);
  },
);
