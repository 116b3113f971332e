/** What a source's night was worth, and what each night leaves to the next. */

import { describe, expect, it } from 'vitest';
import { sourceRules } from '../../src/compose/source-kinds.ts';
import type { CheckResult, DeviceFacts, SourceFacts } from '../../src/core/facts/facts.ts';
import { type HistoryEntry, keptHistory } from '../../src/core/facts/state.ts';
import { judgeRun } from '../../src/run/judge-run.ts';
import { judgeAfter, storeState } from '../judge-after.ts';
import {
  at,
  findDevice,
  findFigures,
  findSource,
  judgeOnce,
  judgeRuns,
  judgeSource,
  listChanges,
  makeExemption,
  makeFacts,
  makeFinding,
  makeFleet,
  makeIncomplete,
  makeMac,
  makePc,
  makeSource,
  makeTwoSources,
  slot,
} from './make-facts.ts';

const worth = (night: ReturnType<typeof judgeOnce> | undefined, name = 'macs') => findSource(night, name).soundness;
const broken = (devices: DeviceFacts[]): SourceFacts =>
  makeSource('macs', devices, { findings: [makeFinding('fail')] });

describe('worst wins', () => {
  const half = makeFleet(50);
  const well = makeSource('macs', makeFleet(100));

  it.each<[string, SourceFacts, string, string]>([
    ['nothing is wrong', well, 'complete', 'complete'],
    ['half the fleet is gone', makeSource('macs', half), 'complete', 'suspect'],
    ['the instrument is broken', broken(makeFleet(100)), 'untrusted', 'untrusted'],
    ['the instrument could not be read', { ...well, findings: [makeFinding('unknown')] }, 'untrusted', 'untrusted'],
    ['the instrument was not checked', { ...well, findings: [makeFinding('not-checked')] }, 'untrusted', 'untrusted'],
    ['no check of the instrument was made', { ...well, findings: [] }, 'untrusted', 'untrusted'],
    [
      'another check failed',
      { ...well, findings: [makeFinding('pass'), { ...makeFinding('fail'), instrument: false }] },
      'complete',
      'complete',
    ],
    ['broken, and half is gone', broken(half), 'untrusted', 'untrusted'],
    ['incomplete', makeIncomplete('macs', half), 'missing', 'carried'],
    ['incomplete and broken', { ...broken(half), reading: 'incomplete' }, 'missing', 'carried'],
  ])('%s', (_, tonight, withoutBaseline, withBaseline) => {
    expect(worth(judgeOnce({ sources: [tonight] }))).toBe(withoutBaseline);
    expect(worth(judgeSource(well, tonight)[1])).toBe(withBaseline);
  });

  const another = { ...makeFinding('fail'), check: 'script', found: 'another one' };

  it.each<[string, CheckResult[], unknown]>([
    [
      'the finding that failed',
      [makeFinding('not-checked'), another],
      'script: expected enabled; found another one. Enable it.',
    ],
    [
      'a finding without advice',
      [{ ...makeFinding('fail'), advice: '' }],
      'attribute: expected enabled; found disabled.',
    ],
    ['none', [], expect.stringContaining('No check of what produces its values has passed')],
  ])('the problem is that of %s', (_, findings, message) => {
    const night = judgeOnce({ sources: [makeSource('macs', makeFleet(1), { findings })] });

    expect(findSource(night, 'macs').problem).toEqual({ code: 'instrument', message });
  });
});

describe('a first good night', () => {
  it('is the baseline: no change rows, every member stayed [S17]', () => {
    const night = judgeOnce();

    expect(night.sources.map(({ first, baseline }) => [first, baseline])).toEqual([
      [true, undefined],
      [true, undefined],
    ]);
    expect(listChanges(night)).toEqual([]);
    expect(new Set([...night.groups].map(({ change }) => change))).toEqual(new Set(['stayed']));
    expect(findFigures(night)).toMatchObject({ lost: 0, recovered: 0, joined: 0, left: 0, counted: 4 });
    expect(findDevice(night, '2').judgement.notInstalledSince).toBe(slot(1));
    expect(findDevice(night, '1').judgement.notInstalledSince).toBeUndefined();
  });
});

it('a name given to another kind is another source [S21]', () => {
  const all = judgeRuns(
    { sources: [makeSource('fleet', [makeMac('1')], { kind: 'jamf' })] },
    { sources: [makeSource('fleet', [makePc('1', '3')], { kind: 'intune' })] },
  );

  expect(findSource(all[1], 'fleet').first).toBe(true);
  expect(listChanges(all[1])).toEqual([]);
});

describe('a carried night', () => {
  const [_macs, windows] = makeTwoSources() as [SourceFacts, SourceFacts];
  const all = judgeRuns({}, { sources: [makeIncomplete('macs', [makeMac('1', 'Not Installed')]), windows] });

  it('shows the baseline’s rows with their date, and changes nobody', () => {
    expect(worth(all[1])).toBe('carried');
    expect(findSource(all[1], 'macs').problem).toEqual({ code: 'rows-missing', message: '1 of 2 rows.' });
    expect(findDevice(all[1], '1').judgement).toMatchObject({
      status: 'Installed',
      unprovenBecause: undefined,
      answeredOn: slot(1),
    });
    expect(findDevice(all[1], 'a').judgement).toMatchObject({ answeredOn: slot(2) });
    expect(listChanges(all[1])).toEqual([]);
    expect(findFigures(all[1])).toMatchObject({ soundness: 'carried', counted: 4 });
  });
});

describe('nights on which nothing ran', () => {
  it.each([1, 2, 30])('after %i of them the next is compared with the last good one [C15]', (missed) => {
    const macs = (value: string) => ({ sources: [makeSource('macs', [makeMac('1', value), makeMac('2')])] });
    const before = judgeAfter(makeFacts(1, macs('Installed')), undefined);
    const after = judgeAfter(makeFacts(2 + missed, macs('Not Installed')), before).night;

    expect(findSource(after, 'macs')).toMatchObject({ soundness: 'complete', baseline: slot(1) });
    expect(listChanges(after)).toEqual(['macs 1 lost']);
    expect(findDevice(after, '1').judgement.notInstalledSince).toBe(slot(2 + missed));
    expect(after.state.history.map((night) => night.slot)).toEqual([slot(1), slot(2 + missed)]);
  });
});

describe('an untrusted night, the repair, and the reports after it', () => {
  /** Four Macs that report on different days; the instrument is broken on night 2, and repaired from night 3 on. */
  const reported = (night: number, days: readonly [number, number, number, number]) =>
    days.map((day, index) => {
      const value = index === 3 || (night === 2 && index === 0) ? 'Not Installed' : 'Installed';
      return makeMac(String(index + 1), value, { reportedAt: at(day, -0.25) });
    });
  const all = judgeSource(
    makeSource('macs', reported(1, [1, 1, 1, 1])),
    broken(reported(2, [2, 2, 1, 1])),
    makeSource('macs', reported(3, [3, 2, 1, 1])),
    makeSource('macs', reported(4, [4, 2, 1, 4])),
    makeSource('macs', reported(5, [4, 5, 1, 4])),
    makeIncomplete('macs'),
  );

  it('values older than the first sound night prove nothing until they are reported again [D11]', () => {
    const reasons = all.map((night) => night.devices.map(({ judgement }) => judgement.unprovenBecause ?? 'proven'));

    // Night 3 is the first sound one; every value of that night was measured before its moment.
    expect(reasons).toEqual([
      Array(4).fill('proven'),
      Array(4).fill('method-not-sound'),
      Array(4).fill('before-repair'),
      ['proven', 'before-repair', 'before-repair', 'proven'],
      ['proven', 'proven', 'before-repair', 'proven'],
      ['proven', 'proven', 'before-repair', 'proven'],
    ]);
    expect(all.map((night) => findFigures(night, 'macs').installed)).toEqual([3, 2, 3, 3, 3, 3]);
    expect(all[4]?.state.sources[0]?.instrumentMemory.repairedAt).toBe(at(3));
  });
});

describe('since when', () => {
  it('is not said by nights that are not whole: on one, a device has its entry’s date, or the night’s own', () => {
    const lost = [makeMac('1', 'Not Installed'), ...makeFleet(100).slice(1)];
    const all = judgeSource(
      makeSource('macs', makeFleet(100)),
      broken(lost),
      makeSource('macs', lost.slice(0, 50)),
      makeIncomplete('macs'),
      makeSource('macs', lost),
      broken(lost),
    );

    expect(all.map((night) => worth(night))).toEqual([
      ...['complete', 'untrusted', 'suspect', 'carried', 'complete', 'untrusted'],
    ]);
    expect(all.map((night) => findDevice(night, '1').judgement.notInstalledSince)).toEqual([
      ...[undefined, slot(2), slot(3), undefined, slot(5), slot(5)],
    ]);
    expect(listChanges(all[4])).toEqual(['macs 1 lost']);
  });
});

describe('what the state keeps', () => {
  it('the coverage of 400 nights', () => {
    const one = { sources: [makeSource('macs', [makeMac('1')])] };
    const { night: before, ...rest } = judgeAfter(makeFacts(keptHistory, one), undefined);
    const [last] = before.state.history as [HistoryEntry];
    const history = Array.from({ length: keptHistory }, (_, index) => ({ ...last, slot: slot(index + 1) }));
    const past = { ...rest, night: { ...before, state: { ...before.state, history } } };
    const { night } = judgeAfter(makeFacts(keptHistory + 1, one), past);

    expect(night.state.history).toHaveLength(400);
    expect([night.state.history[0]?.slot, night.state.history.at(-1)?.slot]).toEqual([slot(2), slot(401)]);
    expect(night.state.history.at(-1)?.coverage).toEqual(night.coverage);
  });

  it('of a source’s baseline, what was read of the source and no more', () => {
    const windows = makeSource('windows', [makePc('a')]);
    const receipt = { ...windows.receipt, answersReceived: 7, overview: 1 };
    const night = judgeOnce({ sources: [makeSource('macs', [makeMac('1')]), { ...windows, receipt }] });

    expect(storeState(night.state).sources.map(({ baseline }) => baseline)).toEqual([
      { slot: slot(1), instrument: { id: '6' } },
      { slot: slot(1), instrument: { id: '6' }, answers: 7, listing: { received: 1, overview: 1 } },
    ]);
  });

  it('nothing of a source that is in the settings no more, whose entries stay', () => {
    const [, night] = judgeRuns({}, { sources: makeTwoSources().slice(0, 1) });

    expect(night?.state.sources.map(({ name }) => name)).toEqual(['macs']);
    expect(night?.state.ledger).toHaveLength(4);
  });

  it('facts and the past are left as they were', () => {
    const [before] = judgeRuns({});
    const tonight = makeFacts(2, { exemptions: [makeExemption('device_id', 'a')] });
    const frozen = JSON.stringify([tonight, before?.state]);

    judgeRun(tonight, before?.state, sourceRules);

    expect(JSON.stringify([tonight, before?.state])).toBe(frozen);
  });
});
