/** Which record stands for a machine: of one kind, of several, and whether the answers of two kinds contradict. */
import { describe, expect, it } from 'vitest';
import type { DeviceFacts } from '../../src/core/facts/facts.ts';
import { chooseStandingRecord } from '../../src/core/machine/standing-record.ts';
import type { JudgedRecord } from '../../src/core/record/judge-record.ts';
import {
  at,
  findDevice,
  findFigures,
  judgeRuns,
  makeExemption,
  makeIncomplete,
  makeMac,
  makePc,
  makeSource,
} from './make-facts.ts';
import { record } from './records.ts';

const serial = { serialNumber: 'C02SAME' };
/** Read and heard from at the same time; it is as old as that. */
const seen = (time: string) => ({ ...serial, reportedAt: time, lastSeenAt: time });

const inJamf = (id: string, time: string, changes: Partial<DeviceFacts> = {}, value: string | null = 'Installed') =>
  record('macs', makeMac(id, value, { ...seen(time), ...changes }));

const inIntune = (id: string, time: string, changes: Partial<DeviceFacts> = {}, state: string | null = '1') =>
  record('windows', makePc(id, state, { ...serial, operatingSystem: 'macos', lastSeenAt: time, ...changes }));

const unmanaged = { managementState: 'unmanaged' };

/** The records that stood in the ledger by their ids. */
function choose(records: readonly JudgedRecord[], stood: readonly string[] = []) {
  const stoodBefore = ({ facts }: JudgedRecord) => stood.includes(facts.id);
  return chooseStandingRecord(records, { moment: at(1), staleAfterDays: 30, stoodBefore });
}

type Row = [rule: string, standing: string, records: JudgedRecord[], stood?: string[]];

function holdRows(rows: readonly Row[]): void {
  it.each(rows)('%s', (_, standing, records, stood = []) => {
    const name = ({ source: of, facts }: JudgedRecord) => `${of}/${facts.id}`;
    expect(name(choose(records, stood).standing)).toBe(standing);
    expect(name(choose(records.toReversed(), stood).standing)).toBe(standing);
  });
}

describe('of one kind, it is', () => {
  const oldReport = { reportedAt: at(1, -9), lastSeenAt: at(1) };
  const undated = ({ facts }: JudgedRecord) => {
    const { reportedAt: _, ...rest } = facts;
    return record('macs', rest);
  };

  holdRows([
    ['the only one', 'macs/1', [inJamf('1', at(1, -90), unmanaged)]],
    ['the newest by age date', 'macs/2', [inJamf('3', at(1, -2)), inJamf('2', at(1, -1))]],
    ['the newest by the older of its dates', 'macs/2', [inJamf('3', at(1), oldReport), inJamf('2', at(1, -8))]],
    ['of equal dates the one with the higher id', 'macs/10', [inJamf('9', at(1, -1)), inJamf('10', at(1, -1))]],
    [
      'of equal ids the one of the later source',
      'macs-2/1',
      [inJamf('1', at(1, -1)), record('macs-2', makeMac('1', 'Installed', seen(at(1, -1))))],
    ],
    ['not one that is unmanaged', 'macs/1', [inJamf('1', at(1, -30)), inJamf('2', at(1), unmanaged)]],
    [
      'not one that is being retired',
      'windows/a',
      [inIntune('a', at(1, -30)), inIntune('b', at(1), { managementState: 'wipePending' })],
    ],
    [
      'not one that cannot be managed',
      'windows/a',
      [inIntune('a', at(1, -30)), inIntune('b', at(1), { managementAgent: 'msSense' })],
    ],
    [
      'also one that is personal and not counted',
      'windows/b',
      [
        inIntune('a', at(1, -1)),
        record('windows', { ...inIntune('b', at(1)).facts, ownership: 'personal' }, { population: 'company' }),
      ],
    ],
    [
      'the newest of all where none can be managed',
      'macs/2',
      [inJamf('1', at(1, -1), unmanaged), inJamf('2', at(1), unmanaged)],
    ],
    // Its report has no date, so it is older than any; but it alone was heard from within 30 days.
    ['one that was heard from within 30 days', 'macs/1', [undated(inJamf('1', at(1))), inJamf('2', at(1, -30, -1))]],
    ['also where that is 30 days ago', 'macs/2', [undated(inJamf('1', at(1))), inJamf('2', at(1, -30))]],
    ['the newest of all where none was', 'macs/2', [inJamf('1', at(1, -50)), inJamf('2', at(1, -40))]],
  ]);
});

describe('of one kind, the record that stands in the ledger', () => {
  holdRows([
    ['stays where another was heard from a day later', 'macs/1', [inJamf('1', at(1, -1)), inJamf('2', at(1))], ['1']],
    [
      'gives way to one that was heard from more than a day later',
      'macs/2',
      [inJamf('1', at(1, -1, -1)), inJamf('2', at(1))],
      ['1'],
    ],
    // The newer one by the report, which is not what the ledger is held by.
    [
      'stays where another is newer, and was not heard from later',
      'macs/1',
      [inJamf('1', at(1), { reportedAt: at(1, -9) }), inJamf('2', at(1))],
      ['1'],
    ],
    ['stays where it is the newest', 'macs/2', [inJamf('1', at(1, -5)), inJamf('2', at(1, -1))], ['2']],
    ['gives way where it is unmanaged now', 'macs/1', [inJamf('1', at(1, -9)), inJamf('2', at(1), unmanaged)], ['2']],
    [
      'gives way where it was not heard from for 30 days',
      'macs/1',
      [inJamf('1', at(1, -29.5)), inJamf('2', at(1, -30, -1))],
      ['2'],
    ],
    [
      'is the newest of two that stood',
      'macs/2',
      [inJamf('1', at(1, -2)), inJamf('2', at(1, -1)), inJamf('3', at(1, -0.5))],
      ['1', '2'],
    ],
  ]);

  it('that was never heard from gives way to any that was', () => {
    const { lastSeenAt: _, ...never } = inJamf('1', at(1)).facts;
    expect(choose([record('macs', never), inJamf('2', at(1, -90))], ['1']).standing.facts.id).toBe('2');
  });
});

describe('of several kinds, it is', () => {
  const word = { answers: [] };

  holdRows([
    [
      'one that is counted, though the other alone says anything',
      'windows/a',
      [inJamf('1', at(1), unmanaged), inIntune('a', at(1, -40), word)],
    ],
    [
      'one that is counted, though the other stands',
      'windows/a',
      [inJamf('1', at(1), unmanaged), inIntune('a', at(1, -40), word)],
      ['1'],
    ],
    [
      'not one that is personal and not counted',
      'macs/1',
      [
        inJamf('1', at(1, -40), {}, null),
        record('windows', { ...inIntune('a', at(1)).facts, ownership: 'personal' }, { population: 'company' }),
      ],
    ],
    ['one whose answer can be proven', 'macs/1', [inJamf('1', at(1, -29)), inIntune('a', at(1), word)], ['a']],
    [
      'one whose answer is not stale: of 30 days it is not',
      'macs/1',
      [inJamf('1', at(1, -30)), inIntune('a', at(1), word)],
      ['a'],
    ],
    [
      'the newer one where the answer that can be proven is stale',
      'windows/a',
      [inJamf('1', at(1, -30, -1)), inIntune('a', at(1), word)],
    ],
    [
      'the one that stands where another was heard from 7 days later',
      'macs/1',
      [inJamf('1', at(1, -7)), inIntune('a', at(1))],
      ['1'],
    ],
    ['not where that is more than 7 days', 'windows/a', [inJamf('1', at(1, -7, -1)), inIntune('a', at(1))], ['1']],
    [
      'the newer by age date where another was heard from more than 7 days later',
      'windows/a',
      [inJamf('1', at(1), { reportedAt: at(1, -9) }), inIntune('a', at(1, -8))],
      ['a'],
    ],
    ['the newer where none of them stood', 'macs/1', [inJamf('1', at(1)), inIntune('a', at(1, 0, -1))]],
    [
      'the newer where none of them stood, whichever kind',
      'windows/a',
      [inJamf('1', at(1, 0, -1)), inIntune('a', at(1))],
    ],
    [
      'the one that each kind has itself chosen',
      'macs/1',
      [inJamf('1', at(1, -1)), inJamf('2', at(1), unmanaged), inIntune('a', at(1, -2)), inIntune('b', at(1, -3))],
    ],
  ]);

  it('the same whatever tonight’s soundness', () => {
    const untrusted = record('macs', inJamf('1', at(1)).facts, { isTrusted: false });
    expect(untrusted.answer.unprovenBecause).toBe('method-not-sound');
    expect(choose([untrusted, inIntune('a', at(1), word)]).standing.facts.id).toBe('1');
  });

  it('the one that was exempted all the same', () => {
    const run = {
      sources: [
        makeSource('macs', [inJamf('1', at(1)).facts]),
        makeSource('windows', [inIntune('a', at(1, -1)).facts]),
      ],
      exemptions: [makeExemption('device_id', '1')],
    };
    const [night] = judgeRuns(run);
    expect(findDevice(night, '1').judgement.excludedBecause).toBe('exempt');
    expect(findDevice(night, 'a').judgement.excludedBecause).toBe('superseded');
  });
});

describe('of records none of which was read', () => {
  const carried = ({ source: of, facts }: JudgedRecord) => record(of, facts, { isFresh: false });
  const [stood, later] = [carried(inJamf('1', at(1, -90))), carried(inJamf('2', at(1)))];

  holdRows([
    ['the one that stands stays, since time alone changes nothing about the machine', 'macs/1', [stood, later], ['1']],
    ['the newest stands where none of them stood', 'macs/2', [stood, later]],
    ['not where one of them was read', 'macs/2', [stood, later, inJamf('3', at(1, -91))], ['1']],
  ]);
});

describe('the others', () => {
  it('are listed and not counted, for a reason of their own or as superseded', () => {
    const devices = [inJamf('1', at(1)), inJamf('2', at(1, -1)), inJamf('3', at(1, -2), unmanaged)];
    const [night] = judgeRuns({
      sources: [
        makeSource(
          'macs',
          devices.map(({ facts }) => facts),
        ),
      ],
    });
    const why = night?.devices.map(({ facts, judgement }) => [
      facts.id,
      judgement.excludedBecause,
      judgement.supersededBy?.id,
    ]);
    expect(why).toEqual([
      ['1', undefined, undefined],
      ['2', 'superseded', '1'],
      ['3', 'unmanaged', '1'],
    ]);
    expect(findFigures(night, 'macs')).toMatchObject({ devices: 3, counted: 1, excluded: 2 });
  });
});

describe('the answers of two kinds', () => {
  const no = 'Not Installed';
  const ids = (...records: JudgedRecord[]) => choose(records).contradicting?.map(({ facts }) => facts.id);

  it.each<[string, JudgedRecord[], string[] | undefined]>([
    [
      'contradict each other where both are clear and recent',
      [inJamf('1', at(1)), inIntune('a', at(1, -30), {}, '3')],
      ['1', 'a'],
    ],
    ['the one that stands first', [inJamf('1', at(1, -30), {}, no), inIntune('a', at(1))], ['a', '1']],
    ['not where they agree', [inJamf('1', at(1), {}, no), inIntune('a', at(1), {}, '3')], undefined],
    ['not where one is stale', [inJamf('1', at(1)), inIntune('a', at(1, -30, -1), {}, '3')], undefined],
    ['not where one can prove nothing', [inJamf('1', at(1)), inIntune('a', at(1), {}, '-1')], undefined],
    ['not of two records of one kind', [inJamf('1', at(1)), inJamf('2', at(1, -1), {}, no)], undefined],
    [
      'not of the record that is not chosen of its kind',
      [inJamf('1', at(1)), inIntune('a', at(1)), inIntune('b', at(1, -1), {}, '3')],
      undefined,
    ],
  ])('%s', (_, records, expected) => {
    expect(ids(...records)).toEqual(expected);
  });

  it('leave a machine not proven on each night on which they do, also where one source is carried', () => {
    const macs = makeSource('macs', [inJamf('1', at(1), { enrolledAt: at(1, -5) }).facts]);
    const windows = makeSource('windows', [inIntune('a', at(1), {}, '3').facts]);
    const all = judgeRuns({ sources: [macs, windows] }, { sources: [macs, makeIncomplete('windows')] });
    for (const night of all) {
      expect(findFigures(night)).toMatchObject({ counted: 1, provenInstalled: 0, provenNotInstalled: 0 });
    }
  });
});
