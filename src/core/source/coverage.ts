/** The number and its interval. Counting is exact; percentages are made from whole numbers, never from floats. */

import type { Change, JudgedDevice, JudgedSource, Judgement } from '../facts/judged.ts';
import { type Coverage, type CoverageFigures, coverageFigures, type ListFigures, listFigures } from '../facts/state.ts';
import { soundnesses } from '../facts/vocabulary.ts';
import { isAnswerProven } from '../record/proof.ts';

/** Computes a source's row; `flow` has the machines that joined and left its count. */
export function computeCoverage(
  source: Pick<JudgedSource, 'name' | 'operatingSystem' | 'soundness'>,
  devices: readonly JudgedDevice[],
  changes: readonly Change[],
  flow: Pick<Coverage, 'joined' | 'left'>,
): Coverage {
  const { devices: listed, counted, ...figures } = countFigures(devices.map(({ judgement }) => judgement));
  return {
    source: source.name,
    operatingSystem: source.operatingSystem,
    soundness: source.soundness,
    devices: listed,
    counted,
    excluded: listed - counted,
    exempt: devices.filter((device) => device.judgement.excludedBecause === 'exempt').length,
    stale: devices.filter(({ judgement }) => judgement.counted && judgement.stale).length,
    ...figures,
    lost: changes.filter((change) => change.kind === 'lost').length,
    recovered: changes.filter((change) => change.kind === 'recovered').length,
    ...flow,
  };
}

/** Figures from which the coverage of any set of devices is made. All but the first are over counted devices. */
export type CountedFigures = Pick<
  Coverage,
  'devices' | 'counted' | 'installed' | 'notInstalled' | 'provenInstalled' | 'provenNotInstalled'
>;

/** The figures of devices, by the judgement of each. */
export function countFigures(
  judgements: readonly (Pick<Judgement, 'counted' | 'status'> & Partial<Pick<Judgement, 'unprovenBecause'>>)[],
): CountedFigures {
  let [counted, installed, provenInstalled, provenNotInstalled] = [0, 0, 0, 0];
  for (const judgement of judgements) {
    if (judgement.counted) {
      const isInstalled = judgement.status === 'Installed';
      counted += 1;
      installed += Number(isInstalled);
      provenInstalled += Number(isInstalled && isAnswerProven(judgement));
      provenNotInstalled += Number(!isInstalled && isAnswerProven(judgement));
    }
  }
  const notInstalled = counted - installed;
  return { devices: judgements.length, counted, installed, notInstalled, provenInstalled, provenNotInstalled };
}

/** The row for all sources: sums, and the worst of their soundnesses. */
export function computeTotalCoverage(rows: readonly Coverage[]): Coverage {
  const sums = coverageFigures.map((figure) => [figure, rows.reduce((sum, row) => sum + row[figure], 0)]);
  const listSums = listFigures
    .filter((figure) => rows.some((row) => row[figure] !== undefined))
    .map((figure) => [figure, rows.reduce((sum, row) => sum + (row[figure] ?? 0), 0)]);
  return {
    source: 'all',
    operatingSystem: 'all',
    soundness: soundnesses.find((soundness) => rows.some((row) => row.soundness === soundness)) ?? 'complete',
    ...(Object.fromEntries(sums) as CoverageFigures),
    ...(Object.fromEntries(listSums) as ListFigures),
  };
}

/** Percent with two decimals, as text; empty when nothing is counted. */
export type CoverageInterval = Readonly<Record<'coverage' | 'low' | 'high', string>>;

/** The interval: coverage rounded to the nearest hundredth, low down, high up, so that rounding never narrows it. */
export function computeInterval(
  row: Pick<Coverage, 'counted' | 'installed' | 'provenInstalled' | 'provenNotInstalled'>,
): CoverageInterval {
  return formatInterval(row.counted, row.installed, row.provenInstalled, row.provenNotInstalled);
}

/**
 * The stricter interval: devices that have the agent and report to its console. Devices of which the list cannot say
 * whether they report are between low and high. Empty where no such list is judged.
 */
export function computeReportingInterval(row: Omit<CountedFigures, 'devices'> & ListFigures): CoverageInterval {
  const { silent, reporting, provenReporting } = row;
  return silent === undefined || reporting === undefined || provenReporting === undefined
    ? { coverage: '', low: '', high: '' }
    : formatInterval(row.counted, reporting, provenReporting, row.provenNotInstalled + silent);
}

function formatInterval(counted: number, has: number, surelyHas: number, surelyHasNot: number): CoverageInterval {
  if (counted === 0) {
    return { coverage: '', low: '', high: '' };
  }
  return {
    coverage: formatHundredths(Math.round((has * 10_000) / counted)),
    low: formatHundredths(Math.floor((surelyHas * 10_000) / counted)),
    high: formatHundredths(10_000 - Math.floor((surelyHasNot * 10_000) / counted)),
  };
}

function formatHundredths(hundredths: number): string {
  return (hundredths / 100).toFixed(2);
}
