/** When a finding of a machine opens and closes, by itself and after a run was retracted. */
import { describe, expect, it } from 'vitest';
import type { DeviceFacts, Facts, SourceFacts } from '../../src/core/facts/facts.ts';
import type { Judgement, Night } from '../../src/core/facts/judged.ts';
import type { State } from '../../src/core/facts/state.ts';
import { findOpenedFindings, hasFinding } from '../../src/core/ledger/findings.ts';
import { judgeAfter } from '../judge-after.ts';
import { at, exemption, facts, incomplete, instrument, mac, nights, no, pc, source, world, yes } from './world.ts';

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

describe('after a run was retracted', () => {
  const first = judgeAfter(facts(1, world(macs([mac('1'), lacking('2')]))), undefined);
  const before = first.night.state;
  const after = judgeAfter(facts(2, world(macs([lacking('1'), lacking('2')]))), first).night.state;
  const retractedFindings = findOpenedFindings(before, after);
  const next = (state: State, changes: Partial<Facts>) =>
    judgeAfter(facts(3, changes), { ...first, night: { ...first.night, state } }).night;
  const retracted: State = { ...before, retractedFindings };

  it('it had opened what only its ledger has open', () => {
    expect(findOpenedFindings(before, after)).toEqual(retractedFindings);
    expect(retractedFindings).toMatchObject([
      { machine: name, source: 'macs', kind: 'jamf', operatingSystem: 'macos', device: { id: '1' } },
    ]);
    expect(findOpenedFindings(before, before)).toEqual([]);
    expect(findOpenedFindings(after, before)).toEqual([]);
  });

  it.each<[string, Partial<Facts>, unknown[]]>([
    ['is closed by a whole answer', world(macs([mac('1'), lacking('2')])), [name, 'reported', true]],
    ['is closed where the machine is gone', world(macs([lacking('2')])), [name, 'removed', false]],
    ['is closed with its source', world(source('windows', [pc('a')])), [name, 'removed', false]],
  ])('a finding %s, and then forgotten', (_, third, end) => {
    const night = next(retracted, third);
    expect(ended(night)).toContainEqual(end);
    expect(night.state).not.toHaveProperty('retractedFindings');
  });

  it('a finding stays open where a whole answer says the same, and is then the ledger’s', () => {
    const night = next(retracted, world(macs([lacking('1'), lacking('2')])));
    expect(ended(night)).toEqual([]);
    expect(known(night)).toContain(name);
    expect(night.state).not.toHaveProperty('retractedFindings');
  });

  it.each<[string, Partial<Facts>]>([
    ['carried', world(incomplete('macs'))],
    ['untrusted', world(macs([mac('1'), lacking('2')], broken))],
  ])('a finding waits for a source that is %s', (_, third) => {
    const night = next(retracted, third);
    expect(ended(night)).toEqual([]);
    expect(known(night)).toContain(name);
    expect(night.state.retractedFindings).toEqual(retractedFindings);
  });

  it('a finding of a device that could not be read waits, though its source is whole', () => {
    const device = { id: '7', operatingSystem: 'macos' };
    const unknown = retractedFindings.map((finding) => ({ ...finding, machine: 'macs/7' }));
    const night = next(
      { ...before, retractedFindings: unknown },
      world(macs([mac('1'), lacking('2')], { unread: [device] })),
    );
    expect(ended(night)).toEqual([]);
    expect(night.state.retractedFindings).toEqual(unknown);
  });

  it('a finding of a machine that no entry knows is closed by a whole answer without it, and not before', () => {
    const unknown = retractedFindings.map((finding) => ({ ...finding, machine: 'macos/C02NEW1' }));
    const state = { ...before, retractedFindings: unknown };
    expect(ended(next(state, world(macs([mac('1'), lacking('2')]))))).toEqual([['macos/C02NEW1', 'removed', false]]);
    expect(ended(next(state, world(incomplete('macs'))))).toEqual([]);
    expect(ended(next(state, world(macs([mac('1'), lacking('2')], broken))))).toEqual([]);
  });

  it('a finding is closed once where the ledger has it open too', () => {
    const twice = { ...after, retractedFindings };
    const night = next(twice, world(macs([mac('1'), lacking('2')])));
    expect(ended(night)).toEqual([[name, 'reported', true]]);
    expect(night.state).not.toHaveProperty('retractedFindings');
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
