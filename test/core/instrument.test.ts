/** What a broken instrument measured stays unproven, whatever happens in between. */
import { describe, expect, it } from 'vitest';
import { sourceRules } from '../../src/compose/source-kinds.ts';
import type { SourceFacts } from '../../src/core/facts.ts';
import { judge } from '../../src/core/judge.ts';
import type { Night } from '../../src/core/judged.ts';
import { at, facts, figures, incomplete, instrument, mac, nightsOf, pc, source, sourceOf, stored } from './world.ts';

type Result = 'pass' | 'fail' | 'unknown';

const read = (result: Result, fingerprint: string | undefined, devices = [mac('1')]): SourceFacts =>
  source(devices[0]?.platform === 'windows' ? 'windows' : 'macs', devices, {
    findings: [instrument(result)],
    instrument: { id: '6', ...(fingerprint === undefined ? {} : { fingerprint }) },
  });
const away = (result: Result, fingerprint?: string): SourceFacts => ({
  ...incomplete('macs'),
  findings: [instrument(result)],
  instrument: fingerprint === undefined ? {} : { fingerprint },
});
const proven = (all: readonly Night[]) => all.map((night) => night.devices.filter((one) => one.proven).length);
const repairs = (all: readonly Night[]) => all.map((night) => night.state.sources[0]?.instrumentMemory.repairedAt);

describe('a breakage', () => {
  it.each([
    ['a failed check', [read('pass', 'A'), read('fail', 'A'), read('pass', 'B')], [1, 0, 0]],
    ['another instrument that does not pass', [read('pass', 'A'), read('unknown', 'B'), read('pass', 'A')], [1, 0, 0]],
    ['one seen on a carried night', [read('pass', 'A'), away('fail', 'B'), read('pass', 'A')], [1, 0, 0]],
    ['a failed check without a fingerprint', [read('pass', 'A'), away('fail'), read('pass', 'A')], [1, 0, 0]],
    [
      'it lasts through a reading that could not be made',
      [read('pass', 'A'), read('fail', 'B'), away('unknown'), read('pass', 'A')],
      [1, 0, 0, 0],
    ],
    ['another instrument that passes is none', [read('pass', 'A'), read('pass', 'B')], [1, 1]],
    [
      'what could not be read costs its own night only',
      [read('pass', 'A'), read('unknown', undefined), read('pass', 'A')],
      [1, 0, 1],
    ],
    [
      'a known script whose check could not be made costs its own night only',
      [read('pass', 'A'), read('unknown', 'A'), read('pass', 'A')],
      [1, 0, 1],
    ],
    [
      'accepted later under the same fingerprint, its values stay what they were',
      [read('pass', 'A'), read('unknown', 'B'), read('pass', 'B')],
      [1, 0, 1],
    ],
    [
      'two different ones, and the second is accepted: only what it measured is proven',
      [read('pass', 'A'), read('fail', 'B'), read('unknown', 'C'), read('pass', 'C')],
      [1, 0, 0, 0],
    ],
    [
      'one that was never found sound, and is replaced',
      [read('unknown', 'A'), read('pass', 'B'), read('pass', 'B')],
      [0, 0, 0],
    ],
    ['one that was never found sound, and is accepted', [read('unknown', 'A'), read('pass', 'A')], [0, 1]],
  ])('%s', (_, sources, expected) => {
    expect(proven(nightsOf(...sources))).toEqual(expected);
  });

  it('ends with a sound reading of any night; older values stay unproven until they are taken again [D11]', () => {
    const fresh = (night: number) => mac('1', 'Installed', { reportedAt: at(night) });
    const all = nightsOf(
      read('fail', 'B'),
      read('pass', 'A'),
      read('pass', 'A', [fresh(2)]),
      read('pass', 'A', [fresh(3)]),
    );

    expect(repairs(all)).toEqual([undefined, at(2), at(2), at(2)]);
    expect(proven(all)).toEqual([0, 0, 1, 1]);
  });

  it('takes the proof from a carried night too', () => {
    const all = nightsOf(read('pass', 'A'), away('pass', 'A'), away('fail', 'B'));

    expect(proven(all)).toEqual([1, 1, 0]);
    expect(figures(all[2])).toMatchObject({ soundness: 'carried', provenInstalled: 0, installed: 1 });
  });

  it('is repaired when it was read, not at the slot’s moment: a run can start hours later', () => {
    const late = (ended: string, reportedAt: string) => {
      const one = read('pass', 'A', [mac('1', 'Installed', { reportedAt })]);
      return { ...one, receipt: { ...one.receipt, ended } };
    };
    const hours = 3_600_000;
    const all = nightsOf(
      read('fail', 'B'),
      late(at(2, 0, 4 * hours), at(2, 0, hours)),
      late(at(3), at(2, 0, 5 * hours)),
    );

    expect(repairs(all)[1]).toBe(at(2, 0, 4 * hours));
    expect(proven(all)).toEqual([0, 0, 1]);
  });

  it('is remembered by a later attempt at the same slot', () => {
    const rules = sourceRules;
    const first = judge(facts(1, { sources: [read('pass', 'A')] }), undefined, rules);
    const broken = judge(facts(2, { sources: [read('fail', 'B')] }), stored(first.state), rules);
    const again = facts(2, {
      sources: [read('pass', 'A')],
      earlierReadings: broken.state.sources.map(({ name, kind, instrumentMemory }) => ({
        name,
        kind,
        instrumentMemory,
      })),
    });
    const second = judge(again, stored(first.state), rules);

    expect(sourceOf(second, 'macs').soundness).toBe('complete');
    expect(figures(second)).toMatchObject({ installed: 1, provenInstalled: 0 });
    // The same facts judged again, as `rebuild` does.
    expect(JSON.stringify(judge(again, stored(first.state), rules))).toBe(JSON.stringify(second));
  });
});

describe('a Windows state after a repair', () => {
  const state = (answeredAt: string | undefined, lastSeenAt: string) => [
    pc('a', '1', {
      lastSeenAt,
      answers: [{ value: '1', ...(answeredAt === undefined ? {} : { at: answeredAt }) }],
    }),
  ];
  const after = (days: number, answeredAt: string | undefined, repairDays?: number) => {
    const policy = { ...facts(1).policy, ...(repairDays === undefined ? {} : { windowsRepairDays: repairDays }) };
    const broken = judge(
      facts(1, { policy, sources: [read('fail', 'B', state(at(1, -9), at(1)))] }),
      undefined,
      sourceRules,
    );
    const repaired = judge(
      facts(2, { policy, sources: [read('pass', 'A', state(at(1, -9), at(1)))] }),
      stored(broken.state),
      sourceRules,
    );
    const slotNight = 2 + Math.ceil(days);
    const last = read('pass', 'A', state(answeredAt, at(2, days)));
    return judge(facts(slotNight, { policy, sources: [last] }), stored(repaired.state), sourceRules);
  };

  it.each([
    ['a mere sync proves nothing', 5, at(1, -9), undefined, 0],
    ['a state of after the repair is proof', 5, at(2, 1), undefined, 1],
    ['and one of exactly its moment', 5, at(2), undefined, 1],
    ['and not one of just before', 5, at(2, 0, -1), undefined, 0],
    ['a state whose date does not move is believed after 30 days', 30, at(1, -9), undefined, 1],
    ['and not a little before', 29.99, at(1, -9), undefined, 0],
    ['as an undated one', 30, undefined, undefined, 1],
    ['or after as many as the policy says', 7, at(1, -9), 7, 1],
  ])('%s', (_, days, answeredAt, repairDays, expected) => {
    expect(figures(after(days, answeredAt, repairDays))).toMatchObject({ provenInstalled: expected });
  });

  it('events come back with the first sync after it', () => {
    const lost = read('pass', 'A', [pc('a', '3', { lastSeenAt: at(4) }), pc('b')]);
    const all = nightsOf(
      read('pass', 'A', [pc('a'), pc('b')]),
      read('fail', 'B', [pc('a', '3'), pc('b')]),
      read('pass', 'A', [pc('a', '3'), pc('b')]),
      lost,
    );

    expect(all.map((night) => night.events.filter(({ kind }) => kind === 'device.lost').length)).toEqual([0, 0, 0, 1]);
  });
});

it('what each source measured with is in the history, where it could be read', () => {
  const all = nightsOf(read('pass', 'A'), read('pass', undefined));

  expect(all.map(({ state }) => state.history.at(-1)?.instruments)).toEqual([
    [{ source: 'macs', id: '6', fingerprint: 'A' }],
    [],
  ]);
});

it('a device’s address is that of its platform’s console, where the source has one', () => {
  const [plain, named] = nightsOf(
    source('macs', [mac('1')]),
    source('macs', [mac('1')], { address: 'https://jamf.example.com' }),
  );

  expect(sourceOf(plain, 'macs').deviceAddress).toBeUndefined();
  expect(sourceOf(named, 'macs').deviceAddress).toBe('https://jamf.example.com/computers.html?id={id}&o=r');
});
