import { describe, expect, it } from 'vitest';
import type { Policy } from '../../src/core/facts/company.ts';
import type { DeviceFacts } from '../../src/core/facts/facts.ts';
import {
  at,
  findFigures,
  findSource,
  judgeRuns,
  listChanges,
  makeFacts,
  makeFleet,
  makeMac,
  makeSource,
} from './make-facts.ts';

type Limits = Partial<Policy['breaker']>;

function policy(limits: Limits): Policy {
  const standard = makeFacts(1).policy;
  return { ...standard, breaker: { ...standard.breaker, ...limits } };
}

/** What the second night is worth: all Macs of the first, then these. */
function secondNight(before: DeviceFacts[], after: DeviceFacts[], limits: Limits = {}) {
  const sources = (devices: DeviceFacts[]) => [makeSource('macs', devices)];
  return judgeRuns({ sources: sources(before) }, { sources: sources(after), policy: policy(limits) })[1];
}

const gone = (size: number, count: number, limits: Limits = {}) =>
  findSource(secondNight(makeFleet(size), makeFleet(size).slice(count), limits), 'macs').soundness;

const flipped = (size: number, count: number, limits: Limits = {}, from = 'Installed', to = 'Not Installed') => {
  const after = makeFleet(size, (id, index) => makeMac(id, index < count ? to : from));
  return findSource(
    secondNight(
      makeFleet(size, (id) => makeMac(id, from)),
      after,
      limits,
    ),
    'macs',
  ).soundness;
};

/** Fleet, how many it concerns, percent, at least: what the night is worth. */
const thresholds: [number, number, number, number, string][] = [
  [1, 1, 20, 10, 'complete'],
  [1, 1, 20, 1, 'suspect'],
  [1, 1, 100, 1, 'complete'],
  [2, 1, 50, 1, 'complete'],
  [2, 1, 49.9, 1, 'suspect'],
  [10, 2, 20, 1, 'complete'],
  [10, 3, 20, 1, 'suspect'],
  [10, 3, 20, 3, 'suspect'],
  [10, 3, 20, 4, 'complete'],
  [100, 20, 20, 10, 'complete'],
  [100, 21, 20, 10, 'suspect'],
  [100, 100, 100, 10, 'complete'],
  [100, 1, 0, 0, 'suspect'],
];

describe.each(thresholds)(
  'of %i devices %i, limit %d % and %i devices: %5$s [D1, D3]',
  (size, count, percent, least, worth) => {
    it('gone', () => {
      const limits = { maximumFleetDropPercent: percent, minimumDevices: least, maximumFlipPercent: 100 };
      expect(gone(size, count, limits)).toBe(worth);
    });

    it('flipped, either way', () => {
      const limits = { maximumFlipPercent: percent, minimumDevices: least, maximumFleetDropPercent: 100 };
      expect(flipped(size, count, limits)).toBe(worth);
      expect(flipped(size, count, limits, 'Not Installed', 'Installed')).toBe(worth);
    });
  },
);

describe('what counts as gone', () => {
  const limits = { maximumFleetDropPercent: 0, minimumDevices: 1 };
  const counted = makeFleet(10);

  function worth(change: (device: DeviceFacts) => DeviceFacts | undefined): string {
    const after = counted.map((device, index) => (index === 0 ? change(device) : device));
    return findSource(
      secondNight(
        counted,
        after.filter((device) => device !== undefined),
        limits,
      ),
      'macs',
    ).soundness;
  }

  it.each<[string, string, (device: DeviceFacts) => DeviceFacts | undefined]>([
    ['absent', 'suspect', () => undefined],
    ['now unmanaged', 'suspect', (device) => ({ ...device, managementState: 'unmanaged' })],
    ['under a new id with the same serial number', 'complete', (device) => ({ ...device, id: '77' })],
    ['renamed', 'complete', (device) => ({ ...device, name: 'other' })],
  ])('%s: %s', (_, expected, change) => {
    expect(worth(change)).toBe(expected);
  });

  it('a device that was stale in the baseline is cleaned up, which one event says once [F7]', () => {
    const silent = makeFleet(3, (id) =>
      makeMac(`9${id}`, 'Not Installed', { reportedAt: at(1, -31), lastSeenAt: at(1, -31) }),
    );
    const [first, second, third] = [[...counted, ...silent], counted, counted].map((devices) => ({
      sources: [makeSource('macs', devices)],
      policy: policy(limits),
    }));
    const [, tonight, after] = judgeRuns(first ?? {}, second ?? {}, third ?? {});

    expect(findSource(tonight, 'macs').soundness).toBe('complete');
    expect(findFigures(tonight, 'macs')).toMatchObject({ counted: 10, left: 3 });
    expect(tonight?.events.filter(({ kind }) => kind === 'count.cleaned-up')).toMatchObject([
      { phase: 'notice', key: 'cleaned-up:macs', text: '3 devices are gone that had not been heard from for long.' },
    ]);
    expect(after?.events).toEqual([]);
  });

  it.each([
    [3, 'suspect'],
    [4, 'complete'],
  ])('it was counted before, too: 4 gone beside %i of 10 + %1$i that are cleaned up: %s', (stale, expected) => {
    const old = makeFleet(stale, (id) => makeMac(`9${id}`, 'Installed', { reportedAt: at(1, -31) }));
    const night = secondNight([...counted, ...old], counted.slice(4), {
      maximumFleetDropPercent: 29,
      minimumDevices: 1,
    });

    expect(findSource(night, 'macs').soundness).toBe(expected);
  });

  it('it is dropped like any other where it is listed and no longer managed', () => {
    const silent = makeMac('99', 'Installed', { reportedAt: at(1, -31) });
    const night = secondNight([...counted, silent], [...counted, { ...silent, managementState: 'unmanaged' }], limits);

    expect(findSource(night, 'macs').soundness).toBe('suspect');
  });
});

describe('a suspect night', () => {
  const half = secondNight(makeFleet(100), makeFleet(50));

  it('shows tonight’s rows and changes, and says both numbers', () => {
    expect(findSource(half, 'macs')).toMatchObject({ soundness: 'suspect', baseline: '2026-06-01', first: false });
    expect(findSource(half, 'macs').problem).toEqual({
      code: 'breaker',
      message:
        '50 of 100 counted devices are no longer counted, 0 of 50 changed their status since 2026-06-01. ' +
        'If that is what happened, run "muster accept 2026-06-02"; if not, look at the platform.',
    });
    // The ledger does not move, so nobody has left its count.
    expect(findFigures(half, 'macs')).toMatchObject({ counted: 50, left: 0, joined: 0 });
    expect(listChanges(half)).toHaveLength(50);
    expect(
      findSource(secondNight(makeFleet(2), makeFleet(1), { minimumDevices: 1 }), 'macs').problem?.message,
    ).toContain('1 of 2 counted devices is no longer counted');
  });

  it('does not move the baseline: the next night is compared with the same one', () => {
    const one = (count: number) => ({ sources: [makeSource('macs', makeFleet(count))] });
    const all = judgeRuns(one(100), one(50), one(50), one(90));

    expect(all.map((night) => findSource(night, 'macs').soundness)).toEqual([
      'complete',
      'suspect',
      'suspect',
      'complete',
    ]);
    expect(findFigures(all[3], 'macs')).toMatchObject({ counted: 90, joined: 0, left: 10 });
    expect(findSource(all[3], 'macs').baseline).toBe('2026-06-01');
  });

  it('accepted by a person, it is judged without the breaker and becomes the baseline', () => {
    const one = (count: number) => ({ sources: [makeSource('macs', makeFleet(count))] });
    const accepted = { by: 'ada', at: '2026-06-02T09:00:00.000Z', sources: ['macs'] };
    const all = judgeRuns(one(100), { ...one(50), accepted }, one(50));

    expect(all.map((night) => findSource(night, 'macs').soundness)).toEqual(['complete', 'complete', 'complete']);
    expect(listChanges(all[1])).toHaveLength(50);
    expect(listChanges(all[2])).toEqual([]);
    expect(findSource(all[2], 'macs').baseline).toBe('2026-06-02');
  });

  it('accepting another source changes nothing', () => {
    const accepted = { by: 'ada', at: '2026-06-02T09:00:00.000Z', sources: ['windows'] };
    const all = judgeRuns(
      { sources: [makeSource('macs', makeFleet(100))] },
      { sources: [makeSource('macs', makeFleet(50))], accepted },
    );

    expect(findSource(all[1], 'macs').soundness).toBe('suspect');
  });

  it('twice as many devices trip nothing [D1]', () => {
    expect(findSource(secondNight(makeFleet(40), makeFleet(80)), 'macs').soundness).toBe('complete');
  });

  it('a device that was away and is back is in neither count of flips [D4]', () => {
    const others = makeFleet(20).slice(1);
    const one = (devices: DeviceFacts[], limits: Limits = {}) => ({
      sources: [makeSource('macs', devices)],
      policy: policy({ minimumDevices: 1, maximumFleetDropPercent: 100, ...limits }),
    });
    const back = [makeMac('1', 'Not Installed'), ...others];
    const all = judgeRuns(one(makeFleet(20)), one(others), one(back, { maximumFlipPercent: 0 }));

    expect(findSource(all[2], 'macs').soundness).toBe('complete');
    expect(listChanges(all[2])).toEqual(['macs 1 new-not-installed']);
  });
});
