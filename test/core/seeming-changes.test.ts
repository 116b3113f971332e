/** Machines that seem to be gone from a source that is not to be trusted, and that another source may still have. */
import { describe, expect, it } from 'vitest';
import {
  broken,
  judgeRuns,
  listChanges,
  makeIncomplete,
  makeMac,
  makeMacs,
  makeMoreMacs,
  makeRun,
} from './make-facts.ts';

describe('a machine that a source which is not to be trusted does not list', () => {
  const same = (id: string, days: number) =>
    makeMac(id, 'Installed', { serialNumber: 'C02SAME', reportedAt: `2026-05-${days}T05:00:00.000Z` });
  const both = makeRun(makeMacs([same('1', 31)]), makeMoreMacs([same('2', 20)]));

  it('seems to be removed, once every source that had a record of it has answered', () => {
    const [, night] = judgeRuns(both, makeRun(makeMacs([], broken), makeMoreMacs([])));
    expect(listChanges(night)).toEqual(['macs 1 removed']);
  });

  it('is said nothing of while another source that had a record of it does not answer', () => {
    const [, night] = judgeRuns(both, makeRun(makeMacs([], broken), makeIncomplete('macs-2')));
    expect(listChanges(night)).toEqual([]);
  });

  it('is removed once', () => {
    const [, first, second] = judgeRuns(
      makeRun(makeMacs([same('1', 31)])),
      makeRun(makeMacs([])),
      makeRun(makeMacs([], broken)),
    );
    expect([listChanges(first), listChanges(second)]).toEqual([['macs 1 removed'], []]);
  });
});
