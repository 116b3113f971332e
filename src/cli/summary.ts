/** What a night says to a person at a terminal: the number, how sure it is, what changed, where to look. Pure. */

import { computeInterval } from '../core/coverage.ts';
import type { Coverage } from '../core/figures.ts';
import type { JudgedSource, Night } from '../core/judged.ts';
import { pluralize } from '../core/pluralize.ts';
import { toPrintableText } from '../reports/cell.ts';

export function formatSummary(night: Night): string[] {
  const all = night.coverage.at(-1);
  if (all === undefined) {
    return [];
  }
  return [
    `${toPrintableText(night.agent)} – night of ${night.slot}`,
    '',
    ...formatHeadline(all),
    formatChangesLine(night, all),
    '',
    ...night.sources.map((source) => formatSourceLine(source, night)),
  ];
}

function formatHeadline(all: Coverage): string[] {
  const { coverage, low, high } = computeInterval(all);
  if (coverage === '') {
    return ['  no device is counted, so there is no coverage to show'];
  }
  const excluded = all.excluded === 0 ? '' : `, ${formatNumber(all.excluded)} more not counted`;
  return [
    `  ${coverage} % have it   (certainly ${low} %, at most ${high} %)`,
    `  ${formatNumber(all.counted)} ${pluralize(all.counted, 'device')} counted${excluded}; ${formatNumber(all.notInstalled)} to chase, ${formatNumber(all.stale)} with an old answer`,
  ];
}

function formatChangesLine(night: Night, all: Coverage): string {
  if (night.sources.every((source) => source.first)) {
    return '  first night: this is the baseline that the next one is compared with';
  }
  const parts = [
    [all.lost, 'lost'],
    [all.recovered, 'recovered'],
    [all.joined, 'joined'],
    [all.left, 'left'],
  ] as const;
  const told = parts.filter(([count]) => count > 0).map(([count, word]) => `${formatNumber(count)} ${word}`);
  return `  since the baseline: ${told.length === 0 ? 'no change' : told.join(', ')}`;
}

function formatSourceLine(source: JudgedSource, night: Night): string {
  const row = night.coverage.find(({ source: name }) => name === source.name);
  const { claimed, received } = source.receipt;
  const rows = pluralize(claimed ?? received, 'row');
  const receipt =
    claimed === undefined
      ? `${formatNumber(received)} ${rows}`
      : `${formatNumber(received)} of ${formatNumber(claimed)} ${rows}`;
  const word = source.first ? 'complete (first night)' : source.soundness;
  const why = source.problem === undefined ? '' : `\n      ${toPrintableText(source.problem.message)}`;
  const carried = source.soundness === 'carried' ? `, shown as of ${source.baseline}` : '';
  return `  ${source.name.padEnd(12)} ${word}: ${receipt}, ${formatNumber(row?.notInstalled ?? 0)} to chase${carried}${why}`;
}

export function formatNumber(value: number): string {
  return value.toLocaleString('en-US');
}
