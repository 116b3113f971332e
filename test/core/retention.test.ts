/** Which runs are kept: one goes when one is added; more at once wait for a person, or for a week. */
import { expect, test } from 'vitest';
import type { Facts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import { nights, slot } from './world.ts';

const keeping = (...limits: readonly number[]): Night[] => nights(...limits.map((keptNights) => ({ keptNights })));
const keptBy = (night: Night | undefined) => night?.state.published;
const slots = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => slot(from + index));
const said = (night: Night | undefined) =>
  (night?.events ?? []).filter(({ key }) => key === 'retention').map(({ phase, text }) => `${phase}: ${text}`);

test('one run beyond the limit goes, without a word', () => {
  const all = keeping(3, 3, 3, 3, 3);
  expect(keptBy(all[4])).toEqual(slots(3, 5));
  expect(all.flatMap(said)).toEqual([]);
});

test('more than one at once are held back and said, once, for seven days; then they go', () => {
  const all = keeping(400, 400, 400, 400, ...Array<number>(8).fill(1));
  expect(keptBy(all[4])).toEqual(slots(1, 5));
  expect(all[4]?.state.heldBack).toEqual({ since: slot(5), nights: 4, limit: 1 });
  expect(said(all[4])).toEqual([
    'first: 4 runs are older than retention.nights (1) allows. They are kept until the run of 2026-06-12, which removes them; `muster prune --confirm` removes them now. If the limit is a mistake, raise it.',
  ]);
  expect(keptBy(all[10])).toEqual(slots(1, 11));
  expect(all.slice(5, 11).flatMap(said)).toEqual([]);
  expect(keptBy(all[11])).toEqual([slot(12)]);
  expect(said(all[11])).toEqual(['over: No run is older than retention.nights allows.']);
});

test('a limit that is raised again loses nothing', () => {
  const all = keeping(400, 400, 400, 1, 400);
  expect(keptBy(all[4])).toEqual(slots(1, 5));
  expect(all[4]?.state.heldBack).toBeUndefined();
  expect(said(all[4])).toEqual(['over: No run is older than retention.nights allows.']);
});

test('a limit that is lowered again has its own seven days, one that is raised a little has not', () => {
  const lower = keeping(400, 400, 400, 400, 2, 1);
  expect(lower[5]?.state.heldBack?.since).toBe(slot(6));
  expect(said(lower[5])).toEqual([expect.stringMatching(/^first: 5 runs/)]);
  const higher = keeping(400, 400, 400, 400, 1, 2);
  expect(higher[5]?.state.heldBack?.since).toBe(slot(5));
});

test('a person who confirms it has them removed at once', () => {
  const pruned: Partial<Facts> = { keptNights: 1, pruned: { by: 'ada', at: '2026-06-04T08:00:00Z' } };
  const all = nights({}, {}, {}, pruned);
  expect(keptBy(all[3])).toEqual([slot(4)]);
  expect(all[3]?.state.heldBack).toBeUndefined();
});

test('what an earlier attempt at the slot gave up is not kept by a later one', () => {
  const all = nights({}, {}, {}, { keptNights: 400, keptFrom: slot(3) });
  expect(keptBy(all[3])).toEqual(slots(3, 4));
});
