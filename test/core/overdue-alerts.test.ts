/** Devices that have lacked the agent for long: one reminder a week of all of them. */
import { describe, expect, it } from 'vitest';
import { decideOverdueAlert } from '../../src/core/alerts/overdue-alerts.ts';
import type { JudgedDevice, JudgedSource, Judgement } from '../../src/core/facts/judged.ts';
import type { AlertState } from '../../src/core/facts/remembered.ts';
import { judgeRuns, judgeSource, makeMac, makeOpenAlert, makePc, makeSource, slot } from './make-facts.ts';
import { decide, say } from './rules.ts';

describe('devices that have lacked the agent for long', () => {
  const device = (name: string, id: string, since: number, changes: Partial<Judgement> = {}): JudgedDevice => {
    const [judged] = judgeSource(
      makeSource(name, [name === 'macs' ? makeMac(id, 'Not Installed') : makePc(id, '3')]),
    ).flatMap((night) => night.devices) as [JudgedDevice];
    return { ...judged, judgement: { ...judged.judgement, notInstalledSince: slot(since), ...changes } };
  };
  const judge = (
    devices: readonly JudgedDevice[],
    open: readonly AlertState[] = [],
    night = 20,
    soundness: Readonly<Record<string, JudgedSource['soundness']>> = {},
    canaries: ReadonlySet<string> = new Set(),
  ) => {
    const names = [...new Set(['macs', ...devices.map((one) => one.source)])];
    const sources = names.map((name) => ({
      source: { name, soundness: soundness[name] ?? ('complete' as const) },
      devices: devices.filter((one) => one.source === name),
    }));
    return decide(decideOverdueAlert, { sources, canaries }, open, night);
  };
  const acknowledgement = { by: 'ada', until: slot(90), ticket: '' };
  const overdue = (since: number, last = since) => makeOpenAlert('overdue', since, last, { kind: 'device.overdue' });
  const listIds = ({ events }: ReturnType<typeof judge>) => events[0]?.first?.map(({ id }) => id);

  it('are reported with counts by source, longest missing first', () => {
    const devices = [device('macs', '1', 6), device('macs', '2', 1), device('windows', 'a', 2)];
    const first = judge(devices);
    expect(first.events.map(say)).toEqual([
      'first device.overdue: 3 devices have been without the agent for 14 days or longer (macs 2, windows 1).',
    ]);
    expect(listIds(first)).toEqual(['2', 'a', '1']);
    expect(first.events[0]).toMatchObject({ figures: { overdue: 3, new: 3, listed: 3, acknowledged: 0, canaries: 0 } });
    // The list of the nineteenth run had those of the fifth, and not yet that of the sixth.
    const again = judge(devices, [overdue(13, 19)], 26);
    expect(again.events[0]?.text).toBe(
      '3 devices have been without the agent for 14 days or longer (macs 2, windows 1), 1 of them since this week.',
    );
    expect(listIds(again)).toEqual(['2', 'a', '1']);
    expect(judge(devices, [overdue(13, 20)], 27).events[0]?.figures).toMatchObject({ new: 0 });
  });

  it('name the first twenty', () => {
    const devices = Array.from({ length: 21 }, (_, index) => device('macs', String(index + 1), 1));
    const night = judge(devices);
    expect(listIds(night)).toHaveLength(20);
    expect(night.events[0]?.figures).toMatchObject({ overdue: 21, listed: 21 });
  });

  it('are counted apart where a person has acknowledged them, or they are canaries', () => {
    const [one, two, three, four] = [
      device('macs', '1', 1),
      device('macs', '2', 1, { acknowledgement }),
      device('macs', '3', 1, { acknowledgement }),
      device('macs', '4', 1),
    ];
    const all = judge([one, two]);
    expect(all.events.map(say)).toEqual([
      'first device.overdue: 2 devices have been without the agent for 14 days or longer (macs 2). Of these, 1 is acknowledged.',
    ]);
    expect(all.events[0]?.figures).toEqual({ overdue: 2, new: 1, listed: 1, acknowledged: 1, canaries: 0 });
    expect(listIds(all)).toEqual(['1']);
    const canaries = new Set([four.machine]);
    const others = judge([one, two, three, four], [], 20, {}, canaries).events[0];
    expect(others?.text).toMatch(/^4 devices .* Of these, 2 are acknowledged and 1 is a canary\.$/);
    expect(others?.figures).toMatchObject({ overdue: 4, listed: 1, acknowledged: 2, canaries: 1 });
  });

  it('open the alert and hold it open, also where each of them is taken care of', () => {
    const devices = [device('macs', '1', 1, { acknowledgement }), device('macs', '2', 1)];
    const canaries = new Set(['macos/C02FX2']);
    expect(judge(devices, [], 20, {}, canaries).events).toMatchObject([
      {
        phase: 'first',
        text: 'Each device that has been without the agent for 14 days or longer is taken care of: 1 is acknowledged and 1 is a canary.',
        figures: { overdue: 2, new: 0, listed: 0, acknowledged: 1, canaries: 1 },
        first: [],
      },
    ]);
    expect(judge(devices, [overdue(15)], 20, {}, canaries)).toMatchObject({ events: [], open: ['overdue'] });
  });

  it('are those that have lacked it for as many days as the policy says, counted and Not Installed', () => {
    const ids = (devices: readonly JudgedDevice[]) => listIds(judge(devices));
    expect(ids([device('macs', '1', 6), device('macs', '2', 7)])).toEqual(['1']);
    expect(
      ids([device('macs', '1', 1, { counted: false }), device('macs', '2', 1, { status: 'Installed' })]),
    ).toBeUndefined();
  });

  it('need no alert of their own', () => {
    const sources = [makeSource('macs', [makeMac('1', 'Not Installed'), makeMac('9')])];
    const all = judgeRuns(...Array.from({ length: 15 }, () => ({ sources })));
    const events = all.map((night) => night.events.find(({ kind }) => kind === 'device.overdue'));
    expect(events.slice(0, 14).filter((event) => event !== undefined)).toEqual([]);
    expect(events[14]?.first?.map(({ id }) => id)).toEqual(['1']);
    expect(all[14]?.state.openAlerts?.map(({ key }) => key)).toEqual(['overdue']);
  });

  it('are over when every source is complete and none is left', () => {
    expect(judge([], [overdue(15)]).events.map(say)).toEqual([
      'over device.overdue: No device has been without the agent for so long.',
    ]);
    expect(judge([], [overdue(15)], 20, { macs: 'carried' })).toMatchObject({ events: [], open: ['overdue'] });
  });

  it('are listed where their source is whole, and counted as on the page', () => {
    const devices = [device('macs', '1', 1), device('windows', 'a', 1)];
    const night = judge(devices, [], 20, { windows: 'untrusted' });
    expect(night.events[0]?.text).toBe(
      '2 devices have been without the agent for 14 days or longer (macs 1, windows 1). ' +
        'Not listed: 1 of windows, since this source is not complete and sound in this run.',
    );
    expect(night.events[0]?.figures).toMatchObject({ overdue: 1, listed: 1, notListed: 1 });
    expect(listIds(night)).toEqual(['1']);
    expect(listIds(judge(devices, [], 20, { windows: 'partial' }))).toEqual(['1', 'a']);
  });
});
