/** Devices that have lacked the agent for long: one reminder a week of all of them. */
import { describe, expect, it } from 'vitest';
import { decideOverdueAlert } from '../../src/core/alerts/overdue-alerts.ts';
import type { JudgedDevice, JudgedSource, Judgement } from '../../src/core/facts/judged.ts';
import type { AlertState } from '../../src/core/facts/remembered.ts';
import { decide, say } from './families.ts';
import { mac, nights, nightsOf, pc, slot, source } from './world.ts';

describe('devices that have lacked the agent for long', () => {
  const device = (name: string, id: string, since: number, changes: Partial<Judgement> = {}): JudgedDevice => {
    const [judged] = nightsOf(source(name, [name === 'macs' ? mac(id, 'Not Installed') : pc(id, '3')])).flatMap(
      (night) => night.devices,
    ) as [JudgedDevice];
    return { ...judged, judgement: { ...judged.judgement, notInstalledSince: slot(since), ...changes } };
  };
  const judge = (
    devices: readonly JudgedDevice[],
    open: readonly AlertState[] = [],
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
    const { events } = judge(devices);
    expect(events.map(say)).toEqual([
      'first device.overdue: 3 devices have been without the agent for 14 days or longer (macs 2, windows 1).',
    ]);
    expect(events[0]).toMatchObject({ figures: { overdue: 3, new: 3, listed: 3 } });
    // A list that was said on the nineteenth night had those of the fifth, and not yet that of the sixth.
    const again = judge(devices, [overdue(13, 19)], 27).events[0];
    expect(again?.text).toBe(
      '3 devices have been without the agent for 14 days or longer (macs 2, windows 1), 1 of them new in this list.',
    );
    expect(again?.first?.map(({ id }) => id)[0]).toBe('2');
    expect(judge(devices, [overdue(13, 20)], 27).events[0]?.figures).toMatchObject({ new: 0 });
  });

  it('are not those that a person has acknowledged, which are counted', () => {
    const [one, two] = [device('macs', '1', 1), device('macs', '2', 1, { acknowledgement })];
    expect(judge([one, two]).events.map(say)).toEqual([
      'first device.overdue: 1 device has been without the agent for 14 days or longer (macs 1). 1 more is acknowledged.',
    ]);
    const three = device('macs', '3', 1, { acknowledgement });
    expect(judge([one, two, three]).events[0]?.text).toMatch(/ 2 more are acknowledged\.$/);
    expect(judge([two]).events).toEqual([]);
    expect(judge([two], [overdue(15)])).toMatchObject({
      events: [],
      open: expect.arrayContaining(['overdue']),
    });
  });

  it('are those that have lacked it for as many days as the policy says, counted and Not Installed', () => {
    const ids = (devices: readonly JudgedDevice[]) => judge(devices).events[0]?.first?.map(({ id }) => id);
    expect(ids([device('macs', '1', 6), device('macs', '2', 7)])).toEqual(['1']);
    expect(
      ids([device('macs', '1', 1, { counted: false }), device('macs', '2', 1, { status: 'Installed' })]),
    ).toBeUndefined();
  });

  it('need no alert of their own, and are no canaries', () => {
    const canaries = [{ source: 'macs', serial: 'C02FX2', expect: 'Not Installed' }] as const;
    const sources = [source('macs', [mac('1', 'Not Installed'), mac('2', 'Not Installed'), mac('9')])];
    const all = nights(...Array.from({ length: 15 }, () => ({ sources, canaries })));
    const said = all.map(({ events }) => events.find(({ kind }) => kind === 'device.overdue'));
    expect(said.slice(0, 14).filter((event) => event !== undefined)).toEqual([]);
    expect(said[14]?.first?.map(({ id }) => id)).toEqual(['1']);
    expect(all[14]?.state.openAlerts?.map(({ key }) => key)).toEqual(['overdue']);
  });

  it('are over when every source is complete and none is left', () => {
    expect(judge([], [overdue(15)]).events.map(say)).toEqual([
      'over device.overdue: No device has been without the agent for 14 days or longer.',
    ]);
    expect(judge([], [overdue(15)], 20, { macs: 'carried' }).events).toEqual([]);
    const gone = [device('macs', '1', 1), device('windows', 'a', 1)];
    const { events } = judge(gone, [], 20, { windows: 'untrusted' });
    expect(events[0]?.text).toContain('(macs 1)');
  });

  it('are of each source in turn, and another source begins each week', () => {
    const devices = ['1', '2']
      .map((id) => device('macs', id, 1))
      .concat(['a', 'b'].map((id) => device('windows', id, 1)));
    const order = (more: readonly AlertState[], night: number) =>
      judge(devices, more, night).events[0]?.first?.map(({ id }) => id);
    expect(order([], 20)).toEqual(['1', 'a', '2', 'b']);
    expect(order([overdue(20)], 27)).toEqual(['a', '1', 'b', '2']);
  });
});
