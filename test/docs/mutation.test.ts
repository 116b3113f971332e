/** docs/mutation.md is made from what `npm run mutation` found; to write it anew: `npm run test:one test/docs/mutation.test.ts -- -u`. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { computeOverallScore, computeScore, readFigures } from '../mutation/figures.ts';
import { type Group, type GroupName, groups, listFiles, listTests, minimumOverallScore } from '../mutation/groups.ts';
import { renderMutationPage } from '../mutation/page.ts';
import { findReason, reasons } from '../mutation/reasons.ts';

const page = join(import.meta.dirname, '../../docs/mutation.md');
const names = Object.keys(groups) as GroupName[];
const minimumScore = (name: GroupName) => (groups[name] as Group).minimumScore;
const measured = names.filter((name) => minimumScore(name) !== undefined);
const figures = readFigures();

describe('docs/mutation.md', () => {
  it('has the figures of each group that has a score to keep, as the group is, and of no other', () => {
    expect(Object.keys(figures).sort()).toEqual([...measured].sort());
    for (const name of measured) {
      const { files, tests } = groups[name];
      expect(figures[name]).toMatchObject({ files, tests });
      expect(files.filter((pattern) => listFiles([pattern]).length === 0)).toEqual([]);
      expect(tests.filter((pattern) => listTests({ tests: [pattern] }).length === 0)).toEqual([]);
    }
  });

  it.each(measured)('the score of %s is what it must be', (name) => {
    const found = figures[name];
    expect(found?.survivors.length).toBe(found?.survived);
    expect(found === undefined ? 0 : computeScore(found)).toBeGreaterThanOrEqual(minimumScore(name) ?? 100);
  });

  it('the score of all is what it must be', () => {
    expect(computeOverallScore(Object.values(figures))).toBeGreaterThanOrEqual(minimumOverallScore);
  });

  it('has no reason for what is no survivor', () => {
    const survivors = Object.values(figures).flatMap((one) => one.survivors);
    const used = new Set(survivors.map((survivor) => findReason(survivor)));
    expect(reasons.filter((reason) => !used.has(reason))).toEqual([]);
  });

  it('is what the figures say', async () => {
    await expect(renderMutationPage()).toMatchFileSnapshot(page);
  });
});
