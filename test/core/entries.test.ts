/** Whose entry: which machine goes on in which entry of the ledger, and how new entries are called. */
import { describe, expect, it } from 'vitest';
import type { DeviceFacts, Facts } from '../../src/core/facts/facts.ts';
import type { Entry } from '../../src/core/facts/ledger.ts';
import { findEntries } from '../../src/core/ledger/entries.ts';
import type { Machine } from '../../src/core/machine/machines.ts';
import type { JudgedRecord } from '../../src/core/record/judge-record.ts';
import { at, judgeRuns, makeMac, makePc, makeSource, slot } from './make-facts.ts';
import { entry, findEntry, listNames, machine, record } from './records.ts';

const a = record('macs', makeMac('1'));
const b = record('macs', makeMac('2'));
const c = record('macs', makeMac('3'));
const d = record('macs', makeMac('4'));

/** The entry of each machine; the others with the machine that took their record or number. */
function match(machines: readonly Machine[], ledger: readonly Entry[]) {
  const { machines: named, unmatched } = findEntries(machines, new Set(), ledger, slot(2));
  return {
    names: named.map(({ name, before }) => `${before === undefined ? 'new ' : ''}${name}`),
    left: unmatched.map(({ entry: { name }, takenBy }) => `${name} ${takenBy?.name ?? 'nobody'}`),
  };
}

describe('a machine has the name of its entry; a new one is called', () => {
  const number = 'macos/C02FX1';

  it.each<[string, string, Machine, Entry[]]>([
    ['by its number', 'new macos/C02FX1', machine(number, a), []],
    ['by its record where it has no number', 'new macs/1', machine(undefined, a), []],
    [
      'by its record where several machines share its number',
      'new macs/1',
      { ...machine(number, a), isShared: true },
      [],
    ],
    ['by its record where another entry has that name', 'new macs/1', machine(number, a), [entry(number, d)]],
    [
      'by record and slot where another entry has that name too',
      `new macs/1@${slot(2)}`,
      machine(number, a),
      [entry(number, d), entry('macs/1', c)],
    ],
    [
      'with the slot once more where another entry has even that name',
      `new macs/1@${slot(2)}@${slot(2)}`,
      machine(undefined, a),
      [entry('macs/1', c), entry(`macs/1@${slot(2)}`, d)],
    ],
    ['by the name of a gone entry never', 'new macs/1', machine(number, a), [entry(number, d, { isGone: true })]],
  ])('%s', (_, name, one, ledger) => {
    expect(match([one], ledger).names).toEqual([name]);
  });

  it('by a name that no other new machine has', () => {
    const odd = record('macos', makeMac('C02FX1'), { kind: 'jamf' });
    expect(match([machine(undefined, odd), machine(number, a)], []).names).toEqual(['new macos/C02FX1', 'new macs/1']);
  });

  it('never otherwise, whatever becomes of its number and its records', () => {
    const makeRun = (device: DeviceFacts): Partial<Facts> => ({
      sources: [makeSource('macs', [device, makeMac('9')])],
    });
    const all = judgeRuns(
      makeRun(makeMac('1')),
      makeRun(makeMac('1', 'Installed', { serialNumber: 'C02OTHER' })),
      makeRun(makeMac('2', 'Installed', { serialNumber: 'C02OTHER' })),
    );
    expect(all.map((night) => findEntry(night, number)?.number)).toEqual([number, 'macos/C02OTHER', 'macos/C02OTHER']);
    expect(findEntry(all[2], number)?.standing.id).toBe('2');
  });
});

describe('an entry fits a machine', () => {
  const number = 'macos/X0001';

  it.each<[string, string, Machine, Entry]>([
    ['that has the record that stood', 'e', machine(undefined, b, a), entry('e', a)],
    ['that has another of its records', 'e', machine(undefined, a), entry('e', d, { others: [b, a] })],
    ['that has its number', 'e', machine(number, a), entry('e', d, { number })],
    [
      'not by a number that several machines share',
      'new macs/1',
      { ...machine(number, a), isShared: true },
      entry('e', d, { number }),
    ],
    ['not by another number', 'new macos/X0001', machine(number, a), entry('e', d, { number: 'macos/X0002' })],
    ['not where neither has a number', 'new macs/1', machine(undefined, a), entry('e', d)],
    [
      'not by the same id in another source',
      'new macs/1',
      machine(undefined, a),
      entry('e', record('macs-2', makeMac('1'))),
    ],
    [
      'not by the same id in a source of that name and another kind',
      'new macs/1',
      machine(undefined, a),
      entry('e', record('macs', makePc('1'), { kind: 'intune' })),
    ],
    ['also where it is gone', 'e', machine(undefined, a), entry('e', a, { isGone: true })],
  ])('%s', (_, name, one, known) => {
    expect(match([one], [known]).names).toEqual([name]);
  });
});

describe('of several entries a machine goes on in', () => {
  const number = 'macos/X0001';
  const one = machine(number, a, b);

  it.each<[string, Entry, Entry]>([
    ['one that is not gone', entry('z', d, { number, listedOn: slot(0) }), entry('m', a, { isGone: true })],
    [
      'the one whose standing record it has',
      entry('z', b, { listedOn: slot(0) }),
      entry('m', d, { others: [a], number }),
    ],
    [
      'the one that has its standing record',
      entry('z', d, { others: [a], listedOn: slot(0) }),
      entry('m', d, { others: [b], number }),
    ],
    ['the one with its number', entry('z', d, { number, listedOn: slot(0) }), entry('m', d, { others: [b] })],
    ['the one listed last', entry('z', b), entry('m', b, { listedOn: slot(0) })],
    ['the first by name', entry('m', b), entry('z', b)],
    [
      'the one whose standing record it has, though it has both',
      entry('z', a, { listedOn: slot(0) }),
      entry('m', d, { others: [a, b], number }),
    ],
  ])('%s', (_, best, other) => {
    expect(match([one], [best, other]).names).toEqual([best.name]);
    expect(match([one], [other, best]).names).toEqual([best.name]);
  });

  it('the one listed last where the machine has no number, whatever theirs', () => {
    const known = [entry('z', b, { number }), entry('m', b, { listedOn: slot(0) })];
    expect(match([machine(undefined, a, b)], known).names).toEqual(['z']);
  });
});

describe('of several machines that fit one entry', () => {
  const number = 'macos/X0001';
  const heard = (id: string, time: string) => record('macs', makeMac(id, 'Installed', { lastSeenAt: time }));
  const [late, early] = [heard('5', at(1)), heard('6', at(1, 0, -1))];
  const all = { number, others: [b, late, early] };

  it.each<[string, Machine, Machine]>([
    ['the one with the record that stood takes it', machine(undefined, early, a), machine(number, late)],
    ['then the one with the number', machine(number, early), machine(undefined, late)],
    ['then the one heard from last', machine(undefined, late), machine(undefined, early)],
    ['also where both have the number', machine(number, late), machine(number, early)],
    [
      'also where neither record that stood is heard from',
      machine(undefined, heard('6', at(1))),
      machine(undefined, heard('5', at(1))),
    ],
  ])('%s, and the other is new', (_, taker, other) => {
    const known = entry('e', a, all);
    const expected = new Map([
      [taker, 'e'],
      [other, `new macs/${other.standing.facts.id}`],
    ]);
    for (const order of [
      [taker, other],
      [other, taker],
    ]) {
      const { names, left } = match(order, [known]);
      expect(names).toEqual(
        order.map((one) => (one.number === undefined || one === taker ? expected.get(one) : `new ${number}`)),
      );
      expect(left).toEqual([]);
    }
  });

  it('the others take the next entry that fits, which may turn out a third', () => {
    const [e, f, g] = [entry('e', a), entry('f', b, { others: [a] }), entry('g', c, { others: [b] })];
    const machines = [machine(undefined, a), machine(undefined, b), machine(undefined, c)];
    expect(match(machines, [g, f, e]).names).toEqual(['e', 'f', 'g']);
    const merged = [machine(undefined, a, b), machine(undefined, c)];
    expect(match(merged, [e, f, g])).toEqual({ names: ['e', 'g'], left: ['f e'] });
    expect(match(merged.toReversed(), [g, f, e])).toEqual({ names: ['g', 'e'], left: ['f e'] });
  });

  it('one that loses its entry to a better one takes another’s, which is then new', () => {
    const [e, f] = [entry('e', a, { number, others: [b] }), entry('f', d, { others: [b, c] })];
    const machines = [machine(undefined, c), machine(undefined, b), machine(number, a)];
    const heardLater = machine(undefined, record('macs', makeMac('2', 'Installed', { lastSeenAt: at(1) })));
    expect(match(machines.with(1, heardLater), [e, f]).names).toEqual(['new macs/3', 'f', 'e']);
    expect(match(machines.with(1, heardLater).toReversed(), [f, e]).names).toEqual(['e', 'f', 'new macs/3']);
  });
});

describe('an entry that no machine goes on in', () => {
  const number = 'macos/X0001';

  it.each<[string, string, Machine[], Entry]>([
    ['was taken by the machine that has its record', 'e first', [machine(undefined, a, b)], entry('e', b)],
    ['was taken by the machine that has its number', 'e first', [machine(number, a)], entry('e', d, { number })],
    ['was taken by nobody where no machine has either', 'e nobody', [machine(number, a)], entry('e', d)],
  ])('%s', (_, left, machines, known) => {
    expect(match(machines, [entry('first', a), known]).left).toEqual([left]);
  });

  it.each<[string, string, JudgedRecord, JudgedRecord]>([
    ['has the record that stood', 'second', b, c],
    ['has another of its records, where nobody has that', 'third', d, c],
    ['has its number, where nobody has any', 'first', d, record('macs', makeMac('9'))],
  ])('names the machine that %s', (_, taker, stood, other) => {
    const machines = [machine(number, a), machine(undefined, b), machine(undefined, c)];
    const ledger = [entry('first', a), entry('second', b), entry('third', c)];
    const known = entry('e', stood, { number, others: [other], isGone: true });
    expect(match(machines, [...ledger, known]).left).toEqual([`e ${taker}`]);
  });
});

it('two machines that become one leave one entry, and the other is gone as superseded', () => {
  const same = (id: string) => makeMac(id, 'Installed', { serialNumber: 'C02SAME' });
  const runs = [
    [makeMac('1'), makeMac('2')],
    [same('1'), same('2')],
  ].map((devices) => ({ sources: [makeSource('macs', devices)] }));
  const [, second] = judgeRuns(...runs);
  expect(listNames(second)).toEqual(['macos/C02FX1 -', 'macos/C02FX2']);
  expect(second?.changes.map(({ device: { id }, kind, reason, flow }) => [id, kind, reason, flow])).toEqual([
    ['1', 'excluded', 'superseded', 'left'],
  ]);
});
