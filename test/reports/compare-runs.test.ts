/** What `muster diff` says of two nights, whichever lay between them. */
import { describe, expect, it } from 'vitest';
import { formatComparison } from '../../src/cli/diff.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import { compareRuns } from '../../src/reports/compare-runs.ts';
import { judgeRuns, makeExemption, makeIncomplete, makeMac, makeSource } from '../core/make-facts.ts';

const before = [
  makeMac('1'),
  makeMac('2', 'Not Installed'),
  makeMac('3'),
  makeMac('4'),
  makeMac('5', 'Installed', { managementState: 'unmanaged' }),
  makeMac('6', 'Not Installed', { serialNumber: 'C02MOVED01' }),
  makeMac('8'),
];
const after = [
  makeMac('1', 'Not Installed', { name: 'line\nbreak' }),
  makeMac('2'),
  makeMac('3', 'Installed', { managementState: 'unmanaged' }),
  makeMac('5'),
  makeMac('7', 'Installed', { serialNumber: 'C02MOVED01' }),
  makeMac('8'),
  makeMac('9', 'Not Installed'),
];

function pair(): [Night, Night] {
  const all = judgeRuns(
    { sources: [makeSource('macs', before)] },
    { sources: [makeIncomplete('macs')] },
    { sources: [makeSource('macs', after)], exemptions: [makeExemption('device_id', '8')] },
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
    const old = makeMac('1', 'Installed', { reportedAt: '2020-01-01T00:00:00Z' });
    const [one, other] = judgeRuns(
      { sources: [makeSource('macs', [makeMac('1'), makeMac('2')])] },
      { sources: [makeSource('macs', [old, makeMac('2')])] },
    );
    const { changes, difference } = compareRuns(one as Night, other as Night);
    expect(changes.map(({ kind, device }) => [kind, device.id])).toEqual([['unproven', '1']]);
    expect(difference?.shares).toMatchObject([{ kind: 'unproven', devices: 1 }]);
    expect(other?.changes).toEqual([]);
  });

  it('have a machine that was gone and came back elsewhere as the later run has it: it has not moved', () => {
    const machine = { serialNumber: 'C02MOVED01' };
    const [here, there] = [makeMac('2'), makeMac('3', 'Not Installed')];
    const [, away, back] = judgeRuns(
      { sources: [makeSource('macs-a', [makeMac('1', 'Installed', machine), here]), makeSource('macs-b', [there])] },
      { sources: [makeSource('macs-a', [here]), makeSource('macs-b', [there])] },
      { sources: [makeSource('macs-a', [here]), makeSource('macs-b', [there, makeMac('4', 'Installed', machine)])] },
    );
    const { changes, difference } = compareRuns(away as Night, back as Night);
    expect(changes.map(({ kind, device }) => [kind, device.id])).toEqual([['new-installed', '4']]);
    expect(back?.changes.map(({ kind, device }) => [kind, device.id])).toEqual([['new-installed', '4']]);
    expect(difference?.shares).toMatchObject([{ kind: 'new-installed', devices: 1, coverage: 16.67 }]);
    expect(back?.difference?.shares).toEqual(difference?.shares);
  });

  it('are the changes of the later one where the earlier one is its baseline', () => {
    const [one, other] = judgeRuns(
      { sources: [makeSource('macs', before)] },
      { sources: [makeSource('macs', after)] },
    ) as [Night, Night];
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
