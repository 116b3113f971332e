/** When an alert about a machine opens, and how it ends: under the name of its entry, whatever its records. */
import { describe, expect, it } from 'vitest';
import type { DeviceFacts, Facts, SourceFacts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import {
  at,
  broken,
  judgeRuns,
  lenient,
  makeExemption,
  makeFleet,
  makeIncomplete,
  makeMac,
  makeMacs,
  makeMoreMacs,
  makePc,
  makeRun,
  makeSource,
  no,
  slot,
  unread,
  yes,
} from './make-facts.ts';

const name = 'macos/C02SAME';
const key = `device:${name}`;
/** The machine as a record of a source, read on that night. */
const same = (night: number, id: string, value: string | null, changes: Partial<DeviceFacts> = {}) =>
  makeMac(id, value, { serialNumber: 'C02SAME', reportedAt: at(night, -0.1), ...changes });
const one = (night: number, value: string | null, changes: Partial<DeviceFacts> = {}) =>
  makeRun(makeMacs([same(night, '1', value, changes)]));
const unmanaged = { managementState: 'unmanaged' };

/** Events about the machine, run by run. */
const listEvents = (all: readonly Night[]) =>
  all.map(({ events }) =>
    events
      .filter((event) => event.key === key)
      .map(({ kind, phase }) => `${kind} ${phase}`)
      .join(),
  );
const isOpen = (night: Night | undefined) => night?.state.openAlerts?.some((alert) => alert.key === key) === true;

const [lost, missing] = ['device.lost first', 'device.new-not-installed first'];

describe('an alert opens', () => {
  it.each<[string, string[], Partial<Facts>[]]>([
    ['where a machine lost the agent', ['', lost, ''], [one(1, yes), one(2, no), one(3, no)]],
    ['where a new one lacks it', ['', missing], [makeRun(makeMacs([])), one(2, no)]],
    ['where one comes back without it', ['', '', missing], [one(1, yes), makeRun(makeMacs([])), one(3, no)]],
    ['where one that is counted anew lacks it', ['', missing], [one(1, no, unmanaged), one(2, no)]],
    [
      'where one is exempt no more',
      ['', '', missing],
      [makeRun(makeMacs([])), { ...one(2, no), exemptions: [makeExemption('serial', 'C02SAME')] }, one(3, no)],
    ],
    ['not on its source’s first night, nor later', ['', '', ''], [one(1, no), one(2, no), one(3, no)]],
    [
      'not by the first night of another source',
      ['', '', ''],
      [
        one(1, yes),
        makeRun(makeMacs([]), makeMoreMacs([same(2, '1', no)])),
        makeRun(makeMacs([]), makeMoreMacs([same(3, '1', no)])),
      ],
    ],
    [
      'when the nights on which its source is untrusted are over',
      ['', '', lost],
      [one(1, yes), makeRun(makeMacs([same(2, '1', no)], broken)), one(4, no)],
    ],
    ['when its source is carried no more', ['', '', lost], [one(1, yes), makeRun(makeIncomplete('macs')), one(3, no)]],
    ['when the device is read again', ['', '', lost], [one(1, yes), makeRun(makeMacs([], unread)), one(3, no)]],
    [
      'not while its answer is from before a repair',
      ['', '', '', lost],
      [one(1, yes), makeRun(makeMacs([same(2, '1', no)], broken)), one(2, no), one(5, no)],
    ],
    ['not where it is not counted', ['', ''], [one(1, yes), one(2, no, unmanaged)]],
    [
      'not where it is exempt',
      ['', ''],
      [one(1, yes), { ...one(2, no), exemptions: [makeExemption('serial', 'C02SAME')] }],
    ],
    [
      'not where it is a canary',
      ['', ''],
      [one(1, yes), { ...one(2, no), canaries: [{ source: 'macs', serial: 'C02SAME', expect: no }] }],
    ],
    [
      'not in the run in which an answer is older than the one that stood, but in the next',
      ['', '', lost],
      [
        one(1, yes, { lastSeenAt: at(1) }),
        one(2, no, { id: '2', lastSeenAt: at(1, 0, -1) }),
        one(2, no, { id: '2', lastSeenAt: at(1, 0, -1) }),
      ],
    ],
    [
      'by one that is as old',
      ['', lost],
      [one(1, yes, { lastSeenAt: at(1) }), one(2, no, { id: '2', lastSeenAt: at(1) })],
    ],
    [
      'so too where it lacked the agent before',
      ['', '', '', missing],
      [
        makeRun(makeMacs([])),
        one(2, no, { enrolledAt: at(2), lastSeenAt: at(2) }),
        one(3, no, { id: '2', lastSeenAt: at(1) }),
        one(4, no, { id: '2', lastSeenAt: at(1) }),
      ],
    ],
    [
      'when the source of the record that stood is whole',
      ['', '', lost],
      [
        one(1, yes),
        makeRun(makeMacs([], broken), makeMoreMacs([same(2, '2', no)])),
        makeRun(makeMacs([]), makeMoreMacs([same(3, '2', no)])),
      ].map((two, night) => (night === 0 ? makeRun(makeMacs([same(1, '1', yes)]), makeMoreMacs([])) : two)),
    ],
  ])('%s', (_, expected, runs) => {
    expect(listEvents(judgeRuns(...runs))).toEqual(expected);
  });

  it('not on a suspect night', () => {
    const strict = { ...lenient, breaker: { ...lenient.breaker, minimumDevices: 10 } };
    const many = makeMacs([same(1, '1', yes), ...makeFleet(40)]);
    const all = judgeRuns({ sources: [many], policy: strict }, { ...one(2, no), policy: strict }, one(3, no));
    expect(all.map(({ sources }) => sources[0]?.soundness)).toEqual(['complete', 'suspect', 'complete']);
    expect(listEvents(all)).toEqual(['', '', lost]);
  });

  it.each([
    ['not within the grace after its enrolment', at(2, -3, 1), ''],
    ['when that is over', at(2, -3), lost],
    ['at once where its enrolment is not known', undefined, lost],
  ])('%s', (_, enrolledAt, expected) => {
    const changes = { enrolledAt } as Partial<DeviceFacts>;
    expect(listEvents(judgeRuns(one(1, yes, changes), one(2, no, changes)))).toEqual(['', expected]);
  });

  it('by the enrolment of the record that stands, whatever that of the others', () => {
    const old = same(1, '1', yes, { lastSeenAt: at(1, -0.1), enrolledAt: at(1, -5) });
    const stands = (night: number) => same(night, '2', no, { enrolledAt: at(2, -0.2) });
    const runs = [makeRun(makeMacs([old])), ...[2, 3, 4, 5].map((night) => makeRun(makeMacs([old, stands(night)])))];
    expect(listEvents(judgeRuns(...runs))).toEqual(['', '', '', '', lost]);
  });

  it('as lost where it had the agent before it lacked it, also where it was not counted then', () => {
    expect(listEvents(judgeRuns(one(1, yes, unmanaged), one(2, no)))).toEqual(['', lost]);
    expect(listEvents(judgeRuns(one(1, yes), one(2, no, unmanaged), one(3, no)))).toEqual(['', '', lost]);
  });
});

describe('an alert ends', () => {
  const begin = [one(1, yes), one(2, no)];

  it.each<[string, string, Partial<Facts>]>([
    ['where the machine has the agent', 'device.recovered over', one(3, yes)],
    ['where it is not counted any more', 'count.left over', one(3, no, unmanaged)],
    ['where it has the agent and is not counted', 'device.recovered over', one(3, yes, unmanaged)],
    ['where it is exempt', 'count.left over', { ...one(3, no), exemptions: [makeExemption('serial', 'C02SAME')] }],
    ['where it is gone', 'count.left over', makeRun(makeMacs([]))],
    [
      'where it is a canary',
      'device.lost over',
      { ...one(3, no), canaries: [{ source: 'macs', serial: 'C02SAME', expect: no }] },
    ],
    ['where its source left the settings', 'count.left over', makeRun(makeSource('windows', [makePc('a')]))],
    ['where it moved and has the agent', 'device.recovered over', one(3, yes, { id: '2' })],
    ['not where it moved and has not', '', one(3, no, { id: '2' })],
    ['not where its source is untrusted', '', makeRun(makeMacs([same(3, '1', yes)], broken))],
    ['not where it seems to be gone from an untrusted source', '', makeRun(makeMacs([], broken))],
    ['not where its source is carried', '', makeRun(makeIncomplete('macs'))],
    ['not where it could not be read', '', makeRun(makeMacs([], unread))],
  ])('%s', (_, expected, third) => {
    const all = judgeRuns(...begin, third);
    expect(listEvents(all)).toEqual(['', lost, expected]);
    expect(isOpen(all[2])).toBe(expected === '');
  });

  it('not by an answer from before a repair', () => {
    const all = judgeRuns(...begin, makeRun(makeMacs([same(3, '1', no)], broken)), one(3, yes), one(5, yes));
    expect(listEvents(all)).toEqual(['', lost, '', '', 'device.recovered over']);
  });

  it('with the reason why it is not counted, and what is left of a machine that is gone', () => {
    const end = (third: Partial<Facts>) => judgeRuns(...begin, third)[2]?.events.find((event) => event.key === key);
    expect(end(one(3, no, unmanaged))?.device).toMatchObject({ id: '1', status: no, reason: 'unmanaged' });
    expect(end({ ...one(3, no), exemptions: [makeExemption('serial', 'C02SAME')] })?.device).toMatchObject({
      reason: 'exempt',
    });
    expect(end(makeRun(makeMacs([])))).toMatchObject({
      source: 'macs',
      platform: 'macos',
      since: slot(2),
      device: { id: '1', name: 'mac-1', serialNumber: 'C02SAME', status: no, reason: 'removed' },
    });
    expect(end(makeRun(makeMacs([])))).not.toHaveProperty('text');
    expect(end(makeRun(makeSource('windows', [makePc('a')])))).toMatchObject({
      source: 'macs',
      kind: 'count.left',
      device: { reason: 'removed' },
      text: 'Its source macs was removed from the settings.',
    });
  });

  it('naming the machine that took its record', () => {
    const other = (night: number) => makeMac('2', no, { serialNumber: 'C02OTHER', reportedAt: at(night, -0.1) });
    const both = (night: number, value: string) =>
      makeRun(makeMacs([same(night, '1', value), makeMac('2', value, { ...other(night), answers: [{ value }] })]));
    // Both have one number now: the machine goes on in the entry of the record that stands.
    const merged = makeRun(
      makeMacs([
        same(3, '1', no, { serialNumber: 'C02OTHER', reportedAt: at(3, -0.2), lastSeenAt: at(3, -0.2) }),
        other(3),
      ]),
    );
    const [, , third] = judgeRuns(both(1, yes), both(2, no), merged);
    expect(third?.events.filter((event) => event.key.startsWith('device:'))).toMatchObject([
      {
        key,
        kind: 'count.left',
        phase: 'over',
        device: { id: '1', reason: 'superseded' },
        text: expect.stringContaining('device:macos/C02OTHER'),
      },
    ]);
    expect(third?.state.openAlerts?.map((alert) => alert.key)).toEqual(['device:macos/C02OTHER']);
  });

  it('and may open again later', () => {
    expect(listEvents(judgeRuns(...begin, one(3, yes), one(4, no)))).toEqual(['', lost, 'device.recovered over', lost]);
    expect(listEvents(judgeRuns(...begin, one(3, no, unmanaged), one(4, no)))).toEqual([
      '',
      lost,
      'count.left over',
      lost,
    ]);
    expect(listEvents(judgeRuns(...begin, makeRun(makeMacs([])), one(4, no)))).toEqual([
      '',
      lost,
      'count.left over',
      missing,
    ]);
  });
});

describe('a source that was taken out and comes back', () => {
  const away = makeRun(makeSource('windows', [makePc('a')]));
  const over = 'count.left over';

  it('has a first night, and machines that lacked the agent before alert again on the next', () => {
    const all = judgeRuns(one(1, yes), one(2, no), away, one(4, no), one(5, no));
    expect(all.map(({ sources }) => sources[0]?.first)).toEqual([true, false, true, true, false]);
    expect(listEvents(all)).toEqual(['', lost, over, '', lost]);
  });

  it('alerts of none that lacks the agent since its first night, before or after', () => {
    expect(listEvents(judgeRuns(one(1, no), away, one(3, no), one(4, no)))).toEqual(['', '', '', '']);
    expect(listEvents(judgeRuns(one(1, yes), away, one(3, no), one(4, no)))).toEqual(['', '', '', '']);
  });

  it('alerts of those that lose the agent later', () => {
    expect(listEvents(judgeRuns(one(1, yes), one(2, no), away, one(4, yes), one(5, no)))).toEqual([
      '',
      lost,
      over,
      '',
      lost,
    ]);
  });

  it('takes no alert with it of a machine that has a record elsewhere', () => {
    const both = (night: number, value: string) =>
      makeRun(makeMacs([same(night, '1', value)]), makeMoreMacs([same(1, '2', no, { lastSeenAt: at(1, -2) })]));
    const all = judgeRuns(both(1, yes), both(2, no), makeRun(makeMoreMacs([same(3, '2', no)])));
    expect(listEvents(all)).toEqual(['', lost, '']);
    expect(isOpen(all[2])).toBe(true);
  });

  it('takes it along while the other source is not whole', () => {
    const both = (night: number, value: string) =>
      makeRun(makeMacs([same(night, '1', value)]), makeMoreMacs([same(1, '2', no, { lastSeenAt: at(1, -2) })]));
    expect(listEvents(judgeRuns(both(1, yes), both(2, no), makeRun(makeIncomplete('macs-2'))))).toEqual([
      '',
      lost,
      over,
    ]);
  });
});

describe('a slot whose earlier attempt opened an alert', () => {
  const windows = makeSource('windows', [makePc('a')]);
  const attempt = (...sources: SourceFacts[]) => judgeRuns(makeRun(makeMacs([]), windows), makeRun(...sources))[1];

  it('says nothing twice, and ends it where the machine has the agent', () => {
    const openAlerts = attempt(makeMacs([same(2, '1', no)]), makeIncomplete('windows'))?.state.openAlerts ?? [];
    const judge = (value: string) =>
      judgeRuns(makeRun(makeMacs([]), windows), { ...makeRun(makeMacs([same(2, '1', value)]), windows), openAlerts });
    expect(listEvents(judge(no))).toEqual(['', '']);
    expect(listEvents(judge(yes))).toEqual(['', 'device.recovered over']);
  });

  it('ends it where nothing lists the machine, and keeps it while a source is not whole (G6)', () => {
    const openAlerts = attempt(makeMacs([same(2, '1', no)]), makeIncomplete('windows'))?.state.openAlerts ?? [];
    const judge = (...sources: SourceFacts[]) =>
      judgeRuns(makeRun(makeMacs([]), windows), { ...makeRun(...sources), openAlerts });
    expect(listEvents(judge(makeMacs([]), windows))).toEqual(['', 'device.new-not-installed over']);
    expect(listEvents(judge(makeIncomplete('macs'), windows))).toEqual(['', '']);
  });
});
