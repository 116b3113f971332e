/** What each family of alerts says of a night, by the functions that decide it. */
import { describe, expect, it } from 'vitest';
import type { NightAlertInput, ReportedAlerts } from '../../src/core/alerts/alert-input.ts';
import { decideOverdueAlert } from '../../src/core/alerts/overdue-alerts.ts';
import { type AlertCondition, areRemindersDue, reconcile } from '../../src/core/alerts/reconcile.ts';
import { decideRetraction } from '../../src/core/alerts/retraction-alerts.ts';
import { decideAcknowledgementAlerts, decideExemptionAlerts } from '../../src/core/alerts/row-alerts.ts';
import {
  decideClockAlert,
  decideHousekeepingAlerts,
  decideRetentionAlert,
  decideStatementAlerts,
} from '../../src/core/alerts/run-alerts.ts';
import type { AlertEvent } from '../../src/core/facts/alert-event.ts';
import type { DeviceFacts, Facts } from '../../src/core/facts/facts.ts';
import type {
  JudgedAcknowledgement,
  JudgedDevice,
  JudgedExemption,
  JudgedSource,
  Judgement,
} from '../../src/core/facts/judged.ts';
import type { AlertState } from '../../src/core/facts/remembered.ts';
import {
  at,
  exemption,
  facts,
  incomplete,
  openAlert as lost,
  mac,
  nights,
  nightsOf,
  pc,
  slot,
  source,
} from './world.ts';

type Family = (night: NightAlertInput, reported: ReportedAlerts) => readonly AlertCondition[];
type Night = Partial<Omit<NightAlertInput, 'facts' | 'sources'>> & {
  readonly facts?: Partial<Facts>;
  readonly sources?: readonly object[];
};

/** What a family says of the alerts that are open, on a night. */
function decide(family: Family, night: Night, states: readonly AlertState[] = [], number = 20) {
  const open = new Map(states.map((state) => [state.key, state]));
  const input = { sources: [], ...night, facts: { ...facts(number), ...night.facts } } as unknown as NightAlertInput;
  const run = { slot: slot(number), isReminderRun: areRemindersDue(states, slot(number), undefined) };
  const events = reconcile(family(input, open), open, run);
  return { events, open: [...open.keys()] };
}

const say = ({ phase, kind, text }: AlertEvent) => `${phase} ${kind}: ${text}`;
const texts = (...decided: Parameters<typeof decide>) => decide(...decided).events.map(say);

const sound = (name: string, soundness: JudgedSource['soundness'] = 'complete') => ({ source: { name, soundness } });

describe('a row of the acknowledgements', () => {
  const row = (changes: Partial<JudgedAcknowledgement> = {}): JudgedAcknowledgement => ({
    serial: 'C02',
    by: 'ada',
    until: slot(9),
    ticket: 'IT-1',
    note: 'n',
    result: 'unmatched',
    devices: 0,
    ...changes,
  });
  const decideRows = (
    rows: readonly JudgedAcknowledgement[],
    sources = [sound('macs')],
    states: readonly AlertState[] = [],
  ) => texts(decideAcknowledgementAlerts, { acknowledgements: rows, sources }, states);

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
  ) => decide(decideExemptionAlerts, { exemptions: rows, sources }, states).events;

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
  const states = (...ids: readonly string[]) => ids.map((id) => lost(`device:${id}`, 1));
  const device = (name: string, id: string, since: number, changes: Partial<Judgement> = {}): JudgedDevice => {
    const [judged] = nightsOf(source(name, [name === 'macs' ? mac(id, 'Not Installed') : pc(id, '3')])).flatMap(
      (night) => night.devices,
    ) as [JudgedDevice];
    return { ...judged, judgement: { ...judged.judgement, notInstalledSince: slot(since), ...changes } };
  };
  const judge = (
    devices: readonly JudgedDevice[],
    open: readonly AlertState[],
    night = 20,
    soundness: Readonly<Record<string, JudgedSource['soundness']>> = {},
  ) => {
    const names = [...new Set(['macs', ...devices.map((one) => one.source)])];
    const sources = names.map((name) => ({
      source: { name, soundness: soundness[name] ?? ('complete' as const) },
      devices: devices.filter((one) => one.source === name),
    }));
    return decide(decideOverdueAlert, { sources }, open, night);
  };
  const acknowledgement = { by: 'ada', until: slot(90), ticket: '' };
  const overdue = (since: number, last = since): AlertState => ({
    key: 'overdue',
    kind: 'device.overdue',
    since: slot(since),
    last: slot(last),
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
  it('a clock is ahead of or behind each server, until they agree; nobody knows where none was compared', () => {
    const differences = [
      { server: 'Jamf Pro "macs"', seconds: -7200 },
      { server: 'Graph', seconds: 7200 },
    ];
    const open = [lost('clock', 1, 20, { kind: 'clock.differs' })];
    expect(texts(decideClockAlert, { facts: { clockDifferences: differences } })[0]).toMatch(
      /^first clock\.differs: This machine's clock is (2 h\w*) ahead of the clock of Jamf Pro "macs", and \1 behind the clock of Graph\.$/,
    );
    expect(texts(decideClockAlert, { facts: { clockDifferences: differences } }, open)).toEqual([]);
    expect(texts(decideClockAlert, {}, open)).toEqual([]);
    expect(texts(decideClockAlert, { facts: { clockDifferences: [] } }, open)).toEqual([
      "over clock.differs: This machine's clock agrees with those of the servers again.",
    ]);
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

  it('housekeeping that could not be done, and is done again', () => {
    const open = [lost('housekeeping:audit', 1, 20, { kind: 'housekeeping.unfinished' })];
    const unfinished = [{ step: 'copies' as const, message: 'The disk is full.', code: 'unexpected' }];
    const said = texts(decideHousekeepingAlerts, { facts: { unfinished } }, open);
    expect(said).toHaveLength(2);
    expect(said).toContainEqual(
      expect.stringMatching(/^first housekeeping\.unfinished: \w.* could not be finished: The disk is full\.$/),
    );
    expect(said).toContainEqual(expect.stringMatching(/^over housekeeping\.unfinished: \w.* works again; \w.*\.$/));
    expect(texts(decideHousekeepingAlerts, {}, open)).toEqual([]);
  });

  it('runs that are held back, and are no more', () => {
    const heldBack = { since: slot(3), nights: 9, limit: 400 };
    const { events } = decide(decideRetentionAlert, { heldBack });
    expect(events).toMatchObject([{ kind: 'retention.held-back', phase: 'first', figures: { nights: 9, limit: 400 } }]);
    const open = [lost('retention', 3, 3, { kind: 'retention.held-back', about: slot(3) })];
    expect(texts(decideRetentionAlert, { heldBack }, open, 5)).toEqual([]);
    expect(texts(decideRetentionAlert, { heldBack: { ...heldBack, since: slot(4) } }, open, 5)).toHaveLength(1);
    expect(texts(decideRetentionAlert, {}, open, 5)).toEqual([
      'over retention.held-back: No run is older than retention.nights allows.',
    ]);
  });
});

describe('a statement', () => {
  const sha256 = '0123456789abcdef'.repeat(4);
  const attested = (until: number, on = 1) =>
    ({ kind: 'attestation', about: 'x', on: slot(on), until: slot(until) }) as const;
  const accepted = { kind: 'acceptance', about: sha256, by: 'Ada Example', on: slot(1), until: slot(21) } as const;
  const open = [lost('statement:attestation/x', 1, 20, { kind: 'acceptance.expiring' })];
  const what = `The attestation x of ${slot(1)}`;
  const script = 'The acceptance of the script or rule with the SHA-256 0123456789ab…';

  it.each<[string, NonNullable<Facts['statements']>, readonly AlertState[], readonly string[]]>([
    ['ends within 30 days', [attested(50)], [], [`first acceptance.expiring: ${what} ends after ${slot(50)}.`]],
    ['ends later', [attested(51)], [], []],
    ['ends in this run', [attested(20)], [], [`first acceptance.expiring: ${what} ends after ${slot(20)}.`]],
    ['has ended', [attested(19)], open, [`first acceptance.expiring: ${what} ended on ${slot(19)}.`]],
    ['is renewed', [attested(300)], open, [`over acceptance.expiring: ${what} counts until ${slot(300)}.`]],
    ['is removed', [], open, ['over acceptance.expiring: It was removed from the settings: attestation x.']],
    [
      'names who accepted, and what',
      [accepted],
      [],
      [`first acceptance.expiring: ${script}, by Ada Example on ${slot(1)}, ends after ${slot(21)}.`],
    ],
    ['stands twice', [attested(22), attested(300)], [], []],
    ['stands twice in another order', [attested(300), attested(22)], [], []],
  ])('that %s', (_, statements, states, expected) => {
    expect(texts(decideStatementAlerts, { facts: { statements } }, states)).toEqual(expected);
  });
});

describe('a retraction', () => {
  const event = (key: string, phase: AlertEvent['phase'], text: string): AlertEvent => ({
    kind: 'device.lost',
    key,
    phase,
    slot: slot(2),
    since: slot(2),
    text,
    source: 'macs',
  });
  const decided = (events: readonly AlertEvent[]) =>
    decideRetraction({
      slot: slot(2),
      by: 'ada',
      why: 'wrong clock',
      events,
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
        kind: 'device.lost',
        key: 'device:new',
        since: slot(2),
        slot: slot(2),
        phase: 'over',
        text: `Only the run of ${slot(2)} opened this, and it was retracted.`,
        sentAs: [{ kind: 'device.lost' }],
      });
    }
  });
});

describe('a source', () => {
  const days = ['2nd', '3rd', '4th', '10th', '11th', '12th', '13th', '21st', '22nd', '23rd', '101st', '111th', '113th'];
  it(`that is away is so on its ${days.join(', ')} day`, () => {
    const all = nights({}, ...Array.from({ length: 113 }, () => ({ sources: [incomplete('macs')] })));
    const texts = all.map(({ events }) => events.find(({ key }) => key === 'source:macs')?.text);
    expect(days.map((day) => texts[Number.parseInt(day, 10)])).toEqual(
      days.map((day) => `still no complete answer from macs, ${day} day, rows-missing`),
    );
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

describe('a device whose machine has another record now, which is not counted (G17)', () => {
  const record = (id: string, state: string, seen: number, changes: Partial<DeviceFacts> = {}) =>
    pc(id, state, { serialNumber: 'PF0XSAME', lastSeenAt: at(1, seen), ...changes });
  const worlds = (state: string) =>
    [
      [record('a', '1', -1), record('b', state, -2, { ownership: 'personal' })],
      [record('a', '3', 0), record('b', state, -2, { ownership: 'personal' })],
      [record('a', '3', 0), record('b', state, 1, { ownership: 'personal' })],
    ].map((devices) => ({ sources: [source('windows', [...devices, pc('x')], { population: 'company' })] }));

  it.each([
    ['3', 'count.left', { status: 'Not Installed', reason: 'personal' }],
    ['1', 'device.recovered', { status: 'Installed', reason: 'reported' }],
  ])('where that says %s, its alert ends as %s', (state, kind, device) => {
    const [, lost, tonight] = nights(...worlds(state));

    expect(lost?.events).toContainEqual(expect.objectContaining({ kind: 'device.lost', key: 'device:windows/a' }));
    expect(tonight?.events).toMatchObject([{ kind, key: 'device:windows/a', phase: 'over', device }]);
    expect(tonight?.state.told).toEqual([]);
  });
});
