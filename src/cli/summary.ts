/** The summary of a run on a terminal: coverage and its interval, what changed, and a line for each source. Pure. */

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
    `${toPrintableText(night.agent)} – run of ${night.slot}`,
    '',
    ...formatHeadline(all),
    formatChangesLine(night, all),
    '',
    ...night.sources.map((source) => formatSourceLine(source, night)),
  ];
}

export function formatHeadline(all: Coverage): string[] {
  const { coverage, low, high } = computeInterval(all);
  if (coverage === '') {
    return ['  no device is counted, so there is no coverage to show'];
  }
  const excluded = all.excluded === 0 ? '' : `, ${formatCount(all.excluded)} more not counted`;
  return [
    `  ${coverage} % have the agent   (certainly ${low} %, at most ${high} %)`,
    `  ${formatCount(all.counted)} ${pluralize(all.counted, 'device')} counted${excluded}; ${formatCount(all.notInstalled)} ${pluralize(all.notInstalled, 'needs', 'need')} action, ${formatCount(all.stale)} with an old answer`,
  ];
}

function formatChangesLine(night: Night, all: Coverage): string {
  if (night.sources.every((source) => source.first)) {
    return '  first run: this is the baseline that later runs are compared with';
  }
  const parts = [
    [all.lost, 'lost'],
    [all.recovered, 'recovered'],
    [all.joined, 'joined'],
    [all.left, 'left'],
  ] as const;
  const counts = parts.filter(([count]) => count > 0).map(([count, word]) => `${formatCount(count)} ${word}`);
  return `  since the baseline: ${counts.length === 0 ? 'no change' : counts.join(', ')}`;
}

function formatSourceLine(source: JudgedSource, night: Night): string {
  const row = night.coverage.find(({ source: name }) => name === source.name);
  const notInstalled = row?.notInstalled ?? 0;
  const { claimed, received } = source.receipt;
  const rows = pluralize(claimed ?? received, 'row');
  const receipt =
    claimed === undefined
      ? `${formatCount(received)} ${rows}`
      : `${formatCount(received)} of ${formatCount(claimed)} ${rows}`;
  const word = source.first ? 'complete (first run)' : source.soundness;
  const why = source.problem === undefined ? '' : `\n      ${toPrintableText(source.problem.message)}`;
  const carried = source.soundness === 'carried' ? `, shown as of ${source.baseline}` : '';
  return `  ${source.name.padEnd(12)} ${word}: ${receipt}, ${formatCount(notInstalled)} ${pluralize(notInstalled, 'needs', 'need')} action${carried}${why}`;
}

/** A count in the terminal's English; the page has its own language. */
export function formatCount(value: number): string {
  return value.toLocaleString('en-US');
}
