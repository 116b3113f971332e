/** What differs between entries and machines: the rows of `changes`, and what a run leaves out of them. */
import { describe, expect, it } from 'vitest';
import type { DeviceFacts, Facts, SourceFacts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import {
  at,
  findDevice,
  findFigures,
  judgeRuns,
  judgeSource,
  lenient,
  listChanges,
  makeFinding,
  makeIncomplete,
  makeMac,
  makeSource,
  no,
  slot,
  yes,
} from './make-facts.ts';

const macs = (...devices: DeviceFacts[]) => makeSource('macs', devices);
const unmanaged = { managementState: 'unmanaged' };
const broken = { findings: [makeFinding('fail')] };
/** The same machine, whatever its id. */
const same = (id: string, value: string | null = yes, changes: Partial<DeviceFacts> = {}) =>
  makeMac(id, value, { serialNumber: 'C02SAME', ...changes });
/** Both sources have another machine besides. */
const both = (here: DeviceFacts[], there: DeviceFacts[], changes: Partial<SourceFacts> = {}): Partial<Facts> => ({
  sources: [macs(...here, makeMac('9')), makeSource('macs-2', [...there, makeMac('8')], changes)],
  policy: lenient,
});
const kinds = (night: Night | undefined) => night?.changes.map(({ kind }) => kind);

it('each kind is in one night, ordered by device id', () => {
  const before = [makeMac('1'), makeMac('2', no), makeMac('3'), makeMac('4'), makeMac('5', yes, unmanaged), same('8')];
  const stayed = [makeMac('1', no), makeMac('2'), makeMac('4', yes, unmanaged), makeMac('5')];
  const night = judgeSource(macs(...before), macs(...stayed, makeMac('6'), makeMac('7', null), same('9')))[1];
  expect(night?.changes.map(({ device: { id }, kind, from, to, reason }) => [id, kind, from, to, reason])).toEqual([
    ['1', 'lost', yes, no, 'reported'],
    ['2', 'recovered', no, yes, 'reported'],
    ['3', 'removed', yes, undefined, 'reported'],
    ['4', 'excluded', yes, yes, 'unmanaged'],
    ['5', 'included', yes, yes, 'unmanaged'],
    ['6', 'new-installed', undefined, yes, 'reported'],
    ['7', 'new-not-installed', undefined, no, 'never-reported'],
    ['9', 'moved', yes, yes, 'reported'],
  ]);
  expect(night?.changes.map(({ flow }) => flow)).toEqual([
    ...[undefined, undefined, 'left', 'left', 'joined', 'joined', 'joined', undefined],
  ]);
  expect(findFigures(night, 'macs')).toMatchObject({ counted: 6, lost: 1, recovered: 1, joined: 3, left: 2 });
});

describe('a row about a machine that is gone', () => {
  it('says what its entry holds of the record that stood, and no user', () => {
    const facts = { user: 'ada', site: 'Vienna', department: 'IT', building: 'A', category: 'Lab' };
    const [, night] = judgeSource(macs(makeMac('1', null, facts), makeMac('9')), macs(makeMac('9')));
    expect(night?.changes).toEqual([
      {
        source: 'macs',
        operatingSystem: 'macos',
        device: { ...facts, id: '1', name: 'mac-1', serialNumber: 'C02FX1', lastSeenAt: at(1, -0.5), user: undefined },
        kind: 'removed',
        from: no,
        to: undefined,
        reason: 'never-reported',
        flow: 'left',
      },
    ]);
  });

  it('is none where it was not counted, or was gone before', () => {
    const all = judgeSource(
      macs(makeMac('1', yes, unmanaged), makeMac('2'), makeMac('9')),
      macs(makeMac('9')),
      macs(makeMac('9')),
    );
    expect(all.map(listChanges)).toEqual([[], ['macs 2 removed'], []]);
  });

  it.each([
    [yes, 'X'],
    [no, 'x'],
  ])('of which another has the record, says that it is superseded, and was %s', (value) => {
    // One has the record that stood; the other its number, under which both are one machine.
    const two = macs(makeMac('1', value, { serialNumber: 'C02SAME2' }), same('2'), makeMac('9'));
    const [, night] = judgeSource(two, macs(same('1'), same('2'), makeMac('9')));
    const rows = night?.changes.map(({ device: { id }, kind, from, to, reason, flow }) => [
      id,
      kind,
      from,
      to,
      reason,
      flow,
    ]);
    expect(rows).toEqual([['1', 'excluded', value, undefined, 'superseded', 'left']]);
  });
});

describe('a machine that comes back', () => {
  it.each([
    ['under its id', '1', yes, 'new-installed'],
    ['under another id', '2', no, 'new-not-installed'],
  ])('%s is new, and has not moved', (_, id, value, kind) => {
    const all = judgeSource(macs(same('1', no), makeMac('9')), macs(makeMac('9')), macs(same(id, value), makeMac('9')));
    expect(all.map(listChanges)).toEqual([[], ['macs 1 removed'], [`macs ${id} ${kind}`]]);
    expect(all[2]?.changes[0]).toMatchObject({ from: undefined, to: value, flow: 'joined' });
  });

  it('and is not counted has no row', () => {
    const all = judgeSource(
      macs(same('1'), makeMac('9')),
      macs(makeMac('9')),
      macs(same('1', yes, unmanaged), makeMac('9')),
    );
    expect(listChanges(all[2])).toEqual([]);
  });
});

describe('a machine for which another record stands', () => {
  it.each<[string, DeviceFacts, DeviceFacts, string[]]>([
    ['has moved', same('1'), same('2'), ['moved']],
    ['has moved and lost the agent', same('1'), same('2', no), ['moved', 'lost']],
    ['has moved and recovered', same('1', no), same('2'), ['moved', 'recovered']],
    ['has moved and is excluded', same('1'), same('2', no, unmanaged), ['moved', 'excluded']],
    ['has moved and is included', same('1', no, unmanaged), same('2'), ['moved', 'included']],
    ['has moved, counted neither before nor now', same('1', yes, unmanaged), same('2', no, unmanaged), ['moved']],
    ['has moved and is not proven any more', same('1'), same('2', `${yes} `, { lastSeenAt: at(1, -40) }), ['moved']],
  ])('%s', (_, before, after, rows) => {
    expect(kinds(judgeRuns(both([before], []), both([after], []))[1])).toEqual(rows);
    // Likewise in another source.
    expect(kinds(judgeRuns(both([before], []), both([], [after]))[1])).toEqual(rows);
  });

  it.each<[string, DeviceFacts, DeviceFacts, (string | undefined)[][]]>([
    ['joins there and leaves here', same('1'), same('2'), [['moved', 'both']]],
    [
      'only leaves where it is not counted there',
      same('1'),
      same('2', yes, unmanaged),
      [
        ['moved', undefined],
        ['excluded', 'left'],
      ],
    ],
    [
      'only joins where it was not counted here',
      same('1', yes, unmanaged),
      same('2'),
      [
        ['moved', undefined],
        ['included', 'joined'],
      ],
    ],
  ])('in another source %s', (_, before, after, rows) => {
    const [, night] = judgeRuns(both([before], []), both([], [after]));
    expect(night?.changes.map(({ kind, flow, source: name }) => [kind, flow, name])).toEqual(
      rows.map((row) => [...row, 'macs-2']),
    );
  });

  it('gives the reason of its answer for the move, and that of the exclusion for what it does to the count', () => {
    const [, night] = judgeRuns(both([same('1', yes, unmanaged)], []), both([same('2', no)], []));
    expect(night?.changes.map(({ kind, reason }) => [kind, reason])).toEqual([
      ['moved', 'reported'],
      ['included', 'unmanaged'],
    ]);
  });

  it('in a source on its first night has no row but that it moved', () => {
    const first = { sources: [macs(same('1', no), makeMac('9'))] };
    for (const after of [same('2'), same('2', no, unmanaged), same('2', no)]) {
      const [, night] = judgeRuns(first, both([], [after]));
      expect(listChanges(night)).toEqual(['macs-2 2 moved']);
    }
    expect(judgeRuns(first, both([same('1', no)], [makeMac('7', no)]))[1]?.changes).toEqual([]);
  });
});

describe('a record that was last heard from before the one that stood', () => {
  const heard = (id: string, value: string, days: number) =>
    same(id, value, { reportedAt: at(1, days), lastSeenAt: at(1, days) });

  it.each([
    ['makes no machine lost', yes, no, -0.501, ['moved']],
    ['makes no machine recovered', no, yes, -0.501, ['moved']],
    ['says so where it was heard from at the same time', yes, no, -0.5, ['moved', 'lost']],
    ['says so where it was heard from later', no, yes, -0.499, ['moved', 'recovered']],
  ])('%s', (_, was, is, days, rows) => {
    const [, night] = judgeRuns(both([heard('1', was, -0.5)], []), both([heard('2', is, days)], []));
    expect(kinds(night)).toEqual(rows);
    expect(findFigures(night, 'macs')).toMatchObject({
      lost: Number(rows.includes('lost')),
      recovered: Number(rows.includes('recovered')),
    });
  });

  it('all the same enters and leaves the count', () => {
    const [, night] = judgeRuns(both([heard('1', yes, -0.5)], []), both([{ ...heard('2', no, -3), ...unmanaged }], []));
    expect(kinds(night)).toEqual(['moved', 'excluded']);
  });

  it('is judged by when the one that stood is listed as heard from now', () => {
    // The one that stood became unmanaged, and was heard from again.
    const after = [{ ...heard('1', yes, 0), ...unmanaged }, heard('2', no, -0.25)];
    const [, night] = judgeRuns(both([heard('1', yes, -0.5)], []), both(after, []));
    expect(kinds(night)).toEqual(['moved']);
  });

  it('is no matter of one record whose clock was set back', () => {
    expect(kinds(judgeRuns(both([heard('1', yes, -0.5)], []), both([heard('1', no, -0.9)], []))[1])).toEqual(['lost']);
  });
});

describe('a source that is not whole', () => {
  const whole = macs(same('1'), makeMac('2'), makeMac('3', no), makeMac('4'), makeMac('5', yes, unmanaged));
  const after = [same('9'), makeMac('2', no), makeMac('3'), makeMac('5'), makeMac('6')];
  const rows = [
    'macs 2 lost',
    'macs 3 recovered',
    'macs 4 removed',
    'macs 5 included',
    'macs 6 new-installed',
    'macs 9 moved',
  ];
  const recent = after.map((one) => ({ ...one, reportedAt: at(3), lastSeenAt: at(3) }));

  it.each<[string, Partial<SourceFacts>, Partial<Facts>]>([
    ['untrusted', broken, { policy: lenient }],
    ['suspect', {}, { policy: { ...lenient, breaker: { ...lenient.breaker, minimumDevices: 1 } } }],
  ])('and %s shows its rows against the unmoved entries, and again when they move on', (soundness, changes, policy) => {
    const tonight = { sources: [makeSource('macs', after, changes)], ...policy };
    const [, first, again, sound] = judgeRuns({ sources: [whole] }, tonight, tonight, {
      sources: [macs(...recent)],
      policy: lenient,
    });
    expect([first, again].map((night) => night?.sources[0]?.soundness)).toEqual([soundness, soundness]);
    expect([first, again, sound].map(listChanges)).toEqual([rows, rows, rows]);
    expect([first, again].flatMap((night) => night?.events.filter(({ key }) => key.startsWith('device:')))).toEqual([]);
  });

  it('and untrusted or suspect on its first night has none', () => {
    expect(listChanges(judgeRuns({ sources: [makeSource('macs', [makeMac('1')], broken)] })[0])).toEqual([]);
  });

  it('and carried has none, nor has a device that could not be read', () => {
    const unread = { unread: [{ id: '2', operatingSystem: 'macos' }] };
    const all = judgeRuns(
      { sources: [whole] },
      { sources: [makeIncomplete('macs', after)] },
      {
        sources: [
          makeSource(
            'macs',
            whole.devices.filter(({ id }) => id !== '2'),
            unread,
          ),
        ],
      },
    );
    expect(all.map(listChanges)).toEqual([[], [], []]);
  });

  it('and does not list a machine that turns up elsewhere leaves it where it was until it is whole', () => {
    const late = same('1', no, { reportedAt: at(2), lastSeenAt: at(2) });
    const [, waiting, moved] = judgeRuns(
      both([same('1')], []),
      {
        ...both([], [late]),
        sources: [makeSource('macs', [makeMac('9')], broken), makeSource('macs-2', [late, makeMac('8')])],
      },
      both([], [late]),
    );
    expect(listChanges(waiting)).toEqual([]);
    expect(listChanges(moved)).toEqual(['macs-2 1 moved', 'macs-2 1 lost']);
  });
});

it('since when is that of the machine through a move', () => {
  const all = judgeRuns(both([same('1', no)], []), both([], [same('1', no)]));
  expect(listChanges(all[1])).toEqual(['macs-2 1 moved']);
  expect(findDevice(all[1], '1').judgement.notInstalledSince).toBe(slot(1));
});

it('names like those of every object lose nobody [N14]', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '10', '2', '0'];
  const odd = (value: string) => macs(...names.map((name) => makeMac(name, value, { name, serialNumber: name })));
  const all = judgeSource(odd(yes), odd(no));

  expect(all[1]?.devices.map(({ facts }) => facts.id)).toEqual([...names].sort());
  // "0" is a placeholder, so only its serial number says nothing.
  expect(findFigures(all[1], 'macs')).toMatchObject({ devices: 8, counted: 8, lost: 8 });
});
