/** The events of sources, and of what belongs to no machine. */
import { describe, expect, it } from 'vitest';
import type { SourceFacts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import { judgeMacRuns, listEvents, makeMacsOf } from './mac-runs.ts';
import {
  judgeRuns,
  lenient,
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

describe('sources and the rest', () => {
  it('a first night is one baseline message with counts and the first names (G16) [S17]', () => {
    const many = Object.fromEntries(Array.from({ length: 31 }, (_, index) => [String(index), index < 30 ? no : yes]));
    const [first, second] = judgeMacRuns(many, many);
    expect(listEvents(first)).toEqual(['baseline baseline:macs notice']);
    expect(first?.events[0]).toMatchObject({ figures: { counted: 31, notInstalled: 30 } });
    expect(first?.events[0]?.first).toHaveLength(20);
    expect(listEvents(second)).toEqual([]);
  });
  it('a suspect night is one message with both numbers and the first names, and resolves nothing (G9) [D2]', () => {
    const many = (value: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [String(index), value]));
    const [, suspect] = judgeRuns(
      { sources: [makeMacsOf(many(yes, 50), 1)] },
      { sources: [makeMacsOf(many(no, 50), 2)] },
    );
    expect(listEvents(suspect)).toEqual(['source.suspect source:macs first']);
    expect(suspect?.events[0]?.first).toHaveLength(20);
    expect(suspect?.events[0]?.text).toContain('50 of 50');
  });
  it('coverage of a night that is not complete neither alarms nor reassures', () => {
    const strict = { ...lenient, minimumCoverage: 60 };
    const broken = {
      sources: [makeMacsOf({ 1: yes, 2: yes }, 2, { findings: [makeFinding('unknown')] })],
      policy: strict,
    };
    const [, night] = judgeRuns({ sources: [makeMacsOf({ 1: yes, 2: yes }, 1)], policy: strict }, broken);
    expect(listEvents(night)).toEqual(['source.untrusted source:macs first']);
  });
  it('coverage is judged on the low figure of a complete night, below and restored', () => {
    const strict = { ...lenient, minimumCoverage: 60 };
    const all = judgeRuns(
      { sources: [makeMacsOf({ 1: yes, 2: yes }, 1)], policy: strict },
      { sources: [makeMacsOf({ 1: yes, 2: null }, 2)], policy: strict },
      { sources: [makeIncomplete('macs')], policy: strict },
      { sources: [makeMacsOf({ 1: yes, 2: yes }, 4)], policy: strict },
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
      sources: [makeMacsOf({ 1: yes }, night, { instrument: { id: '6', fingerprint }, ...changes })],
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
        makeMacsOf({ 1: yes }, night, {
          findings: [{ ...makeFinding('pass'), check: 'policy', result, instrument: false }],
        }),
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
      sources: [makeMacsOf({ 1: value, 2: value, 9: yes }, night), makeSource('windows', [makePc('a')])],
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
    const past = { sources: [makeMacsOf({ 1: yes, 9: yes }, 1)], policy: lenient };
    const more = makeSource('windows', [makePc('a')]);
    const partial = { sources: [makeMacsOf({ 1: no, 9: yes }, 2), more, makeIncomplete('hosts')], policy: lenient };
    const [before, attempt] = judgeRuns(past, partial);
    const { openAlerts = [], noticed = [] } = attempt?.state ?? {};
    const sources = [makeMacsOf({ 1: no, 9: yes }, 2), more, makeSource('hosts', [makeMac('7')], { kind: 'jamf' })];
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

describe('a source in which nobody has the agent [M12]', () => {
  const key = 'deployment:macs/devices.none-installed';
  const lines = (night: Parameters<typeof listEvents>[0]) =>
    listEvents(night).filter((line) => line.startsWith('deployment.drift'));

  it('says so the first time, and after having had some', () => {
    const all = judgeMacRuns({ 1: no, 2: no }, { 1: no, 2: no }, { 1: yes, 2: no }, { 1: no, 2: no });
    expect(all.map(lines)).toEqual([
      [`deployment.drift ${key} first`],
      [],
      [`deployment.drift ${key} over`],
      [`deployment.drift ${key} first`],
    ]);
    const [event] = all[3]?.events.filter((one) => one.key === key) ?? [];
    expect(event?.text).toBe(
      'devices.none-installed: expected the agent on at least one device; found none on 2 counted devices.',
    );
    expect(all.every(({ sources }) => sources[0]?.soundness === 'complete')).toBe(true);
  });

  it.each<[string, SourceFacts]>([
    ['that is carried', makeIncomplete('macs')],
    ['of which the instrument is wrong', makeMacsOf({ 1: no }, 2, { findings: [makeFinding('fail')] })],
    ['of which a device was never read', makeMacsOf({ 1: no }, 2, { unread: [{ id: '9', operatingSystem: 'macos' }] })],
  ])('says nothing new about one %s', (_, source) => {
    for (const before of [yes, no]) {
      const [, night] = judgeMacRuns({ 1: before }, { sources: [source], policy: lenient });
      expect(lines(night)).toEqual([]);
    }
  });

  it('says nothing of one without a counted device', () => {
    const [night] = judgeMacRuns({
      sources: [makeSource('macs', [makeMac('1', no, { managementState: 'unmanaged' })])],
    });
    expect(lines(night)).toEqual([]);
  });
});
