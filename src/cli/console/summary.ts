/**
 * Formats the summary of a run for a terminal: coverage and its interval, changes, a line for each source, and
 * deliveries. Pure.
 */
import type { Delivery } from '../../alerts/delivery/deliver.ts';
import type { Settings } from '../../compose/read-settings.ts';
import type { Receipt } from '../../core/facts/facts.ts';
import type { JudgedSource, Night } from '../../core/facts/judged.ts';
import type { Coverage } from '../../core/facts/state.ts';
import { explainInterval, listUnprovenCauses, type UnprovenCause } from '../../core/source/certainty.ts';
import { computeInterval } from '../../core/source/coverage.ts';
import { formatCount } from '../../core/text/format-count.ts';
import { pluralize } from '../../core/text/pluralize.ts';
import { showWord } from '../../core/text/shown-words.ts';
import { toPrintableText } from '../../reports/cell.ts';

export function formatSummary(night: Night): string[] {
  const all = night.coverage.at(-1);
  if (all === undefined) {
    return [];
  }
  return [
    `${toPrintableText(night.agent)} – run of ${night.slot}`,
    '',
    ...formatHeadline(all, listUnprovenCauses(night.devices, night)),
    formatChangesLine(night, all),
    '',
    ...night.sources.map((source) => formatSourceLine(source, night)),
  ];
}

/** With what makes the interval as wide as it is, and what ends that. */
export function formatHeadline(all: Coverage, unproven: readonly UnprovenCause[]): string[] {
  const { coverage, low, high } = computeInterval(all);
  if (coverage === '') {
    return ['  no device is counted, so there is no coverage to show'];
  }
  const excluded = all.excluded === 0 ? '' : `, ${formatCount(all.excluded)} more not counted`;
  return [
    `  ${coverage} % have the agent   (certainly ${low} %, at most ${high} %)`,
    `  ${formatCount(all.counted)} ${pluralize(all.counted, 'device')} counted${excluded}; ${formatCount(all.notInstalled)} ${pluralize(all.notInstalled, 'needs', 'need')} action, ${formatCount(all.stale)} with an old answer`,
    ...formatCertainty(all, unproven),
  ];
}

export function formatCertainty(all: Coverage, unproven: readonly UnprovenCause[]): string[] {
  const why = explainInterval(unproven, all);
  return why === undefined ? [] : [`  ${why}`];
}

/** Calm, since a file may be there before its first row; but an exported one may have lost its rows. */
export function describeEmptyExemptions(
  { exemptions: file }: Pick<Settings, 'exemptions'>,
  { exemptions }: Pick<Night, 'exemptions'>,
): string[] {
  return file !== undefined && exemptions.length === 0
    ? [`Exemptions: ${toPrintableText(file)} has no row below its header, so that no device is exempt.`]
    : [];
}

function formatChangesLine(night: Night, all: Coverage): string {
  if (night.sources.every((source) => source.first)) {
    return '  first run: there is nothing to compare with yet';
  }
  const words = (['lost', 'recovered', 'joined', 'left'] as const).filter((word) => all[word] > 0);
  const counts = words.map((word) => `${formatCount(all[word])} ${word}`);
  const since = night.difference === undefined ? 'each source’s last whole run' : night.difference.from;
  return `  since ${since}: ${counts.length === 0 ? 'no change' : counts.join(', ')}`;
}

function formatSourceLine(source: JudgedSource, night: Night): string {
  const row = night.coverage.find(({ source: name }) => name === source.name);
  const notInstalled = row?.notInstalled ?? 0;
  const word = source.first ? 'complete (first run)' : showWord(source.soundness);
  const why = source.problem === undefined ? '' : `\n      ${toPrintableText(source.problem.message)}`;
  const asOf = source.soundness === 'carried' ? `, shown as of ${source.baseline}` : '';
  return `  ${source.name.padEnd(12)} ${word}: ${formatReceived(source.receipt, 'row')}, ${formatCount(notInstalled)} ${pluralize(notInstalled, 'needs', 'need')} action${asOf}${why}`;
}

/** `99 of 100 rows`, or `99 rows` where the platform claimed no number. */
export function formatReceived({ claimed, received }: Pick<Receipt, 'claimed' | 'received'>, noun: string): string {
  const of = claimed === undefined ? '' : ` of ${formatCount(claimed)}`;
  return `${formatCount(received)}${of} ${pluralize(claimed ?? received, noun)}`;
}

/** Lines about deliveries; also says when no channel is set. */
export function formatDeliveryLines(delivery: Delivery | undefined, channels: number): string[] {
  const { delivered = [], undelivered = [] } = delivery ?? {};
  return [
    ...(channels === 0 ? ['No channel is set: nothing will be reported.'] : []),
    ...(delivered.length === 0 ? [] : [`Delivered: ${delivered.map(formatMessageCount).join(', ')}.`]),
    ...(delivery !== undefined && channels > 0 && delivered.length + undelivered.length === 0
      ? ['Nothing to report: no message was sent.']
      : []),
    ...undelivered.map(
      ({ channel, since, why }) =>
        `Not delivered: ${channel}, since ${since}. ${why.message} Retried first by the next run.`,
    ),
  ];
}

function formatMessageCount({ channel, messages }: Delivery['delivered'][number]): string {
  return `${channel} (${messages} ${pluralize(messages, 'message')})`;
}
