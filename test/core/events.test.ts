/** The events of runs: the decision table row by row, then each kind of event. */
import { describe, expect, it } from 'vitest';
import type { SourceFacts } from '../../src/core/facts/facts.ts';
import { judgeMacRuns, listEvents, makeMacsOf } from './mac-runs.ts';
import {
  at,
  judgeRuns,
  lenient,
  makeExemption,
  makeFinding,
  makeIncomplete,
  makeMac,
  makePc,
  makeSource,
  no,
  slot,
  yes,
} from './make-facts.ts';

const one = 'device:macos/C02FX1';

describe('the decision table', () => {
  it('a source that stays unsound: in full where it has another cause, since the same day, and else in one line', () => {
    const down = (received: number, message: string) => ({
      sources: [
        makeSource('macs', [], {
          reading: 'incomplete',
          problem: { code: 'sign-in-refused', message },
          receipt: { ...makeSource('macs', []).receipt, claimed: 9, received },
        }),
      ],
    });
    const all = judgeRuns(
      { sources: [makeMacsOf({ 1: yes }, 1)] },
      down(1, 'Signing in ended with HTTP 401. Check the secret, 12 days old.'),
      down(2, 'Signing in ended with HTTP 401. Check the secret, 13 days old.'),
      down(1, 'Signing in ended with HTTP 403. Check the secret, 14 days old.'),
      down(1, 'Signing in ended with HTTP 403. Check the role.'),
      down(2, 'Signing in ended with HTTP 403. Check the role.'),
      { sources: [makeMacsOf({ 1: yes }, 7, { findings: [makeFinding('fail')] })] },
    );
    const lines = all.slice(1).map(({ events }) => events.map(({ phase, text, since }) => [phase, text, since]));
    expect(lines).toEqual([
      [['first', 'Signing in ended with HTTP 401. Check the secret, 12 days old.', slot(2)]],
      [['again', 'still no complete answer from macs, 2nd day, HTTP 401', slot(2)]],
      [['first', 'Signing in ended with HTTP 403. Check the secret, 14 days old.', slot(2)]],
      [['first', 'Signing in ended with HTTP 403. Check the role.', slot(2)]],
      [['again', 'still no complete answer from macs, 5th day, HTTP 403', slot(2)]],
      [['first', expect.stringContaining('attribute'), slot(2)]],
    ]);
    const [, , again] = all;
    expect(again?.events[0]?.figures).toEqual({ claimed: 9, received: 2 });
  });
});

describe('devices', () => {
  it('without the agent for long: overdue after the days that the policy allows, then weekly [D7]', () => {
    const all = judgeMacRuns({ 1: yes, 9: yes }, ...Array.from({ length: 30 }, () => ({ 1: no, 9: yes })));
    const lines = all.flatMap((night, index) => night.events.map(({ kind, phase }) => `${index + 1} ${kind} ${phase}`));
    expect(lines.slice(1)).toEqual([
      '2 device.lost first',
      '16 device.overdue first',
      '23 device.overdue again',
      '30 device.overdue again',
    ]);
  });
  it('new without the agent: reported when its grace ends, and never before [D6]', () => {
    const fresh = (night: number) =>
      makeSource('macs', [makeMac('9'), makeMac('1', no, { enrolledAt: at(2, -1), reportedAt: at(night, -0.1) })]);
    const all = judgeRuns(
      { sources: [makeSource('macs', [makeMac('9')])] },
      ...[2, 3, 4, 5].map((night) => ({ sources: [fresh(night)] })),
    );
    expect(all.map(({ events }) => events.length)).toEqual([1, 0, 0, 1, 0]);
    expect(listEvents(all[3])).toEqual([`device.new-not-installed ${one} first`]);
  });
  it('lost within its grace: reported as lost when the grace is over', () => {
    const at2 = (night: number, value: string) =>
      makeSource('macs', [makeMac('9'), makeMac('1', value, { enrolledAt: at(1, -1), reportedAt: at(night, -0.1) })]);
    const all = judgeRuns(...[yes, no, no, no].map((value, index) => ({ sources: [at2(index + 1, value)] })));
    expect(all.slice(1).map(listEvents)).toEqual([[], [`device.lost ${one} first`], []]);
    const text = `enrolled ${at(1, -1).slice(0, 10)}; its 72 hours of grace are over`;
    expect(all[2]?.events[0]).toMatchObject({ text });
  });
  it.each(['retiring', 'exempt', 'removed'])(
    '%s while Not Installed: removed from scope, which is no recovery [D4]',
    (why) => {
      const before = {
        sources: [makeSource('macs', [makeMac('9')]), makeSource('windows', [makePc('a'), makePc('b')])],
      };
      const lost = {
        sources: [makeSource('macs', [makeMac('9')]), makeSource('windows', [makePc('a'), makePc('b', '3')])],
      };
      const gone = {
        retiring: {
          sources: [
            makeSource('macs', [makeMac('9')]),
            makeSource('windows', [makePc('a'), makePc('b', '3', { managementState: 'wipePending' })]),
          ],
        },
        exempt: { ...lost, exemptions: [makeExemption('device_id', 'b')] },
        removed: { sources: [makeSource('macs', [makeMac('9')]), makeSource('windows', [makePc('a')])] },
      }[why];
      const [, , third, fourth] = judgeRuns(before, lost, gone ?? {}, gone ?? {});
      expect(listEvents(third)).toEqual(['count.left device:windows/PF0XB over']);
      expect(third?.events[0]?.device).toMatchObject({ id: 'b', name: 'pc-b', serialNumber: 'PF0Xb', reason: why });
      expect(listEvents(fourth)).toEqual([]);
    },
  );
  it('back under a new id with the same serial number: the same matter, lost once and recovered once', () => {
    const record = (id: string, value: string) => ({
      sources: [makeSource('macs', [makeMac(id, value, { serialNumber: 'C02XY' }), makeMac('9')])],
    });
    const all = judgeRuns(record('1', yes), record('1', no), record('2', no), record('2', yes));
    const key = 'device:macos/C02XY';
    expect(all.slice(1).map(listEvents)).toEqual([[`device.lost ${key} first`], [], [`device.recovered ${key} over`]]);
  });
  it('that changes more than three times in seven nights is one event, until it is calm [D5]', () => {
    const values = [yes, no, yes, no, yes, no, yes, yes, yes, yes, yes, yes];
    const all = judgeMacRuns(...values.map((value) => ({ 1: value, 2: yes })));
    expect(all.slice(1).map(listEvents)).toEqual([
      [`device.lost ${one} first`],
      [`device.recovered ${one} over`],
      [`device.lost ${one} first`],
      [`device.flapping ${one} first`],
      [],
      [],
      [],
      [],
      [],
      [`device.recovered ${one} over`],
      [],
    ]);
  });
  it('moved to a source that does not answer well: its alert waits for it', () => {
    const serial = { serialNumber: 'C02XY' };
    const old = (value: string | undefined) =>
      makeSource('macs', [makeMac('9'), ...(value ? [makeMac('1', value, serial)] : [])]);
    const other = (ids: string[], changes: Partial<SourceFacts> = {}) =>
      makeSource(
        'macs-2',
        ids.map((id) => makeMac(id, no, id === '7' ? serial : {})),
        changes,
      );
    const all = judgeRuns(
      { sources: [old(yes), other(['8'])], policy: lenient },
      { sources: [old(no), other(['8'])], policy: lenient },
      { sources: [old(undefined), other(['7', '8'], { findings: [makeFinding('fail')] })], policy: lenient },
      { sources: [old(undefined), other(['7', '8'])], policy: lenient },
    );
    expect(listEvents(all[2])).toEqual(['source.untrusted source:macs-2 first']);
    expect(listEvents(all[3])).toEqual(['source.sound-again source:macs-2 over']);
    expect(all.slice(1).map(({ state }) => state.openAlerts?.some(({ key }) => key === 'device:macos/C02XY'))).toEqual([
      true,
      true,
      true,
    ]);
  });
  it('lost while nobody could tell: reported in the first sound run', () => {
    const all = judgeMacRuns(
      { 1: yes, 9: yes },
      { sources: [makeMacsOf({ 1: no, 9: yes }, 2, { findings: [makeFinding('fail')] })] },
      { sources: [{ ...makeIncomplete('macs'), findings: [makeFinding('unknown')] }] },
      { 1: no, 9: yes },
      { 1: no, 9: yes },
    );
    expect(listEvents(all[3])).toEqual(['source.sound-again source:macs over']);
    // Measured before the repair: reported when it is measured again.
    expect(listEvents(all[4])).toEqual([`device.lost ${one} first`]);
  });
});
