/** The events of runs: the decision table row by row, then each kind of event. */
import { describe, expect, it } from 'vitest';
import type { Facts, SourceFacts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
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

/** One source of Macs; each night lists its devices by value, or is what it is. */
function life(...all: readonly (Record<string, string | null> | Partial<Facts>)[]): Night[] {
  return judgeRuns(
    ...all.map((one, index) => {
      if ('sources' in one || 'policy' in one || 'exemptions' in one) {
        return one as Partial<Facts>;
      }
      return { sources: [macs(one as Record<string, string | null>, index + 1)], policy: lenient };
    }),
  );
}

function macs(values: Record<string, string | null>, night: number, changes: Partial<SourceFacts> = {}): SourceFacts {
  const devices = Object.entries(values).map(([id, value]) => makeMac(id, value, { reportedAt: at(night, -0.1) }));
  return makeSource('macs', devices, changes);
}

function listEvents(night: Night | undefined): string[] {
  return (night?.events ?? []).map(({ kind, key, phase }) => `${kind} ${key} ${phase}`);
}

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
      { sources: [macs({ 1: yes }, 1)] },
      down(1, 'Signing in ended with HTTP 401. Check the secret, 12 days old.'),
      down(2, 'Signing in ended with HTTP 401. Check the secret, 13 days old.'),
      down(1, 'Signing in ended with HTTP 403. Check the secret, 14 days old.'),
      down(1, 'Signing in ended with HTTP 403. Check the role.'),
      down(2, 'Signing in ended with HTTP 403. Check the role.'),
      { sources: [macs({ 1: yes }, 7, { findings: [makeFinding('fail')] })] },
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
    const all = life({ 1: yes }, ...Array.from({ length: 30 }, () => ({ 1: no })));
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
      makeSource('macs', [makeMac('1', value, { enrolledAt: at(1, -1), reportedAt: at(night, -0.1) })]);
    const all = judgeRuns(...[yes, no, no, no].map((value, index) => ({ sources: [at2(index + 1, value)] })));
    expect(all.slice(1).map(listEvents)).toEqual([[], [`device.lost ${one} first`], []]);
    const text = `enrolled ${at(1, -1).slice(0, 10)}, and reported now that its 72 hours are over`;
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
    const all = life(...values.map((value) => ({ 1: value, 2: yes })));
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
    const all = life(
      { 1: yes },
      { sources: [macs({ 1: no }, 2, { findings: [makeFinding('fail')] })] },
      { sources: [{ ...makeIncomplete('macs'), findings: [makeFinding('unknown')] }] },
      { 1: no },
      { 1: no },
    );
    expect(listEvents(all[3])).toEqual(['source.sound-again source:macs over']);
    // Measured before the repair: reported when it is measured again.
    expect(listEvents(all[4])).toEqual([`device.lost ${one} first`]);
  });
});

describe('sources and the rest', () => {
  it('a first night is one baseline message with counts and the first names (G16) [S17]', () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [String(index), no]));
    const [first, second] = life(many, many);
    expect(listEvents(first)).toEqual(['baseline baseline:macs notice']);
    expect(first?.events[0]).toMatchObject({ figures: { counted: 30, notInstalled: 30 } });
    expect(first?.events[0]?.first).toHaveLength(20);
    expect(listEvents(second)).toEqual([]);
  });
  it('a suspect night is one message with both numbers and the first names, and resolves nothing (G9) [D2]', () => {
    const many = (value: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [String(index), value]));
    const [, suspect] = judgeRuns({ sources: [macs(many(yes, 50), 1)] }, { sources: [macs(many(no, 50), 2)] });
    expect(listEvents(suspect)).toEqual(['source.suspect source:macs first']);
    expect(suspect?.events[0]?.first).toHaveLength(20);
    expect(suspect?.events[0]?.text).toContain('50 of 50');
  });
  it('coverage of a night that is not complete neither alarms nor reassures', () => {
    const strict = { ...lenient, minimumCoverage: 60 };
    const broken = { sources: [macs({ 1: yes, 2: yes }, 2, { findings: [makeFinding('unknown')] })], policy: strict };
    const [, night] = judgeRuns({ sources: [macs({ 1: yes, 2: yes }, 1)], policy: strict }, broken);
    expect(listEvents(night)).toEqual(['source.untrusted source:macs first']);
  });
  it('coverage is judged on the low figure of a complete night, below and restored', () => {
    const strict = { ...lenient, minimumCoverage: 60 };
    const all = judgeRuns(
      { sources: [macs({ 1: yes, 2: yes }, 1)], policy: strict },
      { sources: [macs({ 1: yes, 2: null }, 2)], policy: strict },
      { sources: [makeIncomplete('macs')], policy: strict },
      { sources: [macs({ 1: yes, 2: yes }, 4)], policy: strict },
    );
    const of = (night: Night | undefined) => listEvents(night).filter((line) => line.startsWith('coverage'));
    expect(all.map(of)).toEqual([[], ['coverage.below coverage first'], [], ['coverage.restored coverage over']]);
    expect(all[1]?.events.find(({ kind }) => kind === 'coverage.below')?.figures).toMatchObject({
      low: 50,
      minimum: 60,
    });
  });
  it('a changed instrument is reported once for each change [D11]', () => {
    const like = (night: number, fingerprint: string, changes: Partial<SourceFacts> = {}) => ({
      sources: [macs({ 1: yes }, night, { instrument: { id: '6', fingerprint }, ...changes })],
    });
    const broken = { findings: [makeFinding('fail')] };
    const all = judgeRuns(
      like(1, 'a'),
      like(2, 'b', broken),
      like(3, 'b', broken),
      like(4, 'c', broken),
      like(5, 'c'),
      like(6, 'c'),
    );
    const notices = ({ events }: Night) =>
      events.flatMap(({ kind, phase, text }) => (kind === 'measurement.changed' ? `${phase} ${text}` : []));
    const changed = [`notice Its detection method is not the one of ${slot(1)}. See its checks.`];
    expect(all.map(notices)).toEqual([[], changed, [], changed, [], []]);
    const undone = judgeRuns(like(1, 'a'), like(2, 'b', broken), like(3, 'a'));
    expect(undone.map((night) => notices(night).length)).toEqual([0, 1, 0]);
    expect(all.concat(undone).flatMap(({ state }) => state.openAlerts?.map(({ key }) => key) ?? [])).not.toContain(
      'measurement:macs',
    );
  });
  it('drift begins with fail and ends with pass; what could not be read does neither', () => {
    const check = (night: number, result: 'pass' | 'fail' | 'unknown') => ({
      sources: [
        macs({ 1: yes }, night, { findings: [{ ...makeFinding('pass'), check: 'policy', result, instrument: false }] }),
      ],
    });
    const all = judgeRuns(
      check(1, 'pass'),
      check(2, 'unknown'),
      check(3, 'fail'),
      check(4, 'unknown'),
      check(5, 'pass'),
    );
    const drifts = (night: Night) => listEvents(night).filter((line) => line.startsWith('deployment'));
    expect(all.slice(1).map(drifts)).toEqual([
      [],
      ['deployment.drift deployment:macs/policy first'],
      [],
      ['deployment.drift deployment:macs/policy over'],
    ]);
  });
  it('a source taken out of the settings is one notice, and the alerts about its devices leave the count', () => {
    const both = (night: number, value: string) => ({
      sources: [macs({ 1: value, 2: value }, night), makeSource('windows', [makePc('a')])],
      policy: lenient,
    });
    const all = judgeRuns(
      both(1, yes),
      both(2, no),
      { sources: [makeSource('windows', [makePc('a')])] },
      { sources: [makeSource('windows', [makePc('a')])] },
    );
    expect(all.slice(2).map(listEvents)).toEqual([
      ['source.left left:macs notice', 'count.left device:macos/C02FX1 over', 'count.left device:macos/C02FX2 over'],
      [],
    ]);
    const texts = all[2]?.events.map(({ text }) => text);
    expect(texts).toEqual([
      'It was removed from the settings.',
      ...['1', '2'].map(() => 'Its source macs was removed from the settings.'),
    ]);
    expect(all[3]?.state.openAlerts).toEqual([]);
  });

  it('judged again after an earlier attempt, a slot repeats no event, and can end what that opened', () => {
    const past = { sources: [macs({ 1: yes }, 1)], policy: lenient };
    const more = makeSource('windows', [makePc('a')]);
    const partial = { sources: [macs({ 1: no }, 2), more, makeIncomplete('hosts')], policy: lenient };
    const [before, attempt] = judgeRuns(past, partial);
    const { openAlerts = [], noticed = [] } = attempt?.state ?? {};
    const sources = [macs({ 1: no }, 2), more, makeSource('hosts', [makeMac('7')], { kind: 'jamf' })];
    const healed = judgeRuns(past, { ...partial, sources, openAlerts, noticed });
    expect(listEvents(before)).toEqual(['baseline baseline:macs notice']);
    expect(attempt && listEvents(attempt)).toEqual([
      'baseline baseline:windows notice',
      'source.missing source:hosts first',
      `device.lost ${one} first`,
    ]);
    expect(listEvents(healed[1])).toEqual(['baseline baseline:hosts notice', 'source.sound-again source:hosts over']);
    expect(healed[1]?.state.noticed).toEqual(['baseline:windows', 'baseline:hosts']);
    // Alerts of the attempt keep the number of the commit that opened them.
    expect(healed[1]?.state.openAlerts).toMatchObject([{ key: one, opened: 2 }]);
  });
});
