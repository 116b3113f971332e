/** When a finding of a machine opens and closes, by itself and by the run that takes another one back. */
import { describe, expect, it } from 'vitest';
import type { DeviceFacts, Facts, SourceFacts } from '../../src/core/facts/facts.ts';
import type { Judgement, Night } from '../../src/core/facts/judged.ts';
import { findOpenedFindings, hasFinding } from '../../src/core/ledger/findings.ts';
import { judgeAfter } from '../judge-after.ts';
import { at, exemption, facts, incomplete, instrument, mac, nights, no, pc, source, world, yes } from './make-facts.ts';

const lacking = (id: string, changes: Partial<DeviceFacts> = {}) => mac(id, no, changes);
const macs = (devices: readonly DeviceFacts[], changes: Partial<SourceFacts> = {}) =>
  source('macs', [...devices, mac('9')], changes);
const broken = { findings: [instrument('fail')] };
const unread = { unread: [{ id: '1', operatingSystem: 'macos' }] };
const name = 'macos/C02FX1';

/** Which findings ended, why, and whether the machine has the agent. */
const ended = (night: Night | undefined) =>
  night?.findings.ended.map(({ machine, why, isPassing }) => [machine, why, isPassing]);
const known = (night: Night | undefined) => [...(night?.findings.known ?? [])];

describe('a finding ends', () => {
  const begin = world(macs([lacking('1')]));

  it.each<[string, unknown[], Partial<Facts>]>([
    ['by the answer', ['reported', true], world(macs([mac('1')]))],
    ['by the answer of another record', ['reported', true], world(macs([mac('2', yes, { serialNumber: 'C02FX1' })]))],
    ['by an exclusion', ['unmanaged', false], world(macs([lacking('1', { managementState: 'unmanaged' })]))],
    ['where the machine is gone', ['removed', false], world(macs([]))],
    ['with its source', ['removed', false], world(source('windows', [pc('a')]))],
    [
      'with its source, though another of its name lists its id',
      ['removed', false],
      world(source('macs', [pc('1')], { kind: 'intune' })),
    ],
  ])('%s', (_, end, second) => {
    const [first, night] = nights(begin, second);
    expect([first, night].map(known)).toEqual([[], [name]]);
    expect(ended(night)).toEqual([[name, ...end]]);
  });

  it.each<[string, Partial<Facts>]>([
    ['while the machine lacks the agent', begin],
    ['by an exemption', { ...begin, exemptions: [exemption('device_id', '1')] }],
    ['by a move', world(macs([lacking('2', { serialNumber: 'C02FX1' })]))],
    ['by a source that is untrusted', world(macs([mac('1')], broken))],
    ['by its absence from one', world(macs([], broken))],
    ['by a source that is carried', world(incomplete('macs'))],
    ['where the device could not be read', world(macs([], unread))],
  ])('not %s', (_, second) => {
    const [, night, third] = nights(begin, second, second);
    expect([night, third].map(known)).toEqual([[name], [name]]);
    expect([night, third].map(ended)).toEqual([[], []]);
  });

  it('as superseded where another machine took its record', () => {
    const same = (id: string, night: number) => lacking(id, { serialNumber: 'C02FX2', reportedAt: at(night, -0.1) });
    const [, night] = nights(world(macs([lacking('1'), lacking('2')])), world(macs([same('1', 1), same('2', 2)])));
    expect(ended(night)).toEqual([[name, 'superseded', false]]);
    expect(known(night)).toEqual([name, 'macos/C02FX2']);
  });

  it('at the time of the answer where the machine is listed, and at no time where it is gone', () => {
    const [, night] = nights(world(macs([lacking('1'), lacking('2')])), world(macs([mac('1')])));
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
    const all = nights(begin, world(macs([])), world(macs([])));
    expect(all.map(known)).toEqual([[], [name], []]);
    expect(ended(all[2])).toEqual([]);
  });

  it('is open of an exempt machine, and of none that is not counted or has the agent', () => {
    const devices = [lacking('1'), lacking('2'), lacking('3', { managementState: 'unmanaged' }), mac('4')];
    const first = { ...world(macs(devices)), exemptions: [exemption('device_id', '1')] };
    expect(known(nights(first, first)[1])).toEqual([name, 'macos/C02FX2']);
  });
});

describe('the run that takes another one back', () => {
  const first = world(macs([mac('1'), lacking('2')]));
  const before = judgeAfter(facts(1, first), undefined);
  const state = before.night.state;
  const taken = judgeAfter(facts(2, world(macs([lacking('1'), lacking('2')]))), before).night.state;
  const retractedFindings = findOpenedFindings(state, taken);
  /** The first run once more, as it takes one back that had these findings open. */
  const repeat = (changes: Partial<Facts>, findings = retractedFindings) =>
    judgeAfter(facts(1, { ...changes, retractedFindings: findings }), undefined).night;

  it('knows what only the ledger of that one has open', () => {
    expect(retractedFindings).toMatchObject([
      { machine: name, source: 'macs', kind: 'jamf', operatingSystem: 'macos', device: { id: '1' } },
    ]);
    expect(findOpenedFindings(state, state)).toEqual([]);
    expect(findOpenedFindings(taken, state)).toEqual([]);
  });

  it.each<[string, Partial<Facts>, unknown[]]>([
    ['by its own answer', first, ['reported', true]],
    ['where it does not list the machine', world(macs([lacking('2')])), ['removed', false]],
    ['of a source that it does not have', world(source('windows', [pc('a')])), ['removed', false]],
    ['of a source that it could not read', world(incomplete('macs')), ['removed', false]],
    ['of a source that is untrusted in it', world(macs([mac('1'), lacking('2')], broken)), ['removed', false]],
    ['of a device that it could not read', world(macs([lacking('2')], unread)), ['removed', false]],
  ])('closes a finding %s, and leaves the next run none', (_, changes, end) => {
    const night = repeat(changes);
    expect(known(night)).toContain(name);
    expect(ended(night)).toEqual([[name, ...end]]);
    const next = judgeAfter(facts(2, first), { facts: facts(1, changes), night }).night;
    expect([known(next), ended(next)]).toEqual([known(next).filter((one) => one !== name), []]);
  });

  it('keeps a finding open where its own answer says the same', () => {
    const night = repeat(world(macs([lacking('1'), lacking('2')])));
    expect(known(night)).toEqual([name]);
    expect(ended(night)).toEqual([]);
  });

  it('closes a finding of a machine that no entry knows', () => {
    const unknown = retractedFindings.map((finding) => ({ ...finding, machine: 'macs/C02NEW1' }));
    expect(ended(repeat(first, unknown))).toEqual([['macs/C02NEW1', 'removed', false]]);
  });

  it('closes a finding once where an earlier ledger has it open too, and not where nobody can tell', () => {
    const earlier = judgeAfter(facts(1, world(macs([lacking('1')]))), undefined);
    const answers = (changes: Partial<Facts>) =>
      ended(judgeAfter(facts(2, { ...changes, retractedFindings }), earlier).night);
    expect(answers(first)).toEqual([[name, 'reported', true]]);
    expect(answers(world(incomplete('macs')))).toEqual([]);
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
