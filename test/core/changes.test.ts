/** What differs between entries and machines: the rows of `changes`, and what a run leaves out of them. */
import { describe, expect, it } from 'vitest';
import type { DeviceFacts, Facts, SourceFacts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import {
  at,
  device,
  figures,
  incomplete,
  instrument,
  lenient,
  mac,
  nights,
  nightsOf,
  no,
  slot,
  source,
  told,
  yes,
} from './make-facts.ts';

const macs = (...devices: DeviceFacts[]) => source('macs', devices);
const unmanaged = { managementState: 'unmanaged' };
const broken = { findings: [instrument('fail')] };
/** The same machine, whatever its id. */
const same = (id: string, value: string | null = yes, changes: Partial<DeviceFacts> = {}) =>
  mac(id, value, { serialNumber: 'C02SAME', ...changes });
/** Both sources have another machine besides. */
const both = (here: DeviceFacts[], there: DeviceFacts[], changes: Partial<SourceFacts> = {}): Partial<Facts> => ({
  sources: [macs(...here, mac('9')), source('macs-2', [...there, mac('8')], changes)],
  policy: lenient,
});
const kinds = (night: Night | undefined) => night?.changes.map(({ kind }) => kind);

it('each kind is in one night, ordered by device id', () => {
  const before = [mac('1'), mac('2', no), mac('3'), mac('4'), mac('5', yes, unmanaged), same('8')];
  const after = [mac('1', no), mac('2'), mac('4', yes, unmanaged), mac('5'), mac('6'), mac('7', null), same('9')];
  const night = nightsOf(macs(...before), macs(...after))[1];

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
  expect(figures(night, 'macs')).toMatchObject({ counted: 6, lost: 1, recovered: 1, joined: 3, left: 2 });
});

describe('a row about a machine that is gone', () => {
  it('says what its entry holds of the record that stood, and no user', () => {
    const facts = { user: 'ada', site: 'Vienna', department: 'IT', building: 'A', category: 'Lab' };
    const [, night] = nightsOf(macs(mac('1', null, facts), mac('9')), macs(mac('9')));
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
    const all = nightsOf(macs(mac('1', yes, unmanaged), mac('2'), mac('9')), macs(mac('9')), macs(mac('9')));
    expect(all.map(told)).toEqual([[], ['macs 2 removed'], []]);
  });

  it.each([
    [yes, 'X'],
    [no, 'x'],
  ])('of which another has the record, says that it is superseded, and was %s', (value) => {
    // One has the record that stood; the other its number, under which both are one machine.
    const two = macs(mac('1', value, { serialNumber: 'C02SAME2' }), same('2'), mac('9'));
    const [, night] = nightsOf(two, macs(same('1'), same('2'), mac('9')));
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
    const all = nightsOf(macs(same('1', no), mac('9')), macs(mac('9')), macs(same(id, value), mac('9')));
    expect(all.map(told)).toEqual([[], ['macs 1 removed'], [`macs ${id} ${kind}`]]);
    expect(all[2]?.changes[0]).toMatchObject({ from: undefined, to: value, flow: 'joined' });
  });

  it('and is not counted has no row', () => {
    const all = nightsOf(macs(same('1'), mac('9')), macs(mac('9')), macs(same('1', yes, unmanaged), mac('9')));
    expect(told(all[2])).toEqual([]);
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
    expect(kinds(nights(both([before], []), both([after], []))[1])).toEqual(rows);
    // Likewise in another source.
    expect(kinds(nights(both([before], []), both([], [after]))[1])).toEqual(rows);
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
    const [, night] = nights(both([before], []), both([], [after]));
    expect(night?.changes.map(({ kind, flow, source: name }) => [kind, flow, name])).toEqual(
      rows.map((row) => [...row, 'macs-2']),
    );
  });

  it('gives the reason of its answer for the move, and that of the exclusion for what it does to the count', () => {
    const [, night] = nights(both([same('1', yes, unmanaged)], []), both([same('2', no)], []));
    expect(night?.changes.map(({ kind, reason }) => [kind, reason])).toEqual([
      ['moved', 'reported'],
      ['included', 'unmanaged'],
    ]);
  });

  it('in a source on its first night has no row but that it moved', () => {
    const first = { sources: [macs(same('1', no), mac('9'))] };
    for (const after of [same('2'), same('2', no, unmanaged), same('2', no)]) {
      const [, night] = nights(first, both([], [after]));
      expect(told(night)).toEqual(['macs-2 2 moved']);
    }
    expect(nights(first, both([same('1', no)], [mac('7', no)]))[1]?.changes).toEqual([]);
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
    const [, night] = nights(both([heard('1', was, -0.5)], []), both([heard('2', is, days)], []));
    expect(kinds(night)).toEqual(rows);
    expect(figures(night, 'macs')).toMatchObject({
      lost: Number(rows.includes('lost')),
      recovered: Number(rows.includes('recovered')),
    });
  });

  it('all the same enters and leaves the count', () => {
    const [, night] = nights(both([heard('1', yes, -0.5)], []), both([{ ...heard('2', no, -3), ...unmanaged }], []));
    expect(kinds(night)).toEqual(['moved', 'excluded']);
  });

  it('is judged by when the one that stood is listed as heard from now', () => {
    // The one that stood became unmanaged, and was heard from again.
    const after = [{ ...heard('1', yes, 0), ...unmanaged }, heard('2', no, -0.25)];
    const [, night] = nights(both([heard('1', yes, -0.5)], []), both(after, []));
    expect(kinds(night)).toEqual(['moved']);
  });

  it('is no matter of one record whose clock was set back', () => {
    expect(kinds(nights(both([heard('1', yes, -0.5)], []), both([heard('1', no, -0.9)], []))[1])).toEqual(['lost']);
  });
});

describe('a source that is not whole', () => {
  const whole = macs(same('1'), mac('2'), mac('3', no), mac('4'), mac('5', yes, unmanaged));
  const after = [same('9'), mac('2', no), mac('3'), mac('5'), mac('6')];
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
    const tonight = { sources: [source('macs', after, changes)], ...policy };
    const [, first, again, sound] = nights({ sources: [whole] }, tonight, tonight, {
      sources: [macs(...recent)],
      policy: lenient,
    });
    expect([first, again].map((night) => night?.sources[0]?.soundness)).toEqual([soundness, soundness]);
    expect([first, again, sound].map(told)).toEqual([rows, rows, rows]);
    expect([first, again].flatMap((night) => night?.events.filter(({ key }) => key.startsWith('device:')))).toEqual([]);
  });

  it('and untrusted or suspect on its first night has none', () => {
    expect(told(nights({ sources: [source('macs', [mac('1')], broken)] })[0])).toEqual([]);
  });

  it('and carried has none, nor has a device that could not be read', () => {
    const unread = { unread: [{ id: '2', operatingSystem: 'macos' }] };
    const all = nights(
      { sources: [whole] },
      { sources: [incomplete('macs', after)] },
      {
        sources: [
          source(
            'macs',
            whole.devices.filter(({ id }) => id !== '2'),
            unread,
          ),
        ],
      },
    );
    expect(all.map(told)).toEqual([[], [], []]);
  });

  it('and does not list a machine that turns up elsewhere leaves it where it was until it is whole', () => {
    const late = same('1', no, { reportedAt: at(2), lastSeenAt: at(2) });
    const [, waiting, moved] = nights(
      both([same('1')], []),
      { ...both([], [late]), sources: [source('macs', [mac('9')], broken), source('macs-2', [late, mac('8')])] },
      both([], [late]),
    );
    expect(told(waiting)).toEqual([]);
    expect(told(moved)).toEqual(['macs-2 1 moved', 'macs-2 1 lost']);
  });
});

it('since when is that of the machine through a move', () => {
  const all = nights(both([same('1', no)], []), both([], [same('1', no)]));
  expect(told(all[1])).toEqual(['macs-2 1 moved']);
  expect(device(all[1], '1').judgement.notInstalledSince).toBe(slot(1));
});

it('names like those of every object lose nobody [N14]', () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '10', '2', '0'];
  const odd = (value: string) => macs(...names.map((name) => mac(name, value, { name, serialNumber: name })));
  const all = nightsOf(odd(yes), odd(no));

  expect(all[1]?.devices.map(({ facts }) => facts.id)).toEqual([...names].sort());
  // "0" is a placeholder, so only its serial number says nothing.
  expect(figures(all[1], 'macs')).toMatchObject({ devices: 8, counted: 8, lost: 8 });
});
