/** What opens, reminds of and resolves an alert, and what is said of it, by the functions that decide it. */
import { describe, expect, it } from 'vitest';
import { decideAcknowledgementAlerts } from '../../src/core/alerts/acknowledgement-alerts.ts';
import type { AlertEvent } from '../../src/core/alerts/alert-event.ts';
import { type AlertLog, createAlertLog } from '../../src/core/alerts/alert-log.ts';
import type { AlertState } from '../../src/core/alerts/alert-state.ts';
import { decideClockAlerts } from '../../src/core/alerts/clock-alerts.ts';
import { decideExemptionAlerts } from '../../src/core/alerts/exemption-alerts.ts';
import { decideOverdueAlert } from '../../src/core/alerts/overdue-alerts.ts';
import { decideRetraction } from '../../src/core/alerts/retraction-alerts.ts';
import { decideStatementAlerts } from '../../src/core/alerts/statement-alerts.ts';
import { decideHousekeepingAlerts, decideRetentionAlerts } from '../../src/core/alerts/store-alerts.ts';
import type { JudgedAcknowledgement, JudgedDevice, JudgedExemption, JudgedSource } from '../../src/core/judged.ts';
import { unpack } from '../../src/core/views.ts';
import { exemption, facts, incomplete, mac, nights, nightsOf, pc, slot, source } from './world.ts';

const lost = (key: string, since: number, last = since, more: Partial<AlertState> = {}): AlertState => ({
  ...{ key, kind: 'device.lost', since: slot(since), last: slot(last), sentAs: [{ kind: 'device.lost' }], ...more },
});

/** What a decision says of the alerts that are open, on a night. */
function decide(work: (alertLog: AlertLog) => void, night = 20, alertStates: readonly AlertState[] = []) {
  const alertLog = createAlertLog({ alertStates, slot: slot(night), reminded: undefined });
  work(alertLog);
  const { events, alertStates: after } = alertLog.finish();
  return { events, open: after.map(({ key }) => key) };
}

const say = ({ phase, kind, text }: AlertEvent) => `${phase} ${kind}: ${text}`;
const texts = (...decided: Parameters<typeof decide>) => decide(...decided).events.map(say);

describe('an alert', () => {
  it('is said again after a week, once a slot, and only where its kind is reminded of', () => {
    const below = (key: string, last = 1): AlertState => ({
      key,
      kind: 'coverage.below',
      since: slot(1),
      last: slot(last),
    });
    const raise = (log: AlertLog) => log.raise('one', 'coverage.below', {});
    expect(texts(raise, 7, [below('one')])).toEqual([]);
    expect(texts(raise, 8, [below('one')])).toEqual(['again coverage.below: undefined']);
    // Another alert is a week old; this one was said in this very slot, by the attempt before.
    expect(texts(raise, 8, [below('one', 8), below('two')])).toEqual([]);
    expect(texts(raise, 8, [below('one', 7), below('two')])).toHaveLength(1);
    const raiseLost = (log: AlertLog) => log.raise('device:a/1', 'device.lost', {});
    expect(texts(raiseLost, 8, [below('two'), lost('device:a/1', 1)])).toEqual([]);
    expect(texts(raise, 8, [below('one', 7), lost('device:a/1', 1)])).toEqual([]);
  });

  it('is said again at most once a week in all', () => {
    for (const [reminded, expected] of [
      [2, 0],
      [1, 1],
    ] as const) {
      const alertStates: AlertState[] = [{ key: 'one', kind: 'coverage.below', since: slot(1), last: slot(1) }];
      const log = createAlertLog({ alertStates, slot: slot(8), reminded: slot(reminded) });
      log.raise('one', 'coverage.below', {});
      const { events, reminded: after } = log.finish();
      expect([events.length, after]).toEqual([expected, slot(expected === 0 ? reminded : 8)]);
    }
  });

  it('that becomes another kind, or is about something else, is opened anew and was open', () => {
    const { events, open } = decide(
      (log) => {
        log.raise('device:a/1', 'device.flapping', {});
        log.raise('device:a/2', 'device.lost', {}, { about: 'x', since: slot(3) });
        log.raise('device:a/3', 'device.lost', {});
      },
      20,
      [lost('device:a/1', 1), lost('device:a/2', 2)],
    );
    expect(events.map(({ key, phase, since, wasOpen }) => [key, phase, since, wasOpen])).toEqual([
      ['device:a/1', 'first', slot(20), true],
      ['device:a/2', 'first', slot(3), true],
      ['device:a/3', 'first', slot(20), undefined],
    ]);
    expect(open).toEqual(['device:a/1', 'device:a/2', 'device:a/3']);
  });

  it('is sent as resolved to whoever it was sent as open, and one that was never sent is forgotten', () => {
    const scopes = [{ kind: 'device.lost' as const, site: 'Berlin' }];
    const silent = lost('device:a/2', 1, 1, { kind: 'baseline', sentAs: [] });
    const { events, open } = decide(
      (log) => {
        log.close('device:a/1', { text: 'gone' });
        log.close('device:a/2', { text: 'gone' });
        log.close('device:a/3', { text: 'gone' });
        log.resolve('device:a/4', 'device.recovered', { text: 'gone' });
      },
      20,
      [lost('device:a/1', 1, 1, { sentAs: scopes }), silent],
    );
    expect(events).toEqual([
      {
        kind: 'device.lost',
        key: 'device:a/1',
        phase: 'over',
        slot: slot(20),
        since: slot(1),
        text: 'gone',
        sentAs: scopes,
      },
    ]);
    expect(open).toEqual([]);
  });

  it('holds what it was sent as, each once', () => {
    const log = createAlertLog({ alertStates: [], slot: slot(20), reminded: undefined });
    const at = (site: string) => ({
      source: 'macs',
      device: { id: '1', status: 'Not Installed', reason: 'reported', site } as const,
    });
    log.raise('device:macs/1', 'device.lost', at('Berlin'));
    log.raise('device:macs/1', 'device.lost', at('Berlin'), { about: 'x' });
    log.raise('device:macs/1', 'device.lost', at('Oslo'), { about: 'y' });
    const scope = { kind: 'device.lost', source: 'macs' };
    expect(log.finish().alertStates[0]?.sentAs).toEqual([
      { ...scope, site: 'Berlin' },
      { ...scope, site: 'Oslo' },
    ]);
  });

  describe('that goes to another record', () => {
    const move = (states: readonly AlertState[], more: (log: AlertLog) => void = () => undefined) =>
      decide(
        (log) => {
          log.move('device:a/1', 'device:a/2', { text: 'moved' });
          more(log);
        },
        20,
        states,
      );

    it('is closed under its old key and opened under the new one, for programs', () => {
      const { events, open } = move([lost('device:a/1', 1)]);
      expect(
        events.map(({ key, phase, previousKey, isBookkeeping }) => [key, phase, previousKey, isBookkeeping]),
      ).toEqual([
        ['device:a/1', 'over', undefined, true],
        ['device:a/2', 'first', 'device:a/1', true],
      ]);
      expect(open).toEqual(['device:a/2']);
    });

    it('that has one already is only closed', () => {
      const { events, open } = move([lost('device:a/1', 1), lost('device:a/2', 2)]);
      expect(events.map(({ key, phase, text }) => [key, phase, text])).toEqual([
        ['device:a/1', 'over', 'The machine has another record: see device:a/2.'],
      ]);
      expect(open).toEqual(['device:a/2']);
    });

    it('and back in the same run moved nowhere', () => {
      const { events, open } = move([lost('device:a/1', 1)], (log) => log.move('device:a/2', 'device:a/1', {}));
      expect([events, open]).toEqual([[], ['device:a/1']]);
    });

    it('and on to a third in the same run is closed once, and names where it is now', () => {
      const { events, open } = move([lost('device:a/1', 1)], (log) => log.move('device:a/2', 'device:a/3', {}));
      expect(events.map(({ key, phase, text, previousKey }) => [key, phase, text, previousKey])).toEqual([
        ['device:a/1', 'over', 'The machine has another record: see device:a/3.', undefined],
        ['device:a/3', 'first', undefined, 'device:a/1'],
      ]);
      expect(open).toEqual(['device:a/3']);
    });

    it('and on to a third leaves its key to whatever else has it then', () => {
      const { events } = move([lost('device:a/1', 1)], (log) => {
        log.move('device:a/2', 'device:a/3', {});
        log.raise('device:a/2', 'device.lost', {});
      });
      expect(events.map(({ key, previousKey }) => [key, previousKey])).toEqual([
        ['device:a/2', undefined],
        ['device:a/1', undefined],
        ['device:a/3', 'device:a/1'],
      ]);
    });

    it('and was never sent is moved in silence; what is not open, or is the same, stays', () => {
      expect(move([lost('device:a/1', 1, 1, { kind: 'baseline' })])).toEqual({ events: [], open: ['device:a/2'] });
      expect(move([])).toEqual({ events: [], open: [] });
      expect(decide((log) => log.move('device:a/1', 'device:a/1', {}), 20, [lost('device:a/1', 1)])).toEqual({
        events: [],
        open: ['device:a/1'],
      });
    });

    it('holds there what it is sent as there', () => {
      const log = createAlertLog({ alertStates: [lost('device:a/1', 1)], slot: slot(20), reminded: undefined });
      log.move('device:a/1', 'device:b/2', { source: 'b' });
      expect(log.finish().alertStates).toMatchObject([
        { key: 'device:b/2', sentAs: [{ kind: 'device.lost', source: 'b' }] },
      ]);
    });

    it('and is said there is said with the key that it had', () => {
      const { events } = move([lost('device:a/1', 1)], (log) => log.resolve('device:a/2', 'device.recovered', {}));
      expect(events.map(({ key, phase, previousKey }) => [key, phase, previousKey])).toEqual([
        ['device:a/2', 'over', 'device:a/1'],
        ['device:a/1', 'over', undefined],
      ]);
    });
  });
});

const sound = (name: string, soundness: JudgedSource['soundness'] = 'complete') =>
  ({ name, soundness }) as JudgedSource;

describe('a row of the acknowledgements', () => {
  const row = (changes: Partial<JudgedAcknowledgement> = {}): JudgedAcknowledgement => ({
    ...{ serial: 'C02', by: 'ada', until: slot(9), ticket: 'IT-1', note: 'n', result: 'unmatched', devices: 0 },
    ...changes,
  });
  const decideRows = (
    rows: readonly JudgedAcknowledgement[],
    sources = [sound('macs')],
    states: readonly AlertState[] = [],
  ) => texts((log) => decideAcknowledgementAlerts(rows, sources, log), 20, states);

  it.each<[Partial<JudgedAcknowledgement>, string]>([
    [{}, 'unmatched: The acknowledgement of serial "C02" (ada, IT-1) fits no device.'],
    [{ by: '' }, 'unmatched: The acknowledgement of serial "C02" (IT-1) fits no device.'],
    [{ by: '', ticket: '' }, 'unmatched: The acknowledgement of serial "C02" fits no device.'],
    [
      { result: 'expired' },
      `expired: The acknowledgement of serial "C02" (ada, IT-1) ended on ${slot(9)}; its device is named in reminders again.`,
    ],
    [
      { result: 'invalid' },
      'invalid: The acknowledgement of serial "C02" (ada, IT-1) lacks a serial number, a name or a date, and is ignored.',
    ],
  ])('with %j', (changes, expected) => {
    expect(decideRows([row(changes)])).toEqual([`first acknowledgement.${expected}`]);
  });

  it('fits or not is known while every source is complete or untrusted; what else is wrong with it always', () => {
    const carried = [sound('macs'), sound('windows', 'carried')];
    const key = `acknowledgement:${JSON.stringify(['C02', 'ada', slot(9), 'IT-1'])}`;
    const open = [lost(key, 1, 1, { kind: 'acknowledgement.unmatched' })];
    expect(decideRows([row()], [sound('macs', 'untrusted')])).toHaveLength(1);
    expect(decideRows([row()], carried)).toEqual([]);
    expect(decideRows([row({ result: 'active' })], carried, open)).toEqual([]);
    expect(decideRows([row({ result: 'active' })], [sound('macs')], open)).toEqual([
      'over acknowledgement.unmatched: The acknowledgement of serial "C02" holds, or another row renews it.',
    ]);
    expect(decideRows([row({ result: 'invalid' })], carried)).toHaveLength(1);
    expect(decideRows([row({ result: 'expired' })], carried)).toHaveLength(1);
  });

  it('that has ended is nothing where another row holds for the same serial number', () => {
    expect(decideRows([row({ result: 'expired' }), row({ serial: 'c-02', by: 'bob', result: 'active' })])).toEqual([]);
    expect(decideRows([row({ result: 'expired' }), row({ serial: 'X', result: 'active' })])).toHaveLength(1);
    expect(decideRows([row({ result: 'invalid' }), row({ by: 'bob', result: 'active' })])).toHaveLength(1);
  });
});

describe('a row of the exemptions', () => {
  const row = (result: JudgedExemption['result'], changes: Partial<JudgedExemption> = {}): JudgedExemption =>
    ({ ...exemption('serial', 'C02', { expires: slot(9) }), devices: 2, result, ...changes }) as JudgedExemption;
  const decideRows = (
    rows: readonly JudgedExemption[],
    sources = [sound('macs')],
    states: readonly AlertState[] = [],
  ) => decide((log) => decideExemptionAlerts(rows, sources, log), 20, states).events;

  it.each<[JudgedExemption['result'], string]>([
    ['expiring', ` (it) ends after ${slot(9)}.`],
    ['expired', ` (it) ended on ${slot(9)}; what it exempted is counted again.`],
    ['unmatched', ' (it) fits no device.'],
    ['ambiguous', ' (it) fits 2 devices and therefore exempts none.'],
    ['invalid', ' lacks an owner, a reason or a date, and is ignored.'],
  ])('that is %s', (result, words) => {
    expect(decideRows([row(result)]).map(say)).toEqual([
      `first exemption.${result}: The exemption of serial "C02"${words}`,
    ]);
  });

  it('names its source where it has one', () => {
    expect(decideRows([row('unmatched')])[0]).not.toHaveProperty('source');
    expect(decideRows([row('unmatched', { source: 'macs' })])[0]).toMatchObject({ source: 'macs' });
  });

  it('that has ended or ends soon is renewed by one that exempts the same for longer', () => {
    const later = { expires: slot(40) };
    expect(decideRows([row('expired'), row('active', { value: 'c-02', ...later })])).toEqual([]);
    expect(
      decideRows([
        row('expiring', { expires: slot(30) }),
        row('expiring', later),
        row('expiring', { expires: slot(35) }),
      ]),
    ).toHaveLength(1);
    // Neither of the same date, nor of another source or value, nor one that does not hold itself.
    expect(decideRows([row('expired'), row('active', { owner: 'x' })])).toHaveLength(1);
    for (const other of [{ source: 'macs' }, { value: 'C03' }, { match: 'device_id' }]) {
      expect(decideRows([row('expired'), row('active', { ...later, ...other })])).toHaveLength(1);
    }
    expect(decideRows([row('expired'), row('unmatched', later)])).toHaveLength(2);
    expect(decideRows([row('invalid'), row('active', later)])).toHaveLength(1);
    const user = { match: 'user', value: 'ada' };
    expect(decideRows([row('expired', user), row('active', { ...user, ...later })])).toHaveLength(1);
    const id = { match: 'device_id', value: 'a-1' };
    expect(decideRows([row('expired', id), row('active', { ...id, value: 'A1', ...later })])).toHaveLength(1);
  });

  it('fits or not is known while its source is complete or untrusted; that it ended, always', () => {
    const sources = [sound('macs'), sound('windows', 'suspect')];
    for (const result of ['unmatched', 'ambiguous'] as const) {
      expect(decideRows([row(result)], sources)).toEqual([]);
      expect(decideRows([row(result, { source: 'windows' })], sources)).toEqual([]);
      expect(decideRows([row(result, { source: 'macs' })], sources)).toHaveLength(1);
      expect(decideRows([row(result)], [sound('macs', 'untrusted')])).toHaveLength(1);
    }
    for (const result of ['expired', 'expiring', 'invalid'] as const) {
      expect(decideRows([row(result)], sources)).toHaveLength(1);
    }
    const key = `exemption:${JSON.stringify(['', 'serial', 'C02', 'it', slot(9)])}`;
    const open = [lost(key, 1, 1, { kind: 'exemption.unmatched' })];
    expect(decideRows([row('active')], sources, open)).toEqual([]);
    expect(decideRows([row('active')], [sound('macs')], open).map(say)).toEqual([
      'over exemption.unmatched: The exemption of serial "C02" holds, or another row renews it.',
    ]);
    expect(decideRows([], sources, open).map(say)).toEqual([
      'over exemption.unmatched: The exemption of serial "C02" was changed or removed.',
    ]);
  });

  it('that stands twice is one alert', () => {
    expect(decideRows([row('unmatched'), row('invalid')]).map(({ kind }) => kind)).toEqual(['exemption.unmatched']);
  });
});

describe('devices that have lacked the agent for long', () => {
  const { policy } = facts(1);
  const states = (...ids: readonly string[]) => ids.map((id) => lost(`device:${id}`, 1));
  const device = (name: string, id: string, since: number, changes: Partial<JudgedDevice> = {}) => {
    const [night] = nightsOf(source(name, [name === 'macs' ? mac(id, 'Not Installed') : pc(id, '3')]));
    return { ...unpack(night?.devices[0]), notInstalledSince: slot(since), ...changes } as JudgedDevice;
  };
  const judge = (
    devices: readonly JudgedDevice[],
    open: readonly AlertState[],
    night = 20,
    soundness: Readonly<Record<string, JudgedSource['soundness']>> = {},
  ) => {
    const names = [...new Set(['macs', ...devices.map((one) => one.source)])];
    const sourceInputs = names.map((name) => ({
      source: { name, soundness: soundness[name] ?? ('complete' as const) },
      devices: devices.filter((one) => one.source === name),
    }));
    return decide((log) => decideOverdueAlert({ slot: slot(night), policy, sourceInputs }, log), night, open);
  };
  const acknowledgement = { by: 'ada', until: slot(90), ticket: '' };
  const overdue = (since: number, last = since): AlertState => ({
    ...{ key: 'overdue', kind: 'device.overdue', since: slot(since), last: slot(last) },
  });

  it('are said with counts by source, the new ones first', () => {
    const devices = [device('macs', '1', 1), device('macs', '2', 6), device('windows', 'a', 2)];
    const open = states('macs/1', 'macs/2', 'windows/a');
    const { events } = judge(devices, open);
    expect(events.map(say)).toEqual([
      'first device.overdue: 3 devices have been without the agent for 14 days or longer (macs 2, windows 1).',
    ]);
    expect(events[0]).toMatchObject({ figures: { overdue: 3, new: 3, listed: 3 } });
    // A list that was said on the nineteenth night had those of the fifth, and not yet that of the sixth.
    const again = judge(devices, [...open, overdue(13, 19)], 27).events[0];
    expect(again?.text).toBe(
      '3 devices have been without the agent for 14 days or longer (macs 2, windows 1), 1 of them new in this list.',
    );
    expect(again?.first?.map(({ id }) => id)[0]).toBe('2');
    expect(judge(devices, [...open, overdue(13, 20)], 27).events[0]?.figures).toMatchObject({ new: 0 });
  });

  it('are one', () => {
    expect(judge([device('macs', '1', 1)], states('macs/1')).events.map(say)).toEqual([
      'first device.overdue: 1 device has been without the agent for 14 days or longer (macs 1).',
    ]);
  });

  it('are not those that a person has acknowledged, which are counted', () => {
    const open = states('macs/1', 'macs/2', 'macs/3');
    const [one, two] = [device('macs', '1', 1), device('macs', '2', 1, { acknowledgement })];
    expect(judge([one, two], open).events.map(say)).toEqual([
      'first device.overdue: 1 device has been without the agent for 14 days or longer (macs 1). 1 more is acknowledged.',
    ]);
    const three = device('macs', '3', 1, { acknowledgement });
    expect(judge([one, two, three], open).events[0]?.text).toMatch(/ 2 more are acknowledged\.$/);
    expect(judge([two], open).events).toEqual([]);
    expect(judge([two], [...open, overdue(15)])).toMatchObject({
      events: [],
      open: expect.arrayContaining(['overdue']),
    });
  });

  it('are those of which a person was told, at least a week ago', () => {
    expect(judge([device('macs', '1', 1)], []).events).toEqual([]);
    expect(judge([device('macs', '1', 1)], [lost('device:macs/1', 1, 14)]).events).toEqual([]);
    expect(judge([device('macs', '1', 1)], [lost('device:macs/1', 1, 13)]).events).toHaveLength(1);
  });

  it('are over when every source is complete and none is left', () => {
    expect(judge([], [overdue(15)]).events.map(say)).toEqual([
      'over device.overdue: No device has been without the agent for 14 days or longer.',
    ]);
    expect(judge([], [overdue(15)], 20, { macs: 'carried' }).events).toEqual([]);
    const gone = [device('macs', '1', 1), device('windows', 'a', 1)];
    const { events } = judge(gone, states('macs/1', 'windows/a'), 20, { windows: 'untrusted' });
    expect(events[0]?.text).toContain('(macs 1)');
  });

  it('are of each source in turn, and another source begins each week', () => {
    const devices = ['1', '2']
      .map((id) => device('macs', id, 1))
      .concat(['a', 'b'].map((id) => device('windows', id, 1)));
    const open = states('macs/1', 'macs/2', 'windows/a', 'windows/b');
    const order = (more: readonly AlertState[], night: number) =>
      judge(devices, [...open, ...more], night).events[0]?.first?.map(({ id }) => id);
    expect(order([], 20)).toEqual(['1', 'a', '2', 'b']);
    expect(order([overdue(20)], 27)).toEqual(['a', '1', 'b', '2']);
  });
});

describe('what is about the run, the store and the machine', () => {
  it.each([
    [undefined, []],
    [[], ["over clock.differs: This machine's clock agrees with those of the servers again."]],
    [[{ server: 'a', seconds: -7200 }], []],
  ])('a clock with the differences %j', (differences, expected) => {
    const open = lost('clock', 1, 20, { kind: 'clock.differs' });
    expect(texts((log) => decideClockAlerts(differences, log), 20, [open])).toEqual(expected);
  });

  it('runs that failed, until one succeeds', () => {
    const [night] = nights({ failedRuns: [slot(-1), slot(0)] });
    const said = night?.events.filter(({ kind }) => kind === 'run.failed');
    expect(said?.map(({ key, phase, since }) => [key, phase, since])).toEqual([
      [`run:${slot(-1)}`, 'over', slot(-1)],
      [`run:${slot(0)}`, 'over', slot(0)],
    ]);
    expect(said?.[0]?.text).toBe(`The run of ${slot(-1)} failed; the run of ${slot(1)} succeeded.`);
  });

  it('a clock is ahead of or behind each server', () => {
    const differences = [
      { server: 'Jamf Pro "macs"', seconds: -7200 },
      { server: 'Graph', seconds: 7200 },
    ];
    const [said = ''] = texts((log) => decideClockAlerts(differences, log));
    expect(said).toMatch(
      /^first clock\.differs: This machine's clock is (2 h\w*) ahead of the clock of Jamf Pro "macs", and \1 behind the clock of Graph\.$/,
    );
  });

  it('housekeeping that could not be done, and is done again', () => {
    const open = lost('housekeeping:audit', 1, 20, { kind: 'housekeeping.unfinished' });
    const unfinished = [{ step: 'copies', message: 'The disk is full.', code: 'unexpected' }] as Parameters<
      typeof decideHousekeepingAlerts
    >[0];
    const said = texts((log) => decideHousekeepingAlerts(unfinished, log), 20, [open]);
    expect(said).toHaveLength(2);
    expect(said).toContainEqual(
      expect.stringMatching(/^first housekeeping\.unfinished: \w.* could not be finished: The disk is full\.$/),
    );
    expect(said).toContainEqual(expect.stringMatching(/^over housekeeping\.unfinished: \w.* works again; \w.*\.$/));
    expect(texts((log) => decideHousekeepingAlerts(undefined, log), 20, [open])).toEqual([]);
  });

  it('runs that are held back, and are no more', () => {
    const heldBack = { since: slot(3), nights: 9, limit: 400 };
    const { events } = decide((log) => decideRetentionAlerts(heldBack, log));
    expect(events).toMatchObject([{ kind: 'retention.held-back', phase: 'first', figures: { nights: 9, limit: 400 } }]);
    const open = lost('retention', 3, 3, { kind: 'retention.held-back', about: slot(3) });
    expect(texts((log) => decideRetentionAlerts(heldBack, log), 5, [open])).toEqual([]);
    expect(texts((log) => decideRetentionAlerts({ ...heldBack, since: slot(4) }, log), 5, [open])).toHaveLength(1);
    expect(texts((log) => decideRetentionAlerts(undefined, log), 5, [open])).toEqual([
      'over retention.held-back: No run is older than retention.nights allows.',
    ]);
  });

  it('of several statements about one thing the one that counts longest', () => {
    const statement = (until: number, on: number) =>
      ({ kind: 'attestation', about: 'x', on: slot(on), until: slot(until) }) as const;
    const said = (...statements: Parameters<typeof decideStatementAlerts>[0]) =>
      texts((log) => decideStatementAlerts(statements, slot(20), log));
    const expected = [`first acceptance.expiring: The attestation x of ${slot(2)} ends after ${slot(25)}.`];
    expect(said(statement(22, 1), statement(25, 2))).toEqual(expected);
    expect(said(statement(25, 2), statement(22, 1))).toEqual(expected);
    expect(said(statement(25, 2), statement(300, 3))).toEqual([]);
    expect(said(statement(20, 1))[0]).toContain(`ends after ${slot(20)}`);
    expect(said(statement(19, 1))[0]).toContain(`ended on ${slot(19)}`);
  });
});

describe('a retraction', () => {
  const event = (key: string, phase: AlertEvent['phase'], text: string): AlertEvent => ({
    ...{ kind: 'device.lost', key, phase, slot: slot(2), since: slot(2), text, source: 'macs' },
  });
  const decided = (events: readonly AlertEvent[]) =>
    decideRetraction({
      ...{ slot: slot(2), by: 'ada', why: 'wrong clock', events },
      before: [lost('device:kept', 1), lost('device:ended', 1), lost('device:silent', 1, 1, { kind: 'baseline' })],
      after: [lost('device:kept', 1), lost('device:new', 2), lost('device:silent2', 2, 2, { kind: 'baseline' })],
    });

  it('resolves what only the run opened, with what it said of it, and lets what it ended open again', () => {
    const { events, resolved } = decided([event('device:new', 'first', 'a'), event('device:kept', 'again', 'b')]);
    expect(events.map(({ key, phase, source: name }) => [key, phase, name])).toEqual([
      [`retraction:${slot(2)}`, 'over', undefined],
      ['device:new', 'over', 'macs'],
    ]);
    expect(events[1]).toMatchObject({
      text: `Only the run of ${slot(2)} opened this, and it was retracted.`,
      sentAs: [{ kind: 'device.lost' }],
    });
    expect(resolved).toEqual(['device:ended']);
  });

  it('says it without details where the run’s events cannot be read, or only its end is known', () => {
    for (const events of [[], [event('device:new', 'over', 'a')]]) {
      const [, second] = decided(events).events;
      expect(second).toEqual({
        ...{ kind: 'device.lost', key: 'device:new', since: slot(2), slot: slot(2), phase: 'over' },
        ...{ text: `Only the run of ${slot(2)} opened this, and it was retracted.`, sentAs: [{ kind: 'device.lost' }] },
      });
    }
  });
});

describe('a source', () => {
  it.each([
    [1, '1st'],
    [2, '2nd'],
    [3, '3rd'],
    [4, '4th'],
    [10, '10th'],
    [11, '11th'],
    [12, '12th'],
    [13, '13th'],
    [14, '14th'],
    [21, '21st'],
    [22, '22nd'],
    [23, '23rd'],
    [101, '101st'],
    [111, '111th'],
    [113, '113th'],
  ])('that is away on its %i. day is so on the %s', (day, ordinal) => {
    if (day === 1) {
      return expect(ordinal).toBe('1st');
    }
    const away = [incomplete('macs')];
    const night = nights({}, ...Array.from({ length: day }, () => ({ sources: away }))).at(-1);
    const text = night?.events.find(({ key }) => key === 'source:macs')?.text;
    expect(text).toBe(`still no complete answer from macs, ${ordinal} day, rows-missing`);
  });

  it('that is gone from the settings is said once, and its alert is forgotten on the next night', () => {
    const only = { sources: [source('macs', [mac('1'), mac('2', 'Not Installed')])] };
    const [, gone, after, later] = nights({}, only, only, only);
    const about = (night: typeof gone) => night?.events.filter(({ key }) => key === 'left:windows').map(say);
    expect(about(gone)).toEqual(['first source.left: It was removed from the settings.']);
    expect(gone?.state.told?.map(({ key }) => key)).toContain('left:windows');
    expect(about(after)).toEqual(['over source.left: It was reported.']);
    expect(after?.events.find(({ key }) => key === 'left:windows')?.source).toBe('windows');
    expect(about(later)).toEqual([]);
  });

  it('that is implausible says how many devices it concerns, the lost ones first, and names twenty', () => {
    const fleet = (...values: readonly (readonly [number, string])[]) => ({
      sources: [
        source(
          'macs',
          values.map(([id, value]) => mac(String(id), value)),
        ),
      ],
    });
    const ids = Array.from({ length: 60 }, (_, index) => index + 1);
    const whole = fleet(...ids.map((id) => [id, 'Installed'] as const));
    const shrunk = fleet(...ids.slice(0, 30).map((id) => [id, id === 30 ? 'Not Installed' : 'Installed'] as const));
    const [, night] = nights(whole, shrunk);
    const said = night?.events.find(({ kind }) => kind === 'source.suspect');
    expect(said?.figures).toEqual({ received: 30, affected: 31 });
    expect(said?.first?.map(({ id, reason }) => `${id} ${reason}`).slice(0, 2)).toEqual(['30 reported', '31 removed']);
    expect(said?.first).toHaveLength(20);
  });

  it('that measures otherwise is said once, and then it is part of the baseline', () => {
    const measured = (fingerprint: string) => ({
      sources: [source('macs', [mac('1')], { instrument: { id: '6', fingerprint } })],
    });
    const said = nights(measured('a'), measured('b'), measured('b')).map(({ events }) =>
      events.filter(({ key }) => key === 'measurement:macs').map(say),
    );
    expect(said).toEqual([
      [],
      [`first measurement.changed: Its detection method is not the one of ${slot(1)}. See its checks.`],
      ['over measurement.changed: It is part of the baseline now.'],
    ]);
  });

  it('that has the name of another kind of source closes the alerts of devices that it does not list', () => {
    const macs = (value: string) => ({ sources: [source('macs', [mac('1', value), mac('2', value)])] });
    const others = { sources: [source('macs', [pc('2', '3')], { kind: 'intune' })] };
    const [, , night] = nights(macs('Installed'), macs('Not Installed'), others);
    expect(night?.events.filter(({ key }) => key.startsWith('device:')).map((one) => [one.key, say(one)])).toEqual([
      ['device:macs/1', 'over device.lost: The name of its source belongs to another source now.'],
    ]);
    expect(night?.state.told?.map(({ key }) => key)).toContain('device:macs/2');
  });
});
