/** What an entry holds, when it moves on, and when its machine is gone. */
import { describe, expect, it } from 'vitest';
import { omitUndefined } from '../../src/base/omit-undefined.ts';
import type { DeviceFacts, SourceFacts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import {
  at,
  broken,
  findDevice,
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
import { findEntry, listNames, readHistory } from './records.ts';

const serial = { serialNumber: 'C02SAME' };
const name = 'macos/C02SAME';
/** The machine as a record of a source. */
const same = (id: string, value: string | null = yes, changes: Partial<DeviceFacts> = {}) =>
  makeMac(id, value, { ...serial, ...changes });

describe('an entry', () => {
  it('is what a run leaves of a machine', () => {
    const windows = makeSource('windows', [
      makePc('a', '3', {
        serialNumber: 'pf0-same',
        operatingSystem: 'macos',
        ownership: 'personal',
        lastSeenAt: at(1, -31),
        category: 'Lab',
        site: 'Vienna',
      }),
    ]);
    const [night] = judgeRuns({
      sources: [makeMacs([makeMac('1', no, { serialNumber: 'PF0SAME', managementState: 'unmanaged' })]), windows],
    });
    expect(findEntry(night, 'macos/PF0SAME')).toEqual({
      name: 'macos/PF0SAME',
      number: 'macos/PF0SAME',
      standing: {
        source: 'windows',
        kind: 'intune',
        id: 'a',
        operatingSystem: 'macos',
        name: 'pc-a',
        serialNumber: 'pf0-same',
        category: 'Lab',
        site: 'Vienna',
        reason: 'reported',
        stale: true,
        isPersonal: true,
        heardAt: at(1, -31),
      },
      others: [{ source: 'macs', kind: 'jamf', id: '1' }],
      counted: true,
      status: 'Not Installed',
      notInstalledSince: slot(1),
      opensNoAlert: true,
      history: [[slot(1), 'n']],
      listedOn: slot(1),
    });
    expect(Object.keys(omitUndefined(findEntry(night, 'macos/C02FX9') ?? {})).sort()).toEqual(
      ['counted', 'history', 'listedOn', 'name', 'number', 'proven', 'standing', 'status'].sort(),
    );
  });

  it('says why it is not counted, and the ledger is in the order of names', () => {
    const [night] = judgeRuns({
      sources: [makeMacs([makeMac('1'), makeMac('2', yes, { managementState: 'unmanaged' })])],
      exemptions: [makeExemption('device_id', '1')],
    });
    expect(night?.state.ledger.map(({ standing }) => standing.excludedBecause)).toEqual([
      'exempt',
      'unmanaged',
      undefined,
    ]);
    expect(listNames(night)).toEqual(['macos/C02FX1', 'macos/C02FX2', 'macos/C02FX9']);
  });
});

/** A machine that stood in `macs` on the first night, what its sources say on the second, and whether its entry moved on. */
type Row = [rule: string, movesOn: boolean, second: SourceFacts[], first?: SourceFacts[]];

describe('an entry moves on', () => {
  const first = [makeMacs([same('1')]), makeMoreMacs([])];
  const older = same('2', no, { lastSeenAt: at(1, -0.5) });
  const later = same('2', no, { reportedAt: at(3), lastSeenAt: at(3) });

  it.each<Row>([
    ['where the source of its record is complete', true, [makeMacs([same('1', no)]), makeMoreMacs([])]],
    [
      'where that is partial and its record was read',
      true,
      [makeMacs([same('1', no)], { unread: [{ id: '7', operatingSystem: 'macos' }] }), makeMoreMacs([])],
    ],
    ['not where its record could not be read', false, [makeMacs([], unread), makeMoreMacs([])]],
    [
      'not where its source is suspect',
      false,
      [makeMacs([same('1', no)]), makeMoreMacs([])],
      [makeMacs([same('1'), ...makeFleet(40)]), makeMoreMacs([])],
    ],
    ['not where its source is untrusted', false, [makeMacs([same('1', no)], broken), makeMoreMacs([])]],
    ['not where its source is carried', false, [makeIncomplete('macs'), makeMoreMacs([])]],
    [
      'where another record stands, and the one that stood is listed',
      true,
      [makeMacs([same('1')]), makeMoreMacs([later])],
    ],
    [
      'where another record stands, and the one that stood is carried over',
      true,
      [makeIncomplete('macs'), makeMoreMacs([later])],
    ],
    [
      'where another record stands, and the source of the one that stood is whole',
      true,
      [makeMacs([]), makeMoreMacs([older])],
    ],
    ['where another record stands, and that source is in the settings no more', true, [makeMoreMacs([older])]],
    ['not where that source is not whole and does not list it', false, [makeMacs([], broken), makeMoreMacs([older])]],
    ['where that source is not whole, and lists it', true, [makeMacs([same('1')], broken), makeMoreMacs([later])]],
    [
      'not where the record that stands now is in a source that is not whole',
      false,
      [makeMacs([]), makeMoreMacs([older], broken)],
    ],
  ])('%s', (_, movesOn, second, before = first) => {
    const policy = before === first ? lenient : { ...lenient, breaker: { ...lenient.breaker, minimumDevices: 10 } };
    const [one, two] = judgeRuns({ sources: before, policy }, { sources: second, policy });
    const [was, is] = [findEntry(one, name), findEntry(two, name)];
    expect(is?.listedOn).toBe(movesOn ? slot(2) : slot(1));
    // It stays what it was, to the letter.
    expect(movesOn || JSON.stringify(is) === JSON.stringify(was)).toBe(true);
  });

  it('new ones only where their source is whole and they were read', () => {
    const known = (...sources: SourceFacts[]) =>
      listNames(judgeRuns(makeRun(makeMacs([]), makeMoreMacs([])), makeRun(...sources))[1]);
    expect(known(makeMacs([same('1')]), makeMoreMacs([]))).toContain(name);
    expect(known(makeMacs([same('1')], broken), makeMoreMacs([]))).not.toContain(name);
    expect(known(makeMacs([], unread), makeMoreMacs([]))).toEqual(['macos/C02FX8', 'macos/C02FX9']);
  });
});

describe('a machine that no record stands for any more', () => {
  it.each<Row>([
    ['is gone where its source is whole', true, [makeMacs([]), makeMoreMacs([])]],
    [
      'is not where its source is suspect',
      false,
      [makeMacs([]), makeMoreMacs([])],
      [makeMacs([same('1'), ...makeFleet(40)]), makeMoreMacs([])],
    ],
    ['is not where its source is untrusted', false, [makeMacs([], broken), makeMoreMacs([])]],
    ['is not where its source is in the settings no more', false, [makeMoreMacs([])]],
    [
      'is not where the source of another of its records is untrusted',
      false,
      [makeMacs([]), makeMoreMacs([], broken)],
      [makeMacs([same('1')]), makeMoreMacs([same('2', yes, { reportedAt: at(1, -2) })])],
    ],
    [
      'is where that is in the settings no more',
      true,
      [makeMacs([])],
      [makeMacs([same('1')]), makeMoreMacs([same('2', yes, { reportedAt: at(1, -2) })])],
    ],
  ])('%s', (_, isGone, second, first = [makeMacs([same('1')]), makeMoreMacs([])]) => {
    const isStrict = first[0]?.devices.length !== 2;
    const policy = isStrict ? { ...lenient, breaker: { ...lenient.breaker, minimumDevices: 10 } } : lenient;
    const [one, two] = judgeRuns({ sources: first, policy }, { sources: second, policy });
    const [was, is] = [findEntry(one, name), findEntry(two, name)];
    expect(is?.isGone === true).toBe(isGone);
    expect(is).toEqual(
      isGone
        ? {
            ...was,
            isGone: true,
            history: [
              [slot(1), 'I'],
              [slot(2), '-'],
            ],
          }
        : was,
    );
  });

  it('goes on with its entry when it comes back, and with the date since which it lacks the agent [D4]', () => {
    const [, lost, gone, back, well] = judgeRuns(
      ...[[same('1')], [same('1', no)], [], [same('2', no)], [same('2')]].map((devices) => makeRun(makeMacs(devices))),
    );
    expect(findEntry(lost, name)?.notInstalledSince).toBe(slot(2));
    expect(findEntry(gone, name)).toMatchObject({ isGone: true, listedOn: slot(2), notInstalledSince: slot(2) });
    expect(findEntry(back, name)).toMatchObject({
      listedOn: slot(4),
      notInstalledSince: slot(2),
      standing: { id: '2' },
    });
    expect(findEntry(back, name)?.isGone).toBeUndefined();
    expect(findEntry(well, name)?.notInstalledSince).toBeUndefined();
    expect(readHistory(well, name)).toBe('01I 02N 03- 04N 05I');
  });
});

describe('not installed since', () => {
  const at2 = (changes: Partial<SourceFacts>) => makeRun(makeMacs([same('1', no)], changes));
  const since = (night: Night | undefined) => findDevice(night, '1').judgement.notInstalledSince;

  it('is the night’s own while nights are not whole, and then that on which the entry became so', () => {
    const all = judgeRuns(makeRun(makeMacs([same('1')])), at2(broken), at2(broken), at2({}), at2(broken), at2({}));
    expect(all.map(since)).toEqual([undefined, slot(2), slot(3), slot(4), slot(4), slot(4)]);
  });

  it('begins anew where it had the agent between', () => {
    const all = judgeRuns(...[no, yes, no].map((value) => makeRun(makeMacs([same('1', value)]))));
    expect(all.map(since)).toEqual([slot(1), undefined, slot(3)]);
  });

  it('stays through a move, and while the machine is not counted', () => {
    const all = judgeRuns(
      ...[same('1', no), same('1', no, { managementState: 'unmanaged' }), same('2', no)].map((one) =>
        makeRun(makeMacs([one])),
      ),
    );
    expect(all.map((night) => findEntry(night, name)?.notInstalledSince)).toEqual([slot(1), slot(1), slot(1)]);
  });
});

describe('a machine’s history', () => {
  it('has a step where its letter is another, through moves too', () => {
    const runs = [same('1'), same('1'), same('1', no), same('2', no), same('2', null)].map((one) =>
      makeRun(makeMacs([one])),
    );
    expect(readHistory(judgeRuns(...runs).at(-1), name)).toBe('01I 03N 05n');
  });

  it('has no step on nights on which its entry stays', () => {
    const all = judgeRuns(
      makeRun(makeMacs([same('1')])),
      makeRun(makeMacs([same('1', no)], broken)),
      makeRun(makeIncomplete('macs')),
      makeRun(makeMacs([same('1')])),
    );
    // Its answer is from before the repair.
    expect(readHistory(all.at(-1), name)).toBe('01I 04i');
  });

  it('has the last 30 changes', () => {
    const flap = (night: number) => same('1', night % 2 === 0 ? no : yes, { reportedAt: at(night, -0.1) });
    const all = judgeRuns(...Array.from({ length: 32 }, (_, index) => makeRun(makeMacs([flap(index + 1)]))));
    const histories = all.map((night) => findEntry(night, name)?.history ?? []);
    expect(histories.slice(28).map(({ length }) => length)).toEqual([29, 30, 30, 30]);
    expect([histories[31]?.[0], histories[31]?.at(-1)]).toEqual([
      [slot(3), 'I'],
      [slot(32), 'N'],
    ]);
  });
});
