/** Starts that EventBridge Scheduler leaves out, since clocks skip their time: a healing start makes the run, or none is deployed. */
import { describe, expect, it } from 'vitest';
import { planSkippedStarts } from '../../infra/plan/skipped-starts.ts';

const now = new Date('2026-11-28T12:00:00Z');
const plan = (cron: string, timezone: string, healAfterHours: readonly number[]) =>
  planSkippedStarts({ cron, timezone, healAfterHours }, now);

describe('a start that the scheduler leaves out', () => {
  it.each([
    ['30 1 * * *', 'Europe/London', [2, 5], 'skip 01:30 on 2027-03-28', 'the retry at 03:30 on 2027-03-28 makes'],
    ['30 23 * * *', 'America/Nuuk', [2], 'skip 23:30 on 2027-03-27', 'the retry at 01:30 on 2027-03-28 makes'],
    // The first healing falls into the same gap of two hours.
    ['30 1 * * *', 'Antarctica/Troll', [1, 2], 'skip 01:30 on 2027-03-28', 'the retry at 03:30 on 2027-03-28'],
  ])('%s in %s is run by a healing start, and said with its date [C13]', (cron, timezone, hours, date, run) => {
    const { notes, problems } = plan(cron, timezone, hours);
    expect(problems).toEqual([]);
    expect(notes).toEqual([expect.stringContaining(date)]);
    expect(notes[0]).toContain(run);
    expect(notes[0]).not.toContain('no-published-run');
  });

  it('rings the alarm for missing runs where the healing is late [C13]', () => {
    expect(plan('30 2 * * *', 'Europe/Berlin', [3]).notes[0]).toContain('no-published-run');
  });

  it.each([
    ['30 2 * * *', 'Europe/Berlin', []],
    ['30 1 * * *', 'Antarctica/Troll', [1]],
  ])('%s in %s is refused where no healing start %j follows [C13]', (cron, timezone, hours) => {
    const { notes, problems } = plan(cron, timezone, hours);
    expect(notes).toEqual([]);
    expect(problems).toEqual([expect.stringMatching(/skip 0.:30 on 2027-03-28.*schedule\.cron/)]);
  });

  it('of the weekly verification is said too', () => {
    const { notes, problems } = plan('30 18 * * *', 'Europe/Berlin', [2]);
    expect(problems).toEqual([]);
    expect(notes).toEqual([expect.stringMatching(/skip 02:30 on 2027-03-28.*verify-missed/)]);
  });

  it.each([
    ['15 5 * * *', 'Europe/London'],
    ['30 1 * * *', 'UTC'],
    ['30 2 * * 1-5', 'Europe/Berlin'],
  ])('%s in %s has none', (cron, timezone) => {
    expect(plan(cron, timezone, [])).toEqual({ notes: [], problems: [] });
  });
});
