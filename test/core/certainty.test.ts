/** What makes the interval as wide as it is: the causes of a run, the sentence, and when the interval is narrow. */
import { describe, expect, it } from 'vitest';
import type { Night } from '../../src/core/facts/judged.ts';
import { unprovenReasons } from '../../src/core/facts/vocabulary.ts';
import { explainInterval, isNarrow, listUnprovenCauses, type UnprovenCause } from '../../src/core/source/certainty.ts';
import { at, judgeRuns, makeFinding, makeMac, makePc, makeSource } from './make-facts.ts';

const repair: UnprovenCause = {
  because: 'before-repair',
  devices: 1478,
  repairedOn: '2026-11-03',
  until: 'the Mac’s next inventory report',
};

describe('the sentence', () => {
  it('says of a repair which answers are older, and what ends it', () => {
    expect(explainInterval([repair], { counted: 2884 })).toBe(
      '1,478 of 2,884 counted devices have answers older than the repair of 2026-11-03, and are not proven until the Mac’s next inventory report.',
    );
  });

  it('names two causes, the largest first, and counts the rest', () => {
    const others = (['no-answer', 'not-clear', 'unread'] as const).map((because) => ({ because, devices: 2 }));
    expect(explainInterval([repair, ...others], { counted: 2884 })).toBe(
      '1,484 of 2,884 counted devices are not proven: 1,478 have answers older than the repair of 2026-11-03, until the Mac’s next inventory report; 2 have no answer about the agent, until the first; 4 for other reasons.',
    );
  });

  it('is not there where every counted device is proven', () => {
    expect(explainInterval([], { counted: 3 })).toBeUndefined();
  });

  it.each(Object.keys(unprovenReasons) as (keyof typeof unprovenReasons)[])('reads of one device: %s', (because) => {
    const sentence = explainInterval([{ because, devices: 1 }], { counted: 1 });
    expect(sentence).toMatch(/^1 of 1 counted device (has|is|could) .*, and is not proven until .*\.$/);
  });
});

it('the interval is narrow where at most 10 of 100 counted devices are not proven', () => {
  const figures = (unproven: number) => ({ counted: 100, provenInstalled: 90 - unproven, provenNotInstalled: 10 });
  expect([isNarrow(figures(0)), isNarrow(figures(10)), isNarrow(figures(11))]).toEqual([true, true, false]);
  expect(isNarrow({ counted: 0, provenInstalled: 0, provenNotInstalled: 0 })).toBe(true);
});

it('the causes of a run say of each counted device once what ends them, by platform', () => {
  const findings = (result: 'pass' | 'fail') => ({ findings: [makeFinding(result)] });
  const broken = { findings: [makeFinding('fail')] };
  const macs = ['a', 'b', 'c'].map((id) => makeMac(id));
  const unmanaged = makeMac('d', 'Installed', { managementState: 'unmanaged' });
  const devices = [...macs, unmanaged];
  const pc = makePc('e');
  const night = judgeRuns(
    { sources: [makeSource('macs', devices, broken), makeSource('windows', [pc], broken)] },
    {
      sources: [makeSource('macs', devices, findings('pass')), makeSource('windows', [pc], findings('pass'))],
    },
  ).at(-1) as Night;
  const repairedOn = at(2).slice(0, 10);
  expect(listUnprovenCauses(night.devices, night)).toEqual([
    { because: 'before-repair', devices: 3, repairedOn, until: 'the Mac’s next inventory report' },
    {
      because: 'before-repair',
      devices: 1,
      repairedOn,
      until: expect.stringMatching(/^a newer answer from Intune, or a contact on \d{4}-\d{2}-\d{2} or later$/),
    },
  ]);
  const all = night.coverage.at(-1);
  expect(all && all.counted - all.provenInstalled - all.provenNotInstalled).toBe(4);
});
