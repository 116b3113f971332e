/** For how long entries are kept whose machines are gone, or whose sources left the settings. */
import { describe, expect, it } from 'vitest';
import type { DeviceFacts } from '../../src/core/facts/facts.ts';
import { type Entry, keptGoneDays, mostGoneEntries } from '../../src/core/facts/ledger.ts';
import { moveLedgerOn } from '../../src/core/ledger/ledger.ts';
import { toSourceKey } from '../../src/core/record/references.ts';
import { addDays } from '../../src/core/time/calendar.ts';
import { type JudgedFacts, judgeAfter } from '../judge-after.ts';
import { lenient, makeFacts, makeMac, makeSource, slot } from './make-facts.ts';
import { entry, findEntry, listNames, record } from './records.ts';

describe('entries are kept', () => {
  const stood = record('macs', makeMac('1'));
  const left = record('macs-2', makeMac('1'));
  const gone = { isGone: true } as const;
  const soundness = new Map([[toSourceKey({ source: 'macs', kind: 'jamf' }), 'untrusted' as const]]);
  const run = { slot: slot(500), soundness, first: new Set<string>(), records: new Map() };
  const keep = (entries: readonly Entry[]) => {
    const unmatched = entries.map((one) => ({ entry: one, takenBy: undefined }));
    return moveLedgerOn([], unmatched, [], run).ledger.map(({ name }) => name);
  };

  it.each<[string, number, boolean, Entry]>([
    ['for 400 days where they are gone', keptGoneDays, true, entry('e', stood, gone)],
    ['not longer where they are gone', keptGoneDays + 1, false, entry('e', stood, gone)],
    ['for 400 days where their source left the settings', keptGoneDays, true, entry('e', left)],
    ['not longer where their source left the settings', keptGoneDays + 1, false, entry('e', left)],
    ['for as long as their source is not whole', 3000, true, entry('e', stood)],
  ])('%s: %i', (_, days, isKept, known) => {
    expect(keep([{ ...known, listedOn: addDays(run.slot, -days) }])).toEqual(isKept ? ['e'] : []);
  });

  it('through runs: a machine that comes back in time goes on, and later it is new', () => {
    const name = 'macos/C02FX1';
    const judge = (night: number, devices: readonly DeviceFacts[], before?: JudgedFacts) =>
      judgeAfter(
        makeFacts(night, { sources: [makeSource('macs', [...devices, makeMac('9')])], policy: lenient }),
        before,
      );
    const away = judge(2, [], judge(1, [makeMac('1')]));
    expect(listNames(away.night)).toEqual([`${name} -`, 'macos/C02FX9']);
    const [inTime, late] = [401, 402].map((night) => judge(night, [], away));
    expect(listNames(inTime?.night)).toEqual([`${name} -`, 'macos/C02FX9']);
    expect(listNames(late?.night)).toEqual(['macos/C02FX9']);
    const back = [inTime, late].map((before) => judge(403, [makeMac('1')], before).night);
    expect(back.map((night) => findEntry(night, name)?.history.length)).toEqual([3, 1]);
  });

  it('and are gone once', () => {
    const unmatched = [{ entry: entry('e', stood, { ...gone, listedOn: slot(499) }), takenBy: undefined }];
    const whole = new Map([...soundness.keys()].map((key) => [key, 'complete' as const]));
    const moved = moveLedgerOn([], unmatched, [], { ...run, soundness: whole });
    expect(moved.gone).toEqual([]);
    expect(moved.ledger).toEqual([unmatched[0]?.entry]);
  });

  it('in part where there are more than a ledger can hold: those that were listed last, then by name', () => {
    expect(mostGoneEntries).toBe(250_000);
    const [known, last] = [entry('e', stood, gone), entry('a', stood, { ...gone, listedOn: slot(100) })];
    const listed = { ...known, listedOn: slot(101) };
    const many = Array.from({ length: mostGoneEntries - 2 }, (_, index) => ({ ...listed, name: `f${index}` }));
    // One that is not gone, and whose source is in the settings, is kept and does not count.
    const awaited = entry('0', stood, { listedOn: slot(100) });
    const all = [last, ...many, { ...listed, name: 'z', listedOn: slot(102) }, { ...listed, name: 'g' }, awaited];
    const kept = keep([...all, { ...listed, name: 'e' }]);
    expect(kept).toHaveLength(mostGoneEntries + 1);
    expect(['e', 'z', 'g', 'a', '0'].filter((name) => !kept.includes(name))).toEqual(['g', 'a']);
    expect(keep(all.slice(1))).toHaveLength(mostGoneEntries + 1);
  });
});
