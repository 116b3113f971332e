/** Who changed, left, joined and moved: the rows of `changes`, and what they do to since-when and history. */
import { describe, expect, it } from 'vitest';
import { sourceRules } from '../../src/compose/source-kinds.ts';
import type { DeviceFacts, Facts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import { type DepartedDevice, mostDepartedDevices, type SourceState } from '../../src/core/facts/state.ts';
import { judge } from '../../src/core/judge.ts';
import { findPair } from '../../src/core/ledger/letters.ts';
import { at, device, facts, figures, mac, nights, nightsOf, slot, source, stored, told } from './world.ts';

const macs = (...devices: DeviceFacts[]) => source('macs', devices);
const one = (...devices: DeviceFacts[]): Partial<Facts> => ({ sources: [macs(...devices)] });
/** The same machine under another id. */
const same = (id: string, value = 'Installed', changes: Partial<DeviceFacts> = {}) =>
  mac(id, value, { serialNumber: 'C02SAME', ...changes });
/** Of a record that is not the newest. */
const old = { reportedAt: at(1, -2) };
const known = (night: Night | undefined, id: string) =>
  night?.state.sources.flatMap(({ baseline }) => baseline?.devices ?? []).find(({ facts }) => facts.id === id);

describe('every kind', () => {
  it('in one night, ordered by device id', () => {
    const unmanaged = { managementState: 'unmanaged' };
    const before = [
      mac('1'),
      mac('2', 'Not Installed'),
      mac('3'),
      mac('4'),
      mac('5', 'Installed', unmanaged),
      same('8'),
    ];
    const after = [
      mac('1', 'Not Installed'),
      mac('2'),
      mac('4', 'Installed', unmanaged),
      mac('5'),
      mac('6'),
      mac('7', null),
      same('9'),
    ];
    const night = nightsOf(macs(...before), macs(...after))[1];

    expect(night?.changes.map(({ device: { id }, kind, from, to, reason }) => [id, kind, from, to, reason])).toEqual([
      ['1', 'lost', 'Installed', 'Not Installed', 'reported'],
      ['2', 'recovered', 'Not Installed', 'Installed', 'reported'],
      ['3', 'removed', 'Installed', undefined, 'reported'],
      ['4', 'excluded', 'Installed', 'Installed', 'unmanaged'],
      ['5', 'included', 'Installed', 'Installed', 'unmanaged'],
      ['6', 'new-installed', undefined, 'Installed', 'reported'],
      ['7', 'new-not-installed', undefined, 'Not Installed', 'never-reported'],
      ['9', 'moved', 'Installed', 'Installed', 'reported'],
    ]);
    expect(night?.changes.map(({ flow }) => flow)).toEqual([
      ...[undefined, undefined, 'left', 'left', 'joined', 'joined', 'joined', undefined],
    ]);
    expect(figures(night, 'macs')).toMatchObject({ counted: 6, lost: 1, recovered: 1, joined: 3, left: 2 });
  });

  it('a machine that comes from another source joins here and leaves there, where both count it', () => {
    const unmanaged = { managementState: 'unmanaged' };
    const flows = (before: DeviceFacts, after: DeviceFacts) => {
      const [here, there] = [mac('90'), mac('91')];
      const all = nights(
        { sources: [source('macs-a', [before, here]), source('macs-b', [there])] },
        { sources: [source('macs-a', [here]), source('macs-b', [after, there])] },
      );
      return all[1]?.changes.map(({ kind, flow }) => [kind, flow]);
    };
    expect(flows(same('1'), same('2'))).toEqual([['moved', 'both']]);
    expect(flows(same('1'), same('2', 'Installed', unmanaged))).toEqual([
      ['moved', undefined],
      ['excluded', 'left'],
    ]);
    expect(flows(same('1', 'Installed', unmanaged), same('2'))).toEqual([
      ['moved', undefined],
      ['included', 'joined'],
    ]);
  });

  it('machines that come from another source together are each known by the record that it had there', () => {
    const old = ['1', '2'].map((id) => mac(id, 'Installed', { serialNumber: `C02SAME${id}` }));
    const moved = old.map((facts) => ({ ...facts, id: `9${facts.id}` }));
    const [here, there] = [mac('80'), mac('81')];
    const [, night] = nights(
      { sources: [source('macs-a', [...old, here]), source('macs-b', [there])] },
      { sources: [source('macs-a', [here]), source('macs-b', [...moved, there])] },
    );
    expect(['91', '92', '81'].map((id) => known(night, id)?.movedFrom)).toEqual([
      [{ source: 'macs-a', id: '1', on: slot(2) }],
      [{ source: 'macs-a', id: '2', on: slot(2) }],
      undefined,
    ]);
  });
});

describe('the same id back after an absence', () => {
  const all = nightsOf(macs(mac('1', 'Not Installed')), macs(), macs(mac('1', 'Not Installed')), macs(mac('1')));

  it('is new again, with its old since-when and history [D4]', () => {
    expect(all.map(told)).toEqual([[], ['macs 1 removed'], ['macs 1 new-not-installed'], ['macs 1 recovered']]);
    expect(device(all[2], '1').judgement.notInstalledSince).toBe(slot(1));
    expect(known(all[3], '1')?.transitions).toEqual([
      { slot: slot(1), to: 'Not Installed' },
      { slot: slot(4), from: 'Not Installed', to: 'Installed' },
    ]);
  });

  it('beside another record of its machine goes on as itself, and the other is new', () => {
    const unmanaged = same('1', 'Installed', { managementState: 'unmanaged' });
    const night = nightsOf(macs(same('1')), macs(), macs(unmanaged, same('2', 'Not Installed', old)))[2];

    expect(told(night)).toEqual(['macs 2 new-not-installed']);
    expect(device(night, '2').judgement.notInstalledSince).toBe(slot(3));
  });

  it('is forgotten after 400 days', () => {
    const [first, second] = nightsOf(macs(mac('1'), mac('2')), macs(mac('2'))) as [Night, Night];
    const departed = ({ state }: Night) => state.sources[0]?.departed.map(({ facts: { id }, leftOn }) => [id, leftOn]);
    const later = (night: number, ...devices: DeviceFacts[]) =>
      departed(judge(facts(night, one(...devices)), stored(second.state), sourceRules));

    expect(departed(first)).toEqual([]);
    expect(departed(second)).toEqual([['1', slot(2)]]);
    expect(later(3, mac('1'), mac('2'))).toEqual([]);
    expect(later(402, mac('2'))).toEqual([['1', slot(2)]]);
    expect(later(403, mac('2'))).toEqual([]);
  });

  it('is forgotten first where more have left than are kept', () => {
    const [first, second] = nightsOf(macs(mac('1'), mac('2'), mac('3')), macs(mac('2'), mac('3'))) as [Night, Night];
    const [past] = second.state.sources as [SourceState];
    const [left] = past.departed as [DepartedDevice];
    const departed = Array.from({ length: mostDepartedDevices }, (_, index) =>
      index === 0 ? left : { ...left, facts: { ...left.facts, id: `left-${index}`, serialNumber: '' } },
    );
    const state = { ...first.state, sources: [{ ...past, departed }] };
    const kept = judge(facts(3, one(mac('2'))), state, sourceRules).state.sources[0]?.departed;

    expect(kept).toHaveLength(mostDepartedDevices);
    expect([kept?.[0], kept?.at(-1)].map((device) => device?.facts.id)).toEqual(['left-1', '3']);
  });
});

describe('moved between two sources of one platform', () => {
  const both = (here: DeviceFacts[], there: DeviceFacts[]) => ({
    sources: [source('macs', here), source('macs-2', there)],
  });
  const flow = (night: Night | undefined, name: string) => {
    const { counted, joined, left } = figures(night, name);
    return [counted, joined, left];
  };

  it('it leaves the one and joins the other [D8]', () => {
    const all = nights(
      both([same('1', 'Not Installed'), mac('5')], [mac('6')]),
      both([mac('5')], [same('1', 'Not Installed'), mac('6')]),
    );

    expect(told(all[1])).toEqual(['macs-2 1 moved']);
    expect(device(all[1], '1').judgement.notInstalledSince).toBe(slot(1));
    expect([flow(all[1], 'macs'), flow(all[1], 'macs-2'), flow(all[1], 'all')]).toEqual([
      [1, 0, 1],
      [2, 1, 0],
      [3, 1, 1],
    ]);
  });
});

describe('a device’s history', () => {
  it('keeps the last 20 transitions, through moves too', () => {
    const all = nights(
      ...Array.from({ length: 30 }, (_, index) =>
        one(same(String(index % 7), index % 2 === 0 ? 'Installed' : 'Not Installed')),
      ),
    );
    const transitions = known(all[29], '1')?.transitions;

    expect(transitions).toHaveLength(20);
    expect(transitions?.[0]).toEqual({ slot: slot(11), from: 'Not Installed', to: 'Installed' });
    expect(transitions?.at(-1)).toEqual({ slot: slot(30), from: 'Installed', to: 'Not Installed' });
  });

  it('what a machine was is kept where it became another thing or moved, and in no other run', () => {
    const all = nightsOf(
      macs(same('1')),
      macs(same('1')),
      macs(same('1', 'Not Installed')),
      macs(same('2', 'Not Installed')),
      macs(),
      macs(same('3', 'Not Installed')),
    );
    const pasts = all.map(({ state }) => {
      const [macsState] = state.sources;
      return (macsState?.baseline?.devices[0] ?? macsState?.departed.at(-1))?.past;
    });
    const [began, lost] = [
      { slot: slot(1), was: '-' },
      { slot: slot(3), was: 'I' },
    ];

    expect(pasts.slice(0, 3)).toEqual([[began], [began], [began, lost]]);
    const moved = { slot: slot(4), was: 'N', moved: true };
    expect(pasts[3]).toEqual([began, lost, moved]);
    const away = { slot: slot(5), was: 'N' };
    expect(pasts[4]).toEqual([began, lost, moved, away]);
    expect(pasts[5]).toEqual([began, lost, moved, away, { slot: slot(6), was: '-', moved: true }]);
  });

  it('what two records were, in runs before one took the other’s place, stays with each', () => {
    const all = nightsOf(
      macs(mac('1', 'Installed', { serialNumber: '' }), same('2')),
      macs(same('1')),
      macs(same('2')),
    );
    const [state] = all[2]?.state.sources ?? [];
    const counted = (at: string) => [
      ...(state?.baseline?.devices ?? []).map(({ past = [] }) => findPair(past, 'i', at, at).was),
      ...(state?.departed ?? []).map(({ past = [] }) => findPair(past, '-', at, at).was),
    ];

    expect(all.map(told)).toEqual([[], ['macs 2 removed'], ['macs 2 moved']]);
    expect([1, 2, 3].map((night) => counted(slot(night)).join(''))).toEqual(['II', '-I', 'i-']);
  });

  it('names like those of every object lose nobody [N14]', () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '10', '2', '0'];
    const odd = (value: string) => macs(...names.map((name) => mac(name, value, { name, serialNumber: name })));
    const all = nightsOf(odd('Installed'), odd('Not Installed'));

    expect(all[1]?.devices.map(({ facts }) => facts.id)).toEqual([...names].sort());
    // "0" is a placeholder, so only its serial number says nothing.
    expect(figures(all[1], 'macs')).toMatchObject({ devices: 8, counted: 8, lost: 8 });
  });
});
