/** The figures of a source, and of all of them. */
import type { ListFigures } from '../../src/core/facts/state.ts';
import { isProven } from './proof.ts';
import { type ChangeRow, type CoverageRow, isCounted, type Row, type SourceNight } from './rows.ts';
import type { Flow } from './sums.ts';

export function computeCoverage(
  { facts, soundness }: SourceNight,
  rows: readonly Row[],
  changes: readonly ChangeRow[],
  flow: Flow,
): CoverageRow {
  const counted = rows.filter(isCounted);
  const installed = counted.filter(({ status }) => status === 'Installed');
  const notInstalled = counted.filter(({ status }) => status === 'Not Installed');
  return {
    source: facts.name,
    soundness,
    devices: rows.length,
    counted: counted.length,
    excluded: rows.length - counted.length,
    exempt: rows.filter(({ excludedBecause }) => excludedBecause === 'exempt').length,
    stale: counted.filter(({ stale }) => stale).length,
    installed: installed.length,
    notInstalled: notInstalled.length,
    provenInstalled: installed.filter(isProven).length,
    provenNotInstalled: notInstalled.filter(isProven).length,
    lost: changes.filter(({ kind }) => kind === 'lost').length,
    recovered: changes.filter(({ kind }) => kind === 'recovered').length,
    ...flow,
  };
}

export function computeTotal(all: readonly CoverageRow[], flow: Flow): CoverageRow {
  const order = ['missing', 'carried', 'untrusted', 'suspect', 'partial', 'complete'];
  const add = (field: Exclude<keyof CoverageRow, 'source' | 'soundness' | keyof ListFigures>) =>
    all.reduce((sum, row) => sum + row[field], 0);
  return {
    source: 'all',
    soundness: order.find((word) => all.some(({ soundness }) => soundness === word)) ?? 'complete',
    devices: add('devices'),
    counted: add('counted'),
    excluded: add('excluded'),
    exempt: add('exempt'),
    stale: add('stale'),
    installed: add('installed'),
    notInstalled: add('notInstalled'),
    provenInstalled: add('provenInstalled'),
    provenNotInstalled: add('provenNotInstalled'),
    lost: add('lost'),
    recovered: add('recovered'),
    ...flow,
  };
}
