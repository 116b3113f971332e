/** When a finding of a device opens and closes, by itself and after a run was retracted. */
import { describe, expect, it } from 'vitest';
import { sourceRules } from '../../src/compose/source-kinds.ts';
import { toDeviceKey } from '../../src/core/device/match-devices.ts';
import type { DeviceFacts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import type { RetractedFinding, State } from '../../src/core/facts/state.ts';
import { judge } from '../../src/core/judge.ts';
import { decideFindings, findOpenedFindings } from '../../src/core/ledger/findings.ts';
import { at, exemption, facts, incomplete, judged, mac, nights, pc, source, stored } from './world.ts';

const lacking = (id: string, changes: Partial<DeviceFacts> = {}) => mac(id, 'Not Installed', changes);
const ended = (night: Night | undefined) =>
  night?.findings.ended.map(({ device, why, isPassing }) => [device.id, why, isPassing]);

describe('a finding ends', () => {
  it('by the answer, by an exclusion, or when the device is gone; one that stays open does not', () => {
    const [, second] = nights(
      {
        sources: [
          source(
            'macs',
            ['1', '2', '3', '4'].map((id) => lacking(id)),
          ),
        ],
      },
      { sources: [source('macs', [mac('1'), lacking('2', { managementState: 'unmanaged' }), lacking('4')])] },
    );

    expect(ended(second)?.sort()).toEqual([
      ['1', 'reported', true],
      ['2', 'unmanaged', false],
      ['3', 'removed', false],
    ]);
    expect([...(second?.findings.known ?? [])].sort()).toEqual(
      ['1', '2', '3', '4'].map((id) => toDeviceKey('macs', id)),
    );
  });

  it('with its source, even where another of its name lists a device with its id', () => {
    const [, second] = nights(
      { sources: [source('macs', [lacking('1')])] },
      { sources: [source('macs', [pc('1')], { kind: 'intune' })] },
    );

    expect(ended(second)).toEqual([['1', 'removed', false]]);
  });

  it('not by an exemption, nor by a source that did not answer completely', () => {
    const sources = [source('macs', [lacking('1')])];
    const all = nights(
      { sources },
      { sources, exemptions: [exemption('device_id', '1')] },
      { sources: [incomplete('macs')] },
    );

    expect(all.map(ended)).toEqual([[], [], []]);
  });

  it('with its source, at the time of the last answer that has one', () => {
    const answers = [{ value: 'Not Installed', at: at(1, -3) }, { value: 'Not Installed' }];
    const all = nights(
      { sources: [source('macs', [lacking('1', { answers }), lacking('2', { answers: [], reportedAt: at(1, -2) })])] },
      { sources: [source('other', [mac('9')])] },
    );

    expect(all[1]?.findings.ended.map(({ device, answeredAt, why }) => [device.id, answeredAt, why])).toEqual([
      ['1', at(1, -3), 'removed'],
      ['2', at(1, -2), 'removed'],
    ]);
  });
});

describe('after a run was retracted', () => {
  const before = judged({ sources: [source('macs', [mac('1'), lacking('2')])] }).state;
  const after = nights(
    { sources: [source('macs', [mac('1'), lacking('2')])] },
    { sources: [source('macs', [lacking('1'), lacking('2')])] },
  )[1]?.state;
  const retractedFindings: RetractedFinding[] = after === undefined ? [] : findOpenedFindings(before, after);
  const retracted: State = { ...before, retractedFindings };
  const next = (changes: Parameters<typeof facts>[1]) => judge(facts(3, changes), stored(retracted), sourceRules);

  it('what it opened is what only it had open', () => {
    expect(retractedFindings.map(({ source: name, device }) => [name, device.id])).toEqual([['macs', '1']]);
    expect(findOpenedFindings(before, before)).toEqual([]);
  });

  it('is closed by a complete answer, and then forgotten', () => {
    const night = next({ sources: [source('macs', [mac('1'), lacking('2')])] });

    expect(ended(night)).toEqual([['1', 'reported', true]]);
    expect(night.state).not.toHaveProperty('retractedFindings');
  });

  it('stays open where a complete answer says the same, and is then the baseline’s', () => {
    const night = next({ sources: [source('macs', [lacking('1'), lacking('2')])] });

    expect(ended(night)).toEqual([]);
    expect(night.findings.known.has(toDeviceKey('macs', '1'))).toBe(true);
    expect(night.state).not.toHaveProperty('retractedFindings');
  });

  it('waits for a source that does not answer completely', () => {
    const night = next({ sources: [incomplete('macs')] });

    expect(ended(night)).toEqual([]);
    expect(night.state.retractedFindings).toEqual(retractedFindings);
  });

  it('is closed once where the baseline has it open too', () => {
    const twice = { ...before, retractedFindings: [{ source: 'macs', kind: 'jamf', device: lacking('2') }] };
    const decided = decideFindings(twice, { sources: [], devices: [] }, new Set([toDeviceKey('macs', '2')]));

    expect(decided.findings.ended.map(({ device, why }) => [device.id, why])).toEqual([['2', 'moved']]);
    expect(decided.retractedFindings).toEqual([]);
  });
});
