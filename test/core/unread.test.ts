/** Devices of a complete reading that the server lists and could not return: what was known of them stays (G6). */
import { describe, expect, it } from 'vitest';
import type { DeviceFacts, Facts, SourceFacts } from '../../src/core/facts/facts.ts';
import { computeInterval } from '../../src/core/source/coverage.ts';
import {
  at,
  conclude,
  findDevice,
  findFigures,
  findSource,
  judgeRuns,
  judgeSource,
  listChanges,
  makeIncomplete,
  makeMac,
  makeSource,
  slot,
} from './make-facts.ts';
import { findEntry } from './records.ts';

const unread = (devices: readonly DeviceFacts[], ...ids: string[]) =>
  makeSource('macs', devices, { unread: ids.map((id) => ({ id, operatingSystem: 'macos' })) });
const all = [makeMac('1'), makeMac('2', 'Not Installed'), makeMac('3')];
const without = (id: string) => all.filter((one) => one.id !== id);
const alerts = (night: ReturnType<typeof judgeRuns>[number] | undefined) =>
  night?.events.map(({ kind, key }) => `${kind} ${key}`);

describe('an unread device of the baseline', () => {
  it('is what it was, with the date of that answer, and not proven', () => {
    const [, tonight, later] = judgeSource(
      makeSource('macs', all),
      unread(without('1'), '1'),
      unread(without('1'), '1'),
    );

    for (const night of [tonight, later]) {
      expect(conclude(findDevice(night, '1'))).toMatchObject({
        ...{
          status: 'Installed',
          reason: 'unread',
          value: 'Installed',
          unprovenBecause: 'unread',
          counted: true,
          unread: 'kept',
        },
        answeredOn: slot(1),
      });
      expect(listChanges(night)).toEqual([]);
      expect(findFigures(night, 'macs')).toMatchObject({
        soundness: 'partial',
        counted: 3,
        installed: 2,
        provenInstalled: 1,
      });
    }
    expect(tonight?.state.sources[0]?.baseline).toMatchObject({ slot: slot(2) });
    expect(findDevice(later, '2').judgement).toMatchObject({ answeredOn: slot(3), notInstalledSince: slot(1) });
  });

  it('loses its proof once, and has it back when it is read again', () => {
    const partial = unread(without('1'), '1');
    const nights = judgeSource(makeSource('macs', all), partial, partial, makeSource('macs', all));
    const low = nights.map(({ difference }) => difference?.shares.map(({ kind, devices }) => [kind, devices]));
    expect(low.slice(1)).toEqual([[['unproven', 1]], [], [['proven', 1]]]);
  });

  it('keeps the date of its answer on a night that is carried', () => {
    const [, , carried] = judgeSource(makeSource('macs', all), unread(without('1'), '1'), makeIncomplete('macs'));

    expect(conclude(findDevice(carried, '1'))).toMatchObject({ reason: 'unread', answeredOn: slot(1) });
    expect(conclude(findDevice(carried, '2'))).toMatchObject({ reason: 'reported', answeredOn: slot(2) });
  });

  it('opens and ends no alert of its own; one message names it, every night', () => {
    const runs = [
      makeSource('macs', all),
      makeSource('macs', [makeMac('1', 'Not Installed'), ...without('1')]),
      unread(without('1'), '1'),
      unread(without('1'), '1'),
      makeSource('macs', all),
    ];
    const [, , first, again, read] = judgeRuns(...runs.map((one): Partial<Facts> => ({ sources: [one] })));

    expect(alerts(first)).toEqual(['source.partial source:macs']);
    expect(first?.events.find(({ kind }) => kind === 'source.partial')).toMatchObject({
      phase: 'first',
      text: expect.stringContaining('1 of 3 devices could not be read.'),
      figures: { received: 2, affected: 1 },
      first: [{ id: '1', name: 'mac-1', reason: 'unread' }],
    });
    expect(again?.events).toMatchObject([
      {
        kind: 'source.partial',
        phase: 'again',
        text: 'still devices that could not be read of macs, 2nd day, devices-unread',
      },
    ]);
    expect(alerts(read)).toEqual(['source.sound-again source:macs', 'device.recovered device:macos/C02FX1']);
  });
});

describe('an unread device that no baseline has', () => {
  const [, tonight, read] = judgeSource(
    makeSource('macs', all),
    unread(all, '9'),
    makeSource('macs', [...all, makeMac('9', 'Not Installed')]),
  );

  it('is Not Installed, counted, and nothing else is known', () => {
    expect(conclude(findDevice(tonight, '9'))).toMatchObject({
      ...{
        status: 'Not Installed',
        reason: 'unread',
        unprovenBecause: 'unread',
        stale: true,
        counted: true,
        unread: 'blank',
      },
      answeredOn: undefined,
    });
    expect(findFigures(tonight, 'macs')).toMatchObject({ soundness: 'partial', devices: 4, counted: 4, joined: 0 });
  });

  it('is new on the night that reads it', () => {
    expect(listChanges(tonight)).toEqual([]);
    expect(alerts(tonight)).toEqual(['source.partial source:macs']);
    const never = 'was never read before and counts as Not Installed.';
    expect(tonight?.events[0]?.text).toMatch(`1 of 4 devices could not be read. It ${never} Open`);
    const [, both] = judgeSource(makeSource('macs', all), unread(without('1'), '1', '9'));
    expect(both?.events[0]?.text).toMatch(`1 ${never} Each other is shown as it was when it was read last. Open`);
    expect(tonight?.state.ledger).toHaveLength(3);
    expect(listChanges(read)).toEqual(['macs 9 new-not-installed']);
    expect(findDevice(read, '9').judgement.notInstalledSince).toBe(slot(3));
  });

  it('a first run with one is a baseline', () => {
    const [first] = judgeSource(unread(all, '9'));

    expect(findSource(first, 'macs')).toMatchObject({ soundness: 'partial', first: true });
    expect(alerts(first)).toEqual(['baseline baseline:macs', 'source.partial source:macs']);
  });
});

it('the groups say nothing of a device that was not read', () => {
  const group = (members: readonly string[]) => [{ holds: 'Installed' as const, name: 'Agent Installed', members }];
  const [, night] = judgeSource(
    { ...makeSource('macs', all), groups: group(['1', '3']) },
    { ...unread(without('1'), '1'), groups: group(['3']) },
  );

  expect(
    night?.groups
      .filter(({ group: name }) => name === 'Agent Installed')
      .map((row) => [row.device.id, row.verdict, row.why]),
  ).toEqual([
    ['1', 'unknown', 'the device could not be read'],
    ['3', 'agrees', ''],
  ]);
});

describe('an unread device over the nights', () => {
  const [begin, ...forty] = judgeSource(
    makeSource('macs', all),
    ...Array.from({ length: 40 }, () => unread(without('2'), '2')),
  );

  it('of forty keeps the date of its answer, gets stale, and stays as it was', () => {
    const last = forty.at(-1);
    expect(conclude(findDevice(last, '2'))).toMatchObject({
      ...{ status: 'Not Installed', reason: 'unread', stale: true, unprovenBecause: 'unread', counted: true },
      ...{ answeredOn: slot(1), notInstalledSince: slot(1) },
    });
    expect(forty.flatMap((night) => listChanges(night))).toEqual([]);
    expect(findEntry(last, 'macos/C02FX2')).toEqual(findEntry(begin, 'macos/C02FX2'));
  });

  it('that leaves is removed, and its alert ends', () => {
    const runs = [makeSource('macs', all), makeSource('macs', [makeMac('1', 'Not Installed'), ...without('1')])];
    const [, , , tonight] = judgeSource(...runs, unread(without('1'), '1'), makeSource('macs', without('1')));

    expect(listChanges(tonight)).toEqual(['macs 1 removed']);
    expect(alerts(tonight)).toEqual(['source.sound-again source:macs', 'count.left device:macos/C02FX1']);
  });
});

describe('a carried run shows the last whole one, all of it', () => {
  const intervals = (...runs: readonly SourceFacts[]) =>
    judgeSource(...runs).map((night) => {
      const figures = findFigures(night, 'macs');
      return [figures.devices, figures.counted, computeInterval(figures).coverage, computeInterval(figures).low];
    });

  it('also a device that was never read', () => {
    const [one = makeMac('1')] = all;
    const shown = [2, 2, '50.00', '50.00'];
    expect(intervals(unread([one], '9'), makeIncomplete('macs'), makeIncomplete('macs'))).toEqual([
      shown,
      shown,
      shown,
    ]);
  });

  it('and one that could not be read, which is not proven again', () => {
    const [one = makeMac('1'), , three = makeMac('3')] = all;
    const shown = [2, 2, '100.00', '50.00'];
    expect(
      intervals(makeSource('macs', [one, three]), unread([one], '3'), makeIncomplete('macs'), makeIncomplete('macs')),
    ).toEqual([[2, 2, '100.00', '100.00'], shown, shown, shown]);
  });
});

describe('what changes while a device is unread', () => {
  const row = { match: 'device_id', value: '1', source: 'macs', reason: 'lab', owner: 'it', expires: '2027-01-01' };

  it('is in the changes on the run that reads it', () => {
    const nights = judgeRuns(
      { sources: [makeSource('macs', all)] },
      { sources: [unread(without('1'), '1')], exemptions: [row] },
      { sources: [makeSource('macs', all)], exemptions: [row] },
      { sources: [unread(without('1'), '1')] },
      { sources: [makeSource('macs', all)] },
    );
    expect(nights.map(listChanges)).toEqual([[], [], ['macs 1 excluded'], [], ['macs 1 included']]);
    expect(nights.map((night) => findDevice(night, '1').judgement.counted)).toEqual([true, false, false, true, true]);
  });

  it('is that another record stands for its machine', () => {
    const twin = makeMac('4', 'Not Installed', {
      ...{ serialNumber: 'C02FX1', enrolledAt: at(2, -0.5), reportedAt: at(2), lastSeenAt: at(2) },
    });
    const [, night] = judgeSource(makeSource('macs', all), unread([...without('1'), twin], '1'));
    expect(findDevice(night, '1').judgement).toMatchObject({ excludedBecause: 'superseded', unread: 'kept' });
    expect(listChanges(night)).toEqual(['macs 4 moved', 'macs 4 lost']);
  });

  it('leaves the sum: counted = before + joined − left + those that were never read', () => {
    const [first, night] = judgeSource(makeSource('macs', all), unread([...without('1'), makeMac('5')], '8', '9'));
    const { counted, joined, left } = findFigures(night, 'macs');
    expect([findFigures(first, 'macs').counted, joined, left, counted]).toEqual([3, 1, 1, 5]);
    const groups = night?.groups.filter(({ device }) => device.id === '9') ?? [];
    expect(groups.map(({ verdict, change }) => [verdict, change])).toEqual(groups.map(() => ['unknown', 'stayed']));
  });
});

describe('an exemption by user of a device that is unread (G6)', () => {
  const row = { match: 'user', value: 'a1b2', source: 'macs', reason: 'lab', owner: 'it', expires: '2027-01-01' };
  const known = without('2');
  const whole = makeSource('macs', [...known, makeMac('2', 'Not Installed', { user: 'a1b2' })]);

  it('holds on each night, and after one that is carried', () => {
    const runs = [whole, unread(known, '2'), unread(known, '2'), makeIncomplete('macs'), whole];
    for (const night of judgeRuns(...runs.map((one) => ({ sources: [one], exemptions: [row] })))) {
      expect(findDevice(night, '2').judgement.excludedBecause).toBe('exempt');
      expect(night.exemptions).toMatchObject([{ devices: 1, result: 'active' }]);
      expect(listChanges(night)).toEqual([]);
    }
  });

  it('an acknowledgement holds too', () => {
    const acknowledgements = [{ serial: 'C02FX2', by: 'ada', until: slot(90), ticket: 'IT-1', note: '' }];
    const [, tonight] = judgeRuns(
      { sources: [makeSource('macs', all)] },
      { acknowledgements, sources: [unread(known, '2')] },
    );

    expect(findDevice(tonight, '2').judgement.acknowledgement).toMatchObject({ by: 'ada' });
    expect(tonight?.acknowledgements).toMatchObject([{ result: 'active', devices: 1 }]);
  });
});
