/** What a source's night was worth, and what each night leaves to the next. */

import { describe, expect, it } from 'vitest';
import { sourceRules } from '../../src/compose/source-kinds.ts';
import { boundDeparted } from '../../src/core/baseline.ts';
import { computeInterval } from '../../src/core/coverage.ts';
import type { DeviceFacts, SourceFacts } from '../../src/core/facts.ts';
import { judge } from '../../src/core/judge.ts';
import { keptHistory } from '../../src/core/state.ts';
import {
  at,
  device,
  exemption,
  facts,
  figures,
  incomplete,
  instrument,
  judged,
  mac,
  nights,
  nightsOf,
  pc,
  slot,
  source,
  sourceOf,
  stored,
  told,
  twoSources,
} from './world.ts';

it('forgets the devices that left first where more have left than are kept', () => {
  const left = ['2026-11-01', '2026-11-02', '2026-11-03'].map((leftOn, index) => ({
    ...{ facts: mac(String(index)), status: 'Installed' as const, reason: 'reported' as const },
    ...{ counted: true, transitions: [], leftOn },
  }));
  expect(boundDeparted(left, 3)).toEqual(left);
  expect(boundDeparted(left, 2).map(({ leftOn }) => leftOn)).toEqual(['2026-11-02', '2026-11-03']);
});

const worth = (night: ReturnType<typeof judged> | undefined, name = 'macs') => sourceOf(night, name).soundness;
const fleet = (size: number): DeviceFacts[] => Array.from({ length: size }, (_, index) => mac(String(index + 1)));
const broken = (devices: DeviceFacts[]): SourceFacts => source('macs', devices, { findings: [instrument('fail')] });

describe('worst wins', () => {
  const half = fleet(50);
  const well = source('macs', fleet(100));

  it.each<[string, SourceFacts, string, string]>([
    ['nothing is wrong', well, 'complete', 'complete'],
    ['half the fleet is gone', source('macs', half), 'complete', 'suspect'],
    ['the instrument is broken', broken(fleet(100)), 'untrusted', 'untrusted'],
    ['the instrument could not be read', { ...well, findings: [instrument('unknown')] }, 'untrusted', 'untrusted'],
    ['the instrument was not checked', { ...well, findings: [instrument('not-checked')] }, 'untrusted', 'untrusted'],
    ['no check of the instrument was made', { ...well, findings: [] }, 'untrusted', 'untrusted'],
    [
      'another check failed',
      { ...well, findings: [instrument('pass'), { ...instrument('fail'), instrument: false }] },
      'complete',
      'complete',
    ],
    ['broken, and half is gone', broken(half), 'untrusted', 'untrusted'],
    ['incomplete', incomplete('macs', half), 'missing', 'carried'],
    ['incomplete and broken', { ...broken(half), reading: 'incomplete' }, 'missing', 'carried'],
  ])('%s', (_, tonight, withoutBaseline, withBaseline) => {
    expect(worth(judged({ sources: [tonight] }))).toBe(withoutBaseline);
    expect(worth(nightsOf(well, tonight)[1])).toBe(withBaseline);
  });

  it('the problem is that of the finding that failed', () => {
    const findings = [instrument('not-checked'), { ...instrument('fail'), check: 'script', found: 'another one' }];
    const night = judged({ sources: [source('macs', [], { findings })] });

    expect(sourceOf(night, 'macs').problem).toEqual({
      code: 'instrument',
      message: 'script: expected enabled; found another one. Enable it.',
    });
  });

  it('or, of a finding without advice, what was found alone', () => {
    const findings = [{ ...instrument('fail'), advice: '' }];
    const night = judged({ sources: [source('macs', [], { findings })] });

    expect(sourceOf(night, 'macs').problem?.message).toBe('attribute: expected enabled; found disabled.');
  });

  it('or that there is none', () => {
    const night = judged({ sources: [source('macs', fleet(1), { findings: [] })] });

    expect(sourceOf(night, 'macs').problem).toEqual({
      code: 'instrument',
      message: expect.stringContaining('No check of what produces its values has passed'),
    });
  });
});

describe('a first good night', () => {
  it('is the baseline: no change rows, every member stayed [S17]', () => {
    const night = judged();

    expect(night.sources.map(({ first, baseline }) => [first, baseline])).toEqual([
      [true, undefined],
      [true, undefined],
    ]);
    expect(told(night)).toEqual([]);
    expect(new Set([...night.groups].map(({ change }) => change))).toEqual(new Set(['stayed']));
    expect(figures(night)).toMatchObject({ lost: 0, recovered: 0, joined: 0, left: 0, counted: 4 });
    expect(device(night, '2').notInstalledSince).toBe(slot(1));
    expect(device(night, '1').notInstalledSince).toBeUndefined();
  });

  it('may come late: missing and untrusted nights before it leave no baseline', () => {
    const all = nightsOf(
      incomplete('macs', fleet(2)),
      broken(fleet(9)),
      source('macs', fleet(3)),
      source('macs', fleet(2)),
    );

    expect(all.map((night) => worth(night))).toEqual(['missing', 'untrusted', 'complete', 'complete']);
    expect(all.map((night) => sourceOf(night, 'macs').first)).toEqual([false, false, true, false]);
    expect(all.map((night) => figures(night).devices)).toEqual([0, 9, 3, 2]);
    expect(all.map(told)).toEqual([[], [], [], ['macs 3 removed']]);
  });

  it('of a source added later is its own, and says nothing of the others', () => {
    const [macs, windows] = twoSources() as [SourceFacts, SourceFacts];
    const all = nights({ sources: [macs] }, { sources: [macs, windows] }, { sources: [macs, windows] });

    expect(all[1]?.sources.map(({ first }) => first)).toEqual([false, true]);
    expect(all.map(told)).toEqual([[], [], []]);
  });
});

describe('a source removed from the settings', () => {
  const [macs, windows] = twoSources() as [SourceFacts, SourceFacts];

  it('leaves the picture without removals', () => {
    const all = nights({}, { sources: [macs] });

    expect(told(all[1])).toEqual([]);
    expect(all[1]?.coverage.map((row) => row.source)).toEqual(['macs', 'all']);
    expect(all[1]?.state.sources.map(({ name }) => name)).toEqual(['macs']);
  });

  it('and put back begins anew', () => {
    const all = nights({}, { sources: [macs] }, { sources: [macs, windows] });

    expect(sourceOf(all[2], 'windows').first).toBe(true);
    expect(told(all[2])).toEqual([]);
  });

  it('hands its machines’ history to the source that has them now', () => {
    const old = mac('7', 'Not Installed', { serialNumber: 'C02XYZ' });
    const all = nights(
      { sources: [source('macs', [mac('1')]), source('macs-old', [old])] },
      { sources: [source('macs', [mac('1'), { ...old, id: '2' }])] },
    );

    expect(told(all[1])).toEqual(['macs 2 moved']);
    expect(device(all[1], '2').notInstalledSince).toBe(slot(1));
    expect(figures(all[1], 'macs')).toMatchObject({ counted: 2, joined: 1, left: 0 });
  });

  it('a name given to another kind is another source [S21]', () => {
    const all = nights(
      { sources: [source('fleet', [mac('1')], { kind: 'jamf' })] },
      { sources: [source('fleet', [pc('1', '3')], { kind: 'intune' })] },
    );

    expect(sourceOf(all[1], 'fleet').first).toBe(true);
    expect(told(all[1])).toEqual([]);
  });

  it('and what departed from it says nothing of the new one', () => {
    const macs = (...devices: DeviceFacts[]) => source('fleet', devices, { kind: 'jamf' });
    const all = nightsOf(macs(mac('1', 'Not Installed')), macs(), source('fleet', [pc('1', '3')], { kind: 'intune' }));

    expect(device(all[2], '1').notInstalledSince).toBe(slot(3));
  });
});

describe('a carried night', () => {
  const [macs, windows] = twoSources() as [SourceFacts, SourceFacts];
  const all = nights(
    {},
    { sources: [incomplete('macs', [mac('1', 'Not Installed')]), windows] },
    { sources: [source('macs', [mac('1'), mac('2', 'Not Installed')]), windows] },
  );

  it('shows the baseline’s rows with their date, and changes nobody', () => {
    expect(worth(all[1])).toBe('carried');
    expect(sourceOf(all[1], 'macs').problem).toEqual({ code: 'rows-missing', message: '1 of 2 rows.' });
    expect(device(all[1], '1')).toMatchObject({ status: 'Installed', proven: true, answeredOn: slot(1) });
    expect(device(all[1], 'a')).toMatchObject({ answeredOn: slot(2) });
    expect(told(all[1])).toEqual([]);
    expect(figures(all[1])).toMatchObject({ soundness: 'carried', counted: 4 });
  });

  it('resets nothing: since when is counted through it', () => {
    expect(device(all[1], '2').notInstalledSince).toBe(slot(1));
    expect(device(all[2], '2').notInstalledSince).toBe(slot(1));
    expect(told(all[2])).toEqual([]);
  });

  it('leaves its state as it was, also for the night after', () => {
    expect(all[1]?.state.sources[0]).toEqual(all[0]?.state.sources[0]);
    expect(sourceOf(all[2], 'macs').baseline).toBe(slot(1));
  });

  it('answers grow stale while they are carried; the status stands', () => {
    const old = source('macs', [mac('1', 'Installed', { reportedAt: at(1, -29) })]);
    const carried = nightsOf(old, incomplete('macs'), incomplete('macs'));

    expect(
      carried.map((night) => device(night, '1')).map(({ stale, proven, status }) => [stale, proven, status]),
    ).toEqual([
      [false, true, 'Installed'],
      [false, true, 'Installed'],
      [true, false, 'Installed'],
    ]);
  });

  it('after an untrusted night proves nothing either: the instrument was last seen broken', () => {
    const carried = nightsOf(macs, broken([...macs.devices]), incomplete('macs'));

    expect(figures(carried[1], 'macs')).toMatchObject({ provenInstalled: 0, provenNotInstalled: 0 });
    expect(figures(carried[2], 'macs')).toMatchObject({ installed: 1, provenInstalled: 0, provenNotInstalled: 0 });
  });

  it('a change that happened meanwhile is told once, on the night it is known', () => {
    const changed = source('macs', [mac('1', 'Not Installed'), mac('2', 'Not Installed')]);
    const later = nightsOf(macs, incomplete('macs'), incomplete('macs'), changed, changed);

    expect(later.map(told)).toEqual([[], [], [], ['macs 1 lost'], []]);
    expect(device(later[4], '1').notInstalledSince).toBe(slot(4));
  });
});

describe('nights on which nothing ran', () => {
  it.each([1, 2, 30])('after %i of them the next is compared with the last good one [C15]', (missed) => {
    const macs = (value: string) => ({ sources: [source('macs', [mac('1', value), mac('2')])] });
    const before = judge(facts(1, macs('Installed')), undefined, sourceRules);
    const after = judge(facts(2 + missed, macs('Not Installed')), stored(before.state), sourceRules);

    expect(sourceOf(after, 'macs')).toMatchObject({ soundness: 'complete', baseline: slot(1) });
    expect(told(after)).toEqual(['macs 1 lost']);
    expect(device(after, '1').notInstalledSince).toBe(slot(2 + missed));
    expect(after.state.history.map((night) => night.slot)).toEqual([slot(1), slot(2 + missed)]);
  });
});

describe('an untrusted night, the repair, and the reports after it', () => {
  /** Four Macs that report on different days; the instrument is broken on night 2, and repaired from night 3 on. */
  const reported = (night: number, days: readonly [number, number, number, number]) =>
    days.map((day, index) => {
      const value = index === 3 || (night === 2 && index === 0) ? 'Not Installed' : 'Installed';
      return mac(String(index + 1), value, { reportedAt: at(day, -0.25) });
    });
  const all = nightsOf(
    source('macs', reported(1, [1, 1, 1, 1])),
    broken(reported(2, [2, 2, 1, 1])),
    source('macs', reported(3, [3, 2, 1, 1])),
    source('macs', reported(4, [4, 2, 1, 4])),
    source('macs', reported(5, [4, 5, 1, 4])),
    incomplete('macs'),
  );

  it('is worth what the table says, night by night', () => {
    expect(all.map((night) => worth(night))).toEqual([
      ...['complete', 'untrusted', 'complete', 'complete', 'complete', 'carried'],
    ]);
    expect(all.map((night) => sourceOf(night, 'macs').baseline)).toEqual([
      ...[undefined, slot(1), slot(1), slot(3), slot(4), slot(5)],
    ]);
  });

  it('shows tonight’s rows and changes, with nothing proven', () => {
    expect(told(all[1])).toEqual(['macs 1 lost']);
    expect(computeInterval(figures(all[1], 'macs'))).toEqual({ coverage: '50.00', low: '0.00', high: '100.00' });
    expect(told(all[2])).toEqual([]);
  });

  it('values older than the first sound night prove nothing until they are reported again', () => {
    const proven = all.map((night) => night.devices.filter((one) => one.proven).map(({ facts: { id } }) => id));

    // Night 3 is the first sound one; every value of that night was measured before its moment.
    expect(proven).toEqual([['1', '2', '3', '4'], [], [], ['1', '4'], ['1', '2', '4'], ['1', '2', '4']]);
    expect(all.map((night) => figures(night, 'macs').installed)).toEqual([3, 2, 3, 3, 3, 3]);
    expect(all[4]?.state.sources[0]?.instrumentMemory.repairedAt).toBe(at(3));
  });

  it('a value of exactly the repair’s moment was measured by the repaired instrument', () => {
    const onTime = (milliseconds: number) =>
      nightsOf(
        broken([mac('1')]),
        source('macs', [mac('1')]),
        source('macs', [mac('1', 'Installed', { reportedAt: at(2, 0, milliseconds) })]),
      );

    expect(device(onTime(0)[2], '1').proven).toBe(true);
    expect(device(onTime(-1)[2], '1').proven).toBe(false);
  });

  it('a suspect night with a sound instrument ends it; a carried one that could not read it does not', () => {
    const suspect = nightsOf(
      source('macs', fleet(100)),
      broken(fleet(100)),
      source('macs', fleet(50)),
      source('macs', fleet(99)),
    );
    const carried = nightsOf(
      source('macs', fleet(100)),
      broken(fleet(100)),
      { ...incomplete('macs'), findings: [instrument('unknown')] },
      source('macs', fleet(99)),
    );

    expect(worth(suspect[2])).toBe('suspect');
    expect(suspect[3]?.state.sources[0]?.instrumentMemory.repairedAt).toBe(at(3));
    expect(carried[3]?.state.sources[0]?.instrumentMemory.repairedAt).toBe(at(4));
  });

  it('after a carried, missing or suspect night values prove what they always did', () => {
    const later = nightsOf(
      incomplete('macs'),
      source('macs', fleet(100)),
      source('macs', fleet(50)),
      incomplete('macs'),
      source('macs', fleet(100)),
    );

    expect(figures(later[4], 'macs')).toMatchObject({ soundness: 'complete', provenInstalled: 100 });
  });

  it('a second breakage moves the moment of the repair', () => {
    const again = nightsOf(
      broken([mac('1')]),
      source('macs', [mac('1')]),
      broken([mac('1')]),
      source('macs', [mac('1')]),
    );

    expect(again.map((night) => night.state.sources[0]?.instrumentMemory.repairedAt)).toEqual([
      undefined,
      at(2),
      at(2),
      at(4),
    ]);
  });
});

describe('since when', () => {
  it('a night whose baseline does not move is remembered by the next sound one', () => {
    const lost = [mac('1', 'Not Installed'), ...fleet(100).slice(1)];
    const all = nightsOf(
      source('macs', fleet(100)),
      broken(lost),
      source('macs', lost.slice(0, 50)),
      incomplete('macs'),
      source('macs', lost),
    );

    expect(all.map((night) => worth(night))).toEqual(['complete', 'untrusted', 'suspect', 'carried', 'complete']);
    expect(all.map((night) => device(night, '1').notInstalledSince)).toEqual([
      ...[undefined, slot(2), slot(2), undefined, slot(2)],
    ]);
    expect(told(all[4])).toEqual(['macs 1 lost']);
  });

  it('is forgotten when a device was well again in between', () => {
    const lost = [mac('1', 'Not Installed')];
    const all = nightsOf(source('macs', [mac('1')]), broken(lost), broken([mac('1')]), source('macs', lost));

    expect(device(all[3], '1').notInstalledSince).toBe(slot(4));
  });

  it('survives nights whose instrument said otherwise', () => {
    const lost = [mac('1', 'Not Installed')];
    const all = nightsOf(source('macs', lost), broken([mac('1')]), source('macs', lost));

    expect(all.map((night) => device(night, '1').notInstalledSince)).toEqual([slot(1), undefined, slot(1)]);
    expect(told(all[2])).toEqual([]);
  });

  it('begins anew after a suspect night that showed it well; carried meanwhile, it is what the baseline says', () => {
    const lost = [mac('1', 'Not Installed'), ...fleet(100).slice(1)];
    const all = nightsOf(
      ...[source('macs', lost), source('macs', fleet(50)), incomplete('macs'), source('macs', lost)],
    );

    expect(all.map((night) => worth(night))).toEqual(['complete', 'suspect', 'carried', 'complete']);
    expect(all.map((night) => device(night, '1').notInstalledSince)).toEqual([slot(1), undefined, slot(1), slot(4)]);
  });

  it('goes on under a new id in another source, whose own nights no longer say', () => {
    const machine = { serialNumber: 'C02ABCD', enrolledAt: at(1, -300) };
    const old = mac('1', 'Not Installed', machine);
    const moved = mac('7', 'Not Installed', { ...machine, enrolledAt: at(3, -1) });
    const other = (...devices: DeviceFacts[]) => source('macs-two', [mac('9'), ...devices]);
    const all = nights(
      { sources: [source('macs', [mac('1', 'Installed', machine), mac('2')]), other()] },
      { sources: [broken([old, mac('2')]), other()] },
      { sources: [broken([mac('2')]), other(moved)] },
    );

    expect(told(all[2])).toContain('macs-two 7 moved');
    expect(device(all[2], '7').notInstalledSince).toBe(slot(2));
  });

  it('is its own once a record was there, whatever the one before it did later', () => {
    const machine = { serialNumber: 'C02ABCD', enrolledAt: at(1, -300) };
    const old = (value: string, serialNumber = 'C02ABCD') => mac('1', value, { ...machine, serialNumber });
    const next = mac('7', 'Not Installed', { ...machine, enrolledAt: at(3, -1) });
    const all = nightsOf(
      source('macs', [old('Installed')]),
      broken([old('Not Installed')]),
      broken([next]),
      broken([old('Installed', 'C02WXYZ'), next]),
      source('macs', [next]),
    );

    expect(all.map((night) => night.devices.find(({ facts: { id } }) => id === '7')?.notInstalledSince)).toEqual([
      ...[undefined, undefined, slot(2), slot(3), slot(2)],
    ]);
  });

  it('takes no room for devices that are as the baseline has them', () => {
    const lost = [mac('1', 'Not Installed'), ...fleet(100).slice(1)];
    const all = nightsOf(source('macs', fleet(100)), broken(fleet(100)), broken(lost), source('macs', lost));

    expect(all.map(({ state }) => state.sources[0]?.provisional.devices)).toEqual([
      ...[[], [], [{ id: '1', shown: 'IN' }], []],
    ]);
  });

  it('begins anew after a recovery', () => {
    const all = nightsOf(
      ...['Not Installed', 'Installed', 'Not Installed'].map((value) => source('macs', [mac('1', value)])),
    );

    expect(all.map(told)).toEqual([[], ['macs 1 recovered'], ['macs 1 lost']]);
    expect(device(all[2], '1').notInstalledSince).toBe(slot(3));
  });
});

describe('what the state keeps', () => {
  it('the coverage of 400 nights and the slots of the nights that are kept', () => {
    const one = { sources: [source('macs', [mac('1')])], keptNights: 3 };
    const all = nights(...Array.from({ length: keptHistory + 2 }, () => one));

    expect(all.at(-1)?.state.history).toHaveLength(400);
    expect(all.at(-1)?.state.history[0]?.slot).toBe(slot(3));
    expect(all.at(-1)?.state.history.at(-1)?.coverage).toEqual(all.at(-1)?.coverage);
    expect(all.at(-1)?.state.published).toEqual([slot(400), slot(401), slot(402)]);
  });

  it('of a source’s baseline, what was read of it and no more', () => {
    const windows = source('windows', [pc('a')]);
    const receipt = { ...windows.receipt, answersReceived: 7, overview: 1 };
    const row = { ...exemption('user', 'left out', { source: 'windows' }), devices: [['windows', 'a']] as const };
    const night = judged({ sources: [source('macs', [mac('1')]), { ...windows, receipt }], exemptions: [row] });
    const [macs, more] = stored(night.state).sources.map(({ baseline }) => baseline);

    expect(Object.keys(macs ?? {})).toEqual(['slot', 'instrument', 'devices']);
    expect(Object.keys(macs?.devices[0] ?? {})).toEqual(['facts', 'status', 'reason', 'counted', 'transitions']);
    expect(more).toMatchObject({ answers: 7, listing: { received: 1, overview: 1 }, exemptUsers: [{ ids: ['a'] }] });
  });

  it('is plain data: read back from a file it is the same', () => {
    const [night] = nights({});

    expect(JSON.parse(JSON.stringify(night?.state))).toEqual(night?.state);
  });

  it('facts and the past are left as they were', () => {
    const [before] = nights({});
    const tonight = facts(2, { exemptions: [exemption('device_id', 'a')] });
    const frozen = JSON.stringify([tonight, before?.state]);

    judge(tonight, before?.state, sourceRules);

    expect(JSON.stringify([tonight, before?.state])).toBe(frozen);
  });
});
