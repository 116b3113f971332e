/** Why the figures of two runs differ: each rule of the shares. */
import { describe, expect, it } from 'vitest';
import type { CountLetter } from '../../src/core/facts/ledger.ts';
import { computeDifference, explainBound, formatDifference } from '../../src/core/source/difference.ts';

function run(slot: string, all: string) {
  const count = (letters: RegExp) => all.match(letters)?.length ?? 0;
  const [installed, notInstalled] = [count(/[Ii]/g), count(/[Nn]/g)];
  const proven = { provenInstalled: count(/I/g), provenNotInstalled: count(/N/g) };
  return { slot, counted: installed + notInstalled, installed, notInstalled, ...proven };
}

/** A letter each machine. */
function compare(before: string, after: string, moved: readonly number[] = []) {
  const pairs = [...before].map((letter, at) => {
    const [was, is] = [letter as CountLetter, after[at] as CountLetter];
    return { was, is, moved: moved.includes(at) };
  });
  const [left, right] = [run('2026-11-16', before), run('2026-11-23', after)];
  return { difference: computeDifference(left, right, pairs), figures: right };
}

const shares = (before: string, after: string, moved: readonly number[] = []) =>
  compare(before, after, moved).difference?.shares.map(({ kind, coverage, low }) => [kind, coverage, low]);

describe('a share', () => {
  it.each([
    ['lost', 'IIII', 'INII', [], -25],
    ['recovered', 'INII', 'IIII', [], 25],
    ['new-installed', 'IN-', 'INI', [], 16.67],
    ['new-not-installed', 'IN-', 'INN', [], -16.67],
    ['removed', 'INN', 'IN-', [], 16.67],
    ['excluded', 'INN', 'INx', [], 16.67],
    ['included', 'INX', 'INI', [], 16.67],
    ['lost', 'IIII', 'INII', [1], -25],
  ] as const)('of %s: %s to %s', (kind, before, after, moved, points) => {
    expect(shares(before, after, moved)?.map(([name, coverage]) => [name, coverage])).toEqual([[kind, points]]);
  });

  it.each([
    ['unproven', 'IIII', 'IiII', [], -25],
    ['proven', 'IiII', 'IIII', [], 25],
    ['moved', 'IIII', 'IiII', [1], -25],
  ] as const)('of %s moves a bound and not the coverage', (kind, before, after, moved, points) => {
    expect(shares(before, after, moved)).toEqual([[kind, 0, points]]);
  });

  it('takes the hundredths that are left, so that all add up', () => {
    const { difference } = compare('IIINNN-', 'NNIINII');
    const sum = difference?.shares.reduce((all, { coverage }) => all + Math.round(coverage * 100), 0);
    expect(difference?.shares.length).toBe(3);
    expect(sum).toBe(Math.round((difference?.coverage ?? 0) * 100));
  });

  it('of what no device explains is said', () => {
    const other = computeDifference(run('2026-11-16', 'IIII'), run('2026-11-23', 'IIIN'), []);
    expect(other?.shares).toEqual([{ kind: 'other', coverage: -25, low: -25, high: -25 }]);
    expect(computeDifference(run('2026-11-16', ''), run('2026-11-23', 'I'), [])).toBeUndefined();
  });
});

describe('the sentence', () => {
  const say = (before: string, after: string) => {
    const { difference, figures } = compare(before, after);
    return difference && formatDifference(difference, figures);
  };

  it('says how far, since when, and why', () => {
    expect(say('IIIII', 'INIII')).toBe(
      '80.00 %, down 20.00 points since 2026-11-16: −20.00 lost the agent (1 device).',
    );
  });

  it('says what the proof lost where the coverage did not move', () => {
    expect(say('IIIII', 'IiiII')).toBe(
      '100.00 %, as on 2026-11-16; certainly 60.00 %, down 40.00 points: −40.00 no longer proven (2 devices).',
    );
    expect(say('IIN', 'IIN')).toBe('66.67 %, as on 2026-11-16.');
  });

  it('explains the bound that moved most, and not the coverage alone [D1]', () => {
    expect(say('IIIIIIIINN', 'iiiiIIIIIN')).toBe(
      '90.00 %, up 10.00 points since 2026-11-16; certainly 50.00 %, down 30.00 points: −40.00 no longer proven (4 devices), +10.00 got the agent back (1).',
    );
  });

  it('names three reasons, and the rest together', () => {
    const { difference } = compare('IIIIINNN-', 'NNI-xII-N');
    expect(difference && explainBound(difference, 'coverage')).toMatch(/: (.*, ){3}[−+][0-9.]+ for other reasons$/);
  });
});
