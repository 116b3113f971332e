/** The rows of a source that a run shows: its own, and those that its last whole run leaves to gathering. */
import { describe, expect, it } from 'vitest';
import type { CarriedRows, DeviceFacts, ShownRow, SourceFacts } from '../../src/core/facts/facts.ts';
import {
  findReadingTime,
  listShownRows,
  needsCarriedRows,
  selectCarriedRows,
} from '../../src/core/record/shown-rows.ts';
import { judgeAfter } from '../judge-after.ts';
import {
  at,
  conclude,
  findDevice,
  judgeSource,
  makeFacts,
  makeFinding,
  makeIncomplete,
  makeMac,
  makeSource,
  slot,
} from './make-facts.ts';

it.each([
  [at(2, 0, 1), at(2, 0, 1)],
  [at(2), at(2)],
  [at(1), at(2)],
])('a reading that ended at %s counts as of %s', (ended, time) => {
  expect(findReadingTime({ receipt: { ended } }, { moment: at(2) })).toBe(time);
});

const run = { slot: slot(2), moment: at(2) };
const row = (facts: DeviceFacts, more: Partial<ShownRow> = {}): ShownRow => ({ facts, answeredOn: slot(1), ...more });
const carrying = (rows: readonly ShownRow[]): { carried: CarriedRows } => ({ carried: { slot: slot(1), rows } });
const unread = (...ids: string[]) => ({ unread: ids.map((id) => ({ id, operatingSystem: 'macos' })) });
const blank = (id: string): ShownRow => ({ facts: { id, operatingSystem: 'macos', answers: [] }, unread: true });

describe('a run shows', () => {
  it.each<[string, SourceFacts, ShownRow[]]>([
    [
      'what was read, by id',
      makeSource('macs', [makeMac('2'), makeMac('1')]),
      [makeMac('1'), makeMac('2')].map((one) => row(one, { answeredOn: slot(2) })),
    ],
    [
      'none of the carried rows where the source was read',
      makeSource('macs', [makeMac('2')], carrying([row(makeMac('1'))])),
      [row(makeMac('2'), { answeredOn: slot(2) })],
    ],
    ['nothing that an incomplete answer holds', makeIncomplete('macs', [makeMac('2')]), []],
    [
      'the carried rows as they were shown where the source was not read',
      {
        ...makeIncomplete('macs', [makeMac('2')]),
        ...carrying([row(makeMac('1')), row(makeMac('3'), { unread: true }), blank('4')]),
      },
      [row(makeMac('1')), row(makeMac('3'), { unread: true }), blank('4')],
    ],
    [
      'a device that could not be read as it was when it was read last',
      makeSource('macs', [makeMac('2')], { ...unread('1'), ...carrying([row(makeMac('1')), row(makeMac('3'))]) }),
      [row(makeMac('1'), { unread: true }), row(makeMac('2'), { answeredOn: slot(2) })],
    ],
    [
      'nothing but the id of one that was never read',
      makeSource('macs', [makeMac('2')], unread('1')),
      [blank('1'), row(makeMac('2'), { answeredOn: slot(2) })],
    ],
    [
      'nothing but its id where other rows are carried',
      makeSource('macs', [], { ...unread('1'), ...carrying([row(makeMac('3'))]) }),
      [blank('1')],
    ],
  ])('%s', (_, facts, rows) => {
    expect(listShownRows(facts, run)).toEqual(rows);
  });

  it('no date that is more than a day after the reading', () => {
    const ahead = makeMac('1', 'Installed', { enrolledAt: at(3, 0, 1) });
    expect(listShownRows(makeSource('macs', [ahead]), run)[0]?.facts).not.toHaveProperty('enrolledAt');
    const read = makeSource('macs', [ahead]);
    const late = { ...read, receipt: { ...read.receipt, ended: at(2, 0, 1) } };
    expect(listShownRows(late, run)[0]?.facts).toEqual(ahead);
  });
});

describe('the facts of a run hold', () => {
  const rows = [row(makeMac('1')), row(makeMac('2'), { unread: true }), blank('3')];
  const ids = (facts: SourceFacts) => {
    const selected = needsCarriedRows(facts) ? selectCarriedRows(facts, { slot: slot(1), rows }) : undefined;
    return selected?.rows.map(({ facts: { id } }) => id);
  };

  it.each<[string, string[] | undefined, SourceFacts]>([
    ['no carried rows where all was read', undefined, makeSource('macs', [makeMac('1')])],
    ['none where no device was unread', undefined, makeSource('macs', [makeMac('1')], unread())],
    ['all of them where the source was not read', ['1', '2', '3'], makeIncomplete('macs')],
    ['those of devices that could not be read', ['2'], makeSource('macs', [], unread('2', '4'))],
    ['none of a device that was never read', undefined, makeSource('macs', [], unread('3'))],
  ])('%s', (_, expected, facts) => {
    expect(ids(facts)).toEqual(expected);
  });
});

describe('rows are carried over', () => {
  const macs = makeSource('macs', [makeMac('1'), makeMac('2', 'Not Installed')]);
  const broken = makeSource('macs', [makeMac('1', 'Not Installed')], { findings: [makeFinding('fail')] });
  const shown = (night: ReturnType<typeof judgeSource>[number] | undefined) =>
    night?.devices.map((one) => `${one.facts.id} ${one.judgement.status}, ${one.judgement.answeredOn}`);
  const lastWhole = [`1 Installed, ${slot(1)}`, `2 Not Installed, ${slot(1)}`];

  it('from the last whole run, through nights that were carried, suspect or untrusted', () => {
    const all = judgeSource(macs, makeIncomplete('macs'), broken, makeIncomplete('macs'), makeIncomplete('macs'));
    expect(all.map(({ sources }) => sources[0]?.soundness)).toEqual([
      'complete',
      'carried',
      'untrusted',
      'carried',
      'carried',
    ]);
    expect([all[1], all[3], all[4]].map(shown)).toEqual([lastWhole, lastWhole, lastWhole]);
    expect(shown(all[2])).toEqual([`1 Not Installed, ${slot(3)}`]);
  });

  it('with the unread rows of that run, which stay unread', () => {
    const [, , carried] = judgeSource(
      macs,
      makeSource('macs', [makeMac('1')], unread('2', '3')),
      makeIncomplete('macs'),
    );
    expect(conclude(findDevice(carried, '2'))).toMatchObject({ reason: 'unread', answeredOn: slot(1), proven: false });
    expect(conclude(findDevice(carried, '1'))).toMatchObject({ reason: 'reported', answeredOn: slot(2) });
    expect(conclude(findDevice(carried, '3'))).toMatchObject({ reason: 'unread', answeredOn: undefined });
  });

  it('to no other source of that name', () => {
    const [, night] = judgeSource(macs, { ...makeIncomplete('macs'), kind: 'intune' });
    expect(night?.sources[0]?.soundness).toBe('missing');
    expect(night?.devices).toEqual([]);
  });

  it('so that a run is judged again from its own facts and the ledger before it', () => {
    const before = judgeAfter(makeFacts(1, { sources: [macs] }), undefined);
    const carried = judgeAfter(makeFacts(2, { sources: [makeIncomplete('macs')] }), before);
    const again = judgeAfter(makeFacts(3, { sources: [makeIncomplete('macs')] }), carried);
    expect(again.facts.sources[0]?.carried).toEqual(carried.facts.sources[0]?.carried);
    expect(again.facts.sources[0]?.carried?.slot).toBe(slot(1));
  });
});
