/** What is said of a source as a whole: that it is away, implausible or another, and its first night. */
import { describe, expect, it } from 'vitest';
import type { DeviceFacts, Facts, SourceFacts } from '../../src/core/facts/facts.ts';
import { judgeRuns, lenient, makeIncomplete, makeMac, makePc, makeSource } from './make-facts.ts';

describe('a source', () => {
  const days = ['2nd', '3rd', '4th', '10th', '11th', '12th', '13th', '21st', '22nd', '23rd', '101st', '111th', '113th'];
  it(`that is away is so on its ${days.join(', ')} day`, () => {
    const all = judgeRuns({}, ...Array.from({ length: 113 }, () => ({ sources: [makeIncomplete('macs')] })));
    const texts = all.map(({ events }) => events.find(({ key }) => key === 'source:macs')?.text);
    expect(days.map((day) => texts[Number.parseInt(day, 10)])).toEqual(
      days.map((day) => `still no complete answer from macs, ${day} day, rows-missing`),
    );
  });

  it('that is implausible says how many devices it concerns, the lost ones first, and names twenty', () => {
    const fleet = (...values: readonly (readonly [number, string])[]) => ({
      sources: [
        makeSource(
          'macs',
          values.map(([id, value]) => makeMac(String(id), value)),
        ),
      ],
    });
    const ids = Array.from({ length: 60 }, (_, index) => index + 1);
    const whole = fleet(...ids.map((id) => [id, 'Installed'] as const));
    const shrunk = fleet(...ids.slice(0, 30).map((id) => [id, id === 30 ? 'Not Installed' : 'Installed'] as const));
    const [, night] = judgeRuns(whole, shrunk);
    const said = night?.events.find(({ kind }) => kind === 'source.suspect');
    expect(said?.figures).toEqual({ received: 30, affected: 31 });
    expect(said?.first?.map(({ id, reason }) => `${id} ${reason}`).slice(0, 2)).toEqual(['30 reported', '31 removed']);
    expect(said?.first).toHaveLength(20);
  });

  it('that has the name of another kind of source is another: the alerts of the former one end', () => {
    const macs = (value: string) => ({ sources: [makeSource('macs', [makeMac('1', value), makeMac('2', value)])] });
    const others = { sources: [makeSource('macs', [makePc('2', '1')], { kind: 'intune' })] };
    const [, , night] = judgeRuns(macs('Installed'), macs('Not Installed'), others);
    expect(night?.events.filter(({ key }) => key.startsWith('device:')).map((one) => [one.key, one.phase])).toEqual([
      ['device:macos/C02FX1', 'over'],
      ['device:macos/C02FX2', 'over'],
    ]);
    expect(night?.state.openAlerts).toEqual([]);
  });
});

describe('the message of a first night', () => {
  const message = (...runs: readonly Partial<Facts>[]) =>
    judgeRuns(...runs.map((changes) => ({ policy: lenient, ...changes })))
      .at(-1)
      ?.events.find(({ kind }) => kind === 'baseline');
  const here = (devices: readonly DeviceFacts[]) => makeSource('macs', [...devices, makeMac('9')]);
  const there = (devices: readonly DeviceFacts[]) => makeSource('macs-2', [...devices, makeMac('8')]);
  const ids = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));
  const arrive = (count: number, changes: Partial<DeviceFacts> = {}) =>
    message(
      { sources: [here(ids(count).map((id) => makeMac(id)))] },
      { sources: [here([]), there(ids(count).map((id) => makeMac(id, 'Not Installed', changes)))] },
    );

  it('says how many machines with an entry came Installed and are not, and the first names', () => {
    expect(arrive(1)?.text).toMatch(/^1 machine .* lacks it here: mac-1\.$/);
    expect(arrive(5)?.text).toMatch(/^5 machines .* lack it here: mac-1, mac-2, mac-3, mac-4, mac-5\.$/);
    expect(arrive(6)?.text).toMatch(/^6 machines .* lack it here: mac-1, mac-2, mac-3, mac-4, mac-5, …\.$/);
    expect(arrive(6)?.figures).toMatchObject({ counted: 7, notInstalled: 6, hadAgent: 6 });
  });

  it.each<[string, SourceFacts[], SourceFacts[]]>([
    ['without an entry', [here([])], [here([]), there([makeMac('1', 'Not Installed')])]],
    [
      'that came without the agent',
      [here([makeMac('1', 'Not Installed')])],
      [here([]), there([makeMac('1', 'Not Installed')])],
    ],
    ['that have the agent', [here([makeMac('1')])], [here([]), there([makeMac('1')])]],
    ['of another source', [here([makeMac('1')])], [here([makeMac('1', 'Not Installed')]), there([])]],
  ])('names no machines %s', (_, before, after) => {
    const said = message({ sources: before }, { sources: after });
    expect(said?.key).toBe('baseline:macs-2');
    expect(said).not.toHaveProperty('text');
    expect(said?.figures).not.toHaveProperty('hadAgent');
  });

  it('of a source that comes back says so of its own machines too', () => {
    const said = message(
      { sources: [here([]), there([makeMac('1')])] },
      { sources: [here([])] },
      { sources: [here([]), there([makeMac('1', 'Not Installed')])] },
    );
    expect(said?.figures).toMatchObject({ hadAgent: 1 });
  });

  it('names the first devices that lack the agent, and no canary', () => {
    const canaries = [{ source: 'macs', serial: 'C02FX1', expect: 'Not Installed' }] as const;
    const said = message({ sources: [here(['1', '2'].map((id) => makeMac(id, 'Not Installed')))], canaries });
    expect(said?.first?.map(({ id }) => id)).toEqual(['2']);
    expect(said?.figures).toMatchObject({ counted: 3, installed: 1, notInstalled: 2, excluded: 0, stale: 0 });
  });
});
