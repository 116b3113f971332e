/** What `muster diff` says of two nights, whichever lay between them. */
import { describe, expect, it } from 'vitest';
import { formatComparison } from '../../src/cli/diff.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import { compareRuns } from '../../src/reports/compare-runs.ts';
import { exemption, incomplete, mac, nights, source } from '../core/make-facts.ts';

const before = [
  mac('1'),
  mac('2', 'Not Installed'),
  mac('3'),
  mac('4'),
  mac('5', 'Installed', { managementState: 'unmanaged' }),
  mac('6', 'Not Installed', { serialNumber: 'C02MOVED01' }),
  mac('8'),
];
const after = [
  mac('1', 'Not Installed', { name: 'line\nbreak' }),
  mac('2'),
  mac('3', 'Installed', { managementState: 'unmanaged' }),
  mac('5'),
  mac('7', 'Installed', { serialNumber: 'C02MOVED01' }),
  mac('8'),
  mac('9', 'Not Installed'),
];

function pair(): [Night, Night] {
  const all = nights(
    { sources: [source('macs', before)] },
    { sources: [incomplete('macs')] },
    { sources: [source('macs', after)], exemptions: [exemption('device_id', '8')] },
  );
  return [all[0] as Night, all[2] as Night];
}

describe('two nights side by side', () => {
  it('have each device that differs, once for each way', () => {
    const rows = compareRuns(...pair()).changes.map(({ kind, device, reason }) => [kind, device.id, reason]);
    expect(rows).toEqual([
      ['lost', '1', 'reported'],
      ['new-not-installed', '9', 'reported'],
      ['removed', '4', 'reported'],
      ['excluded', '3', 'unmanaged'],
      ['excluded', '8', 'exempt'],
      ['recovered', '2', 'reported'],
      ['recovered', '7', 'reported'],
      ['included', '5', 'unmanaged'],
      ['moved', '7', 'reported'],
    ]);
  });

  it('have a row for a machine whose proof alone changed, which changes.csv has not', () => {
    const old = mac('1', 'Installed', { reportedAt: '2020-01-01T00:00:00Z' });
    const [one, other] = nights(
      { sources: [source('macs', [mac('1'), mac('2')])] },
      { sources: [source('macs', [old, mac('2')])] },
    );
    const { changes, difference } = compareRuns(one as Night, other as Night);
    expect(changes.map(({ kind, device }) => [kind, device.id])).toEqual([['unproven', '1']]);
    expect(difference?.shares).toMatchObject([{ kind: 'unproven', devices: 1 }]);
    expect(other?.changes).toEqual([]);
  });

  it('have a machine that was gone and came back elsewhere as the later run has it: it has not moved', () => {
    const machine = { serialNumber: 'C02MOVED01' };
    const [here, there] = [mac('2'), mac('3', 'Not Installed')];
    const [, away, back] = nights(
      { sources: [source('macs-a', [mac('1', 'Installed', machine), here]), source('macs-b', [there])] },
      { sources: [source('macs-a', [here]), source('macs-b', [there])] },
      { sources: [source('macs-a', [here]), source('macs-b', [there, mac('4', 'Installed', machine)])] },
    );
    const { changes, difference } = compareRuns(away as Night, back as Night);
    expect(changes.map(({ kind, device }) => [kind, device.id])).toEqual([['new-installed', '4']]);
    expect(back?.changes.map(({ kind, device }) => [kind, device.id])).toEqual([['new-installed', '4']]);
    expect(difference?.shares).toMatchObject([{ kind: 'new-installed', devices: 1, coverage: 16.67 }]);
    expect(back?.difference?.shares).toEqual(difference?.shares);
  });

  it('are the changes of the later one where the earlier one is its baseline', () => {
    const [one, other] = nights({ sources: [source('macs', before)] }, { sources: [source('macs', after)] }) as [
      Night,
      Night,
    ];
    const kinds = (list: readonly { kind: string }[]) => list.map(({ kind }) => kind).sort();
    expect(other.changes.length).toBeGreaterThan(3);
    expect(kinds(compareRuns(one, other).changes)).toEqual(kinds(other.changes));
  });

  it('are printed with both nights’ figures, and no text of a device breaks a line', () => {
    const [one, other] = pair();
    const lines = formatComparison(one, other);
    expect(lines[0]).toBe(`Endpoint agent – from the run of ${one.slot} to the run of ${other.slot}`);
    expect(lines).toContain('  1 lost, 1 new-not-installed, 1 removed, 2 excluded, 2 recovered, 1 included, 1 moved');
    expect(lines.find((line) => line.startsWith('  lost'))).toMatch(
      /^ {2}lost {14}line break {2}\S+ {2}macs\/1 {2}reported$/,
    );
    expect(lines.every((line) => !line.includes('\n'))).toBe(true);
    expect(formatComparison(one, one)).toContain('  No device changed.');
  });
});
