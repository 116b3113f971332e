/** What a night tells, and what it keeps to itself: the decision table row by row, then each kind of event. */
import { describe, expect, it } from 'vitest';
import type { AlertEvent } from '../../src/core/facts/alert-event.ts';
import type { Facts, SourceFacts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import { at, exemption, incomplete, instrument, lenient, mac, nights, no, pc, slot, source, yes } from './world.ts';

/** One source of Macs; each night lists its devices by value, or is what it is. */
function life(...all: readonly (Record<string, string | null> | Partial<Facts>)[]): Night[] {
  return nights(
    ...all.map((one, index) => {
      if ('sources' in one || 'policy' in one || 'exemptions' in one) {
        return one as Partial<Facts>;
      }
      return { sources: [macs(one as Record<string, string | null>, index + 1)], policy: lenient };
    }),
  );
}

function macs(values: Record<string, string | null>, night: number, changes: Partial<SourceFacts> = {}): SourceFacts {
  const devices = Object.entries(values).map(([id, value]) => mac(id, value, { reportedAt: at(night, -0.1) }));
  return source('macs', devices, changes);
}

/** What people are told. */
function said(night: Night | undefined): string[] {
  return told(night).map(({ kind, key, phase }) => `${kind} ${key} ${phase}`);
}

function told(night: Night | undefined): AlertEvent[] {
  return (night?.events ?? []).filter(({ isBookkeeping }) => !isBookkeeping);
}

/** What programs are told besides, to keep their keys right. */
function bookkeeping(night: Night | undefined): string[] {
  const events = (night?.events ?? []).filter(({ isBookkeeping }) => isBookkeeping);
  return events.map(({ kind, key, phase }) => `${kind} ${key} ${phase}`);
}

const one = 'device:macos/C02FX1';

describe('the decision table', () => {
  it('told, and another cause or other numbers: in full at once, since the same day', () => {
    const down = (received: number, message: string) => ({
      sources: [
        source('macs', [], {
          reading: 'incomplete',
          problem: { code: 'sign-in-refused', message },
          receipt: { ...source('macs', []).receipt, claimed: 9, received },
        }),
      ],
    });
    const all = nights(
      { sources: [macs({ 1: yes }, 1)] },
      down(1, 'Signing in ended with HTTP 401. Check the secret.'),
      down(1, 'Signing in ended with HTTP 401. Check the secret.'),
      down(1, 'Signing in ended with HTTP 403. Check the role.'),
      down(2, 'Signing in ended with HTTP 403. Check the role.'),
    );
    expect(all.slice(1).map((night) => told(night).map(({ phase, text, since }) => [phase, text, since]))).toEqual([
      [['first', 'Signing in ended with HTTP 401. Check the secret.', slot(2)]],
      [['again', 'still no complete answer from macs, 2nd day, HTTP 401', slot(2)]],
      [['first', 'Signing in ended with HTTP 403. Check the role.', slot(2)]],
      [['first', 'Signing in ended with HTTP 403. Check the role.', slot(2)]],
    ]);
  });
});

describe('devices', () => {
  it('without the agent for long: overdue after the days that the policy allows, then weekly [D7]', () => {
    const all = life({ 1: yes }, ...Array.from({ length: 30 }, () => ({ 1: no })));
    const lines = all.flatMap((night, index) => told(night).map(({ kind, phase }) => `${index + 1} ${kind} ${phase}`));
    expect(lines.slice(1)).toEqual([
      '2 device.lost first',
      '16 device.overdue first',
      '23 device.overdue again',
      '30 device.overdue again',
    ]);
  });
  it('new without the agent: reported when its grace ends, and never before [D6]', () => {
    const fresh = (night: number) =>
      source('macs', [mac('9'), mac('1', no, { enrolledAt: at(2, -1), reportedAt: at(night, -0.1) })]);
    const all = nights(
      { sources: [source('macs', [mac('9')])] },
      ...[2, 3, 4, 5].map((night) => ({ sources: [fresh(night)] })),
    );
    expect(all.map((night) => told(night).length)).toEqual([1, 0, 0, 1, 0]);
    expect(said(all[3])).toEqual([`device.new-not-installed ${one} first`]);
  });
  it('lost within its grace: told as lost when the grace is over', () => {
    const at2 = (night: number, value: string) =>
      source('macs', [mac('1', value, { enrolledAt: at(1, -1), reportedAt: at(night, -0.1) })]);
    const all = nights(...[yes, no, no, no].map((value, index) => ({ sources: [at2(index + 1, value)] })));
    expect(all.slice(1).map(said)).toEqual([[], [`device.lost ${one} first`], []]);
    const text = `enrolled ${at(1, -1).slice(0, 10)}, and reported now that its 72 hours are over`;
    expect(all[2]?.events[0]).toMatchObject({ text });
  });
  it.each(['retiring', 'exempt', 'removed'])(
    '%s while Not Installed: removed from scope, which is no recovery [D4]',
    (why) => {
      const before = { sources: [source('macs', [mac('9')]), source('windows', [pc('a'), pc('b')])] };
      const lost = { sources: [source('macs', [mac('9')]), source('windows', [pc('a'), pc('b', '3')])] };
      const gone = {
        retiring: {
          sources: [
            source('macs', [mac('9')]),
            source('windows', [pc('a'), pc('b', '3', { managementState: 'wipePending' })]),
          ],
        },
        exempt: { ...lost, exemptions: [exemption('device_id', 'b')] },
        removed: { sources: [source('macs', [mac('9')]), source('windows', [pc('a')])] },
      }[why];
      const [, , third, fourth] = nights(before, lost, gone ?? {}, gone ?? {});
      expect(said(third)).toEqual(['count.left device:windows/PF0XB over']);
      expect(third?.events[0]?.device).toMatchObject({ id: 'b', name: 'pc-b', serialNumber: 'PF0Xb', reason: why });
      expect(said(fourth)).toEqual([]);
    },
  );
  it('back under a new id with the same serial number: the same matter, told once and recovered once', () => {
    const record = (id: string, value: string) => ({
      sources: [source('macs', [mac(id, value, { serialNumber: 'C02XY' }), mac('9')])],
    });
    const all = nights(record('1', yes), record('1', no), record('2', no), record('2', yes));
    const key = 'device:macos/C02XY';
    expect(all.slice(1).map(said)).toEqual([[`device.lost ${key} first`], [], [`device.recovered ${key} over`]]);
    expect(bookkeeping(all[2])).toEqual([]);
  });
  it('that changes more than three times in seven nights is one event, until it is calm [D5]', () => {
    const values = [yes, no, yes, no, yes, no, yes, yes, yes, yes, yes, yes];
    const all = life(...values.map((value) => ({ 1: value, 2: yes })));
    expect(all.slice(1).map(said)).toEqual([
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
  it('moved to a source that does not answer well: what was told waits for it', () => {
    const serial = { serialNumber: 'C02XY' };
    const old = (value: string | undefined) => source('macs', [mac('9'), ...(value ? [mac('1', value, serial)] : [])]);
    const other = (ids: string[], changes: Partial<SourceFacts> = {}) =>
      source(
        'macs-2',
        ids.map((id) => mac(id, no, id === '7' ? serial : {})),
        changes,
      );
    const all = nights(
      { sources: [old(yes), other(['8'])], policy: lenient },
      { sources: [old(no), other(['8'])], policy: lenient },
      { sources: [old(undefined), other(['7', '8'], { findings: [instrument('fail')] })], policy: lenient },
      { sources: [old(undefined), other(['7', '8'])], policy: lenient },
    );
    expect(said(all[2])).toEqual(['source.untrusted source:macs-2 first']);
    expect(said(all[3])).toEqual(['source.sound-again source:macs-2 over']);
    expect(all.slice(1).map(({ state }) => state.openAlerts?.some(({ key }) => key === 'device:macos/C02XY'))).toEqual([
      true,
      true,
      true,
    ]);
  });
  it('lost while nobody could tell: told on the first sound night', () => {
    const all = life(
      { 1: yes },
      { sources: [macs({ 1: no }, 2, { findings: [instrument('fail')] })] },
      { sources: [{ ...incomplete('macs'), findings: [instrument('unknown')] }] },
      { 1: no },
      { 1: no },
    );
    expect(said(all[3])).toEqual(['source.sound-again source:macs over']);
    // Measured before the repair: told when it is measured again.
    expect(said(all[4])).toEqual([`device.lost ${one} first`]);
  });
});

describe('sources and the rest', () => {
  it('a first night is one baseline message with counts and the first names (G16) [S17]', () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [String(index), no]));
    const [first, second] = life(many, many);
    expect(said(first)).toEqual(['baseline baseline:macs first']);
    expect(first?.events[0]).toMatchObject({ figures: { counted: 30, notInstalled: 30 } });
    expect(first?.events[0]?.first).toHaveLength(20);
    expect(said(second)).toEqual([]);
  });
  it('a suspect night is one message with both numbers and the first names, and resolves nothing (G9) [D2]', () => {
    const many = (value: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [String(index), value]));
    const [, suspect] = nights({ sources: [macs(many(yes, 50), 1)] }, { sources: [macs(many(no, 50), 2)] });
    expect(said(suspect)).toEqual(['source.suspect source:macs first']);
    expect(suspect?.events[0]?.first).toHaveLength(20);
    expect(suspect?.events[0]?.text).toContain('50 of 50');
  });
  it('coverage of a night that is not complete neither alarms nor reassures', () => {
    const strict = { ...lenient, minimumCoverage: 60 };
    const broken = { sources: [macs({ 1: yes, 2: yes }, 2, { findings: [instrument('unknown')] })], policy: strict };
    const [, night] = nights({ sources: [macs({ 1: yes, 2: yes }, 1)], policy: strict }, broken);
    expect(said(night)).toEqual(['source.untrusted source:macs first']);
  });
  it('coverage is judged on the low figure of a complete night, told below and told restored', () => {
    const strict = { ...lenient, minimumCoverage: 60 };
    const all = nights(
      { sources: [macs({ 1: yes, 2: yes }, 1)], policy: strict },
      { sources: [macs({ 1: yes, 2: null }, 2)], policy: strict },
      { sources: [incomplete('macs')], policy: strict },
      { sources: [macs({ 1: yes, 2: yes }, 4)], policy: strict },
    );
    const of = (night: Night | undefined) => said(night).filter((line) => line.startsWith('coverage'));
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
    const broken = { findings: [instrument('fail')] };
    const all = nights(
      like(1, 'a'),
      like(2, 'b', broken),
      like(3, 'b', broken),
      like(4, 'c', broken),
      like(5, 'c'),
      like(6, 'c'),
    );
    const of = (night: Night) => said(night).filter((line) => line.startsWith('measurement')).length;
    expect(all.map(of)).toEqual([0, 1, 0, 1, 0, 0]);
    expect(bookkeeping(all[5])).toEqual(['measurement.changed measurement:macs over']);
    expect(all[5]?.events.at(-1)?.text).toBe('It is part of the baseline now.');
    const changed = all[1]?.events.find(({ kind }) => kind === 'measurement.changed');
    expect(changed?.text).toBe(`Its detection method is not the one of ${slot(1)}. See its checks.`);
    const undone = nights(like(1, 'a'), like(2, 'b', broken), like(3, 'a'));
    expect(said(undone[2])).toContain('measurement.changed measurement:macs over');
  });
  it('drift begins with fail and ends with pass; what could not be read does neither', () => {
    const check = (night: number, result: 'pass' | 'fail' | 'unknown') => ({
      sources: [
        macs({ 1: yes }, night, { findings: [{ ...instrument('pass'), check: 'policy', result, instrument: false }] }),
      ],
    });
    const all = nights(check(1, 'pass'), check(2, 'unknown'), check(3, 'fail'), check(4, 'unknown'), check(5, 'pass'));
    const drifts = (night: Night) => said(night).filter((line) => line.startsWith('deployment'));
    expect(all.slice(1).map(drifts)).toEqual([
      [],
      ['deployment.drift deployment:macs/policy first'],
      [],
      ['deployment.drift deployment:macs/policy over'],
    ]);
  });
  it('a source taken out of the settings is one message, and what was told of it is not removed device by device', () => {
    const both = (night: number, value: string) => ({
      sources: [macs({ 1: value, 2: value }, night), source('windows', [pc('a')])],
      policy: lenient,
    });
    const all = nights(
      both(1, yes),
      both(2, no),
      { sources: [source('windows', [pc('a')])] },
      { sources: [source('windows', [pc('a')])] },
    );
    expect(all.slice(2).map(said)).toEqual([['source.left left:macs first'], []]);
    expect(bookkeeping(all[2])).toEqual([
      'device.lost device:macos/C02FX1 over',
      'device.lost device:macos/C02FX2 over',
    ]);
    expect(bookkeeping(all[3])).toEqual(['source.left left:macs over']);
    const texts = all.slice(2).map(({ events }) => events.find(({ key }) => key === 'left:macs')?.text);
    expect(texts).toEqual(['It was removed from the settings.', 'It was reported.']);
    expect(all[3]?.state.openAlerts).toEqual([]);
  });
  it('judged again after an earlier attempt told it, a night says nothing twice and can resolve it', () => {
    const past = { sources: [macs({ 1: yes }, 1), source('windows', [pc('a')])], policy: lenient };
    const partial = { sources: [macs({ 1: no }, 2), incomplete('windows')], policy: lenient };
    const [before, attempt] = nights(past, partial);
    const healed = nights(past, {
      ...partial,
      sources: [macs({ 1: no }, 2), source('windows', [pc('a')])],
      told: attempt?.state.openAlerts ?? [],
    });
    expect(said(before)).toHaveLength(2);
    expect(said(attempt)).toEqual([`device.lost ${one} first`, 'source.carried source:windows first']);
    expect(said(healed[1])).toEqual(['source.sound-again source:windows over']);
  });
});
