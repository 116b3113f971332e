/** Judges the soundness of a source's answer, with the reason in a sentence. */

import type { ShownRow } from '../facts/facts.ts';
import type { Problem, Soundness } from '../facts/vocabulary.ts';
import { formatCount } from '../text/format-count.ts';
import { pluralize } from '../text/pluralize.ts';
import type { BreakerResult } from './breaker.ts';
import type { JudgedCanary } from './canaries.ts';
import { formatFinding, isInstrumentSound, isUnsound } from './instrument.ts';
import type { ListingGap, ListingGaps } from './listing.ts';
import type { SourceInput } from './source-input.ts';

/** Facts that make a complete answer suspect or untrusted, apart from its instrument. */
export interface Doubts {
  /** The slot of the run. */
  readonly slot: string;
  /** Undefined where the source has no baseline. */
  readonly breaker: BreakerResult | undefined;
  readonly gaps: ListingGaps;
  /** True for a first answer without devices, or with devices and nothing about the agent on any of them. */
  readonly isFirstAndEmpty: boolean;
  readonly wrongCanaries: readonly JudgedCanary[];
}

export function judgeSoundness(input: SourceInput, doubts: Doubts, isAccepted: boolean): Soundness {
  if (input.reading !== 'fresh') {
    return input.reading;
  }
  if (!isInstrumentSound(input.source) || doubts.wrongCanaries.length > 0) {
    return 'untrusted';
  }
  const { breaker, gaps, isFirstAndEmpty } = doubts;
  const isSuspect = breaker?.trips === true || isFirstAndEmpty || Object.keys(gaps).length > 0;
  if (isSuspect && !isAccepted) {
    return 'suspect';
  }
  return input.source.unread === undefined ? 'complete' : 'partial';
}

export function explainSoundness(input: SourceInput, soundness: Soundness, doubts: Doubts): Problem | undefined {
  return explanations[soundness](input, doubts);
}

const explanations: Readonly<Record<Soundness, (input: SourceInput, doubts: Doubts) => Problem | undefined>> = {
  missing: ({ source }) => source.problem,
  carried: ({ source }) => source.problem,
  untrusted: explainUntrusted,
  suspect: explainSuspect,
  partial: explainPartial,
  complete: () => undefined,
};

function explainPartial({ rows }: SourceInput): Problem {
  const unread = rows.filter((row) => row.unread);
  const listed = rows.length;
  const count = `${formatCount(unread.length)} of ${formatCount(listed)} ${pluralize(listed, 'device')} could not be read`;
  const advice = 'Open each on the platform, and repair or delete its record; the next run asks for it again.';
  return { code: 'devices-unread', message: `${count}. ${describeUnread(unread)} ${advice}` };
}

/** Describes devices that could not be read; one that was never read before is shown by its id alone. */
function describeUnread(unread: readonly ShownRow[]): string {
  const blank = unread.filter(({ answeredOn }) => answeredOn === undefined).length;
  const kept = 'shown as it was when it was read last';
  if (blank === 0) {
    return `Each is ${kept}.`;
  }
  const never = `${pluralize(blank, 'was', 'were')} never read before and ${pluralize(blank, 'counts', 'count')} as Not Installed`;
  return blank === unread.length
    ? `${blank === 1 ? 'It' : 'They'} ${never}.`
    : `${formatCount(blank)} ${never}. Each other is ${kept}.`;
}

const noInstrumentCheck =
  'No check of what produces its values has passed, so none of them is proof. muster check shows each check.';

function explainUntrusted({ source, memoryBefore, instrumentMemory }: SourceInput, { wrongCanaries }: Doubts): Problem {
  if (wrongCanaries.length > 0) {
    const advice = 'Find out what broke between the script and this report; until then nothing is proven.';
    return {
      code: 'canary',
      message: `${wrongCanaries.map(({ finding }) => formatFinding(finding)).join(' ')} ${advice}`,
    };
  }
  const finding = source.findings.find(isUnsound);
  if (finding === undefined) {
    return { code: 'instrument', message: noInstrumentCheck };
  }
  const { last } = instrumentMemory;
  const since = memoryBefore && last ? ` It has been like this since the run of ${last.since}.` : '';
  const advice = finding.advice ? ` ${finding.advice}` : '';
  return { code: 'instrument', message: formatFinding(finding) + advice + since };
}

function explainSuspect({ source, baseline }: SourceInput, doubts: Doubts): Problem {
  const { breaker, gaps, isFirstAndEmpty, slot } = doubts;
  const accept = `run "muster accept ${slot}"`;
  const advice = gaps.shortfall
    ? `If the list has every device, ${accept} once: this share of the overview then counts as usual, for good. If not, look at the platform.`
    : `If that is what happened, ${accept}; if not, look at the platform.`;
  const reasons = [
    ...(isFirstAndEmpty ? [describeEmptiness(source)] : []),
    ...(gaps.unlisted ? [`${describeGap(gaps.unlisted)} that the app’s report names are missing from its list`] : []),
    ...(gaps.shortfall ? [`${describeGap(gaps.shortfall)} ${shortfallCauses}`] : []),
    ...(breaker?.trips ? [describeBreaker(breaker, baseline?.slot)] : []),
  ];
  return { code: breaker?.trips ? 'breaker' : 'devices-missing', message: `${reasons.join('. ')}. ${advice}` };
}

const shortfallCauses =
  'of the platform’s own overview are missing from its list: the overview still counts records that were overwritten, ' +
  'or the list ended early, without a link to the rest';

function describeEmptiness({ devices }: SourceInput['source']): string {
  const { length } = devices;
  const listed =
    length === 0 ? 'no device' : `${formatCount(length)} ${pluralize(length, 'device')}, and no word about the agent`;
  return `Its first complete answer has ${listed}`;
}

function describeGap({ lacking, of, expected }: ListingGap): string {
  const usual = Math.round(expected);
  return `${formatCount(lacking)} of ${formatCount(of)} devices${usual === 0 ? '' : ` (${formatCount(usual)} would be as usual)`}`;
}

function describeBreaker(
  { gone, cleanedUp, countedBefore, flipped, inBoth }: BreakerResult,
  baseline: string | undefined,
): string {
  const drop = `${formatCount(gone)} of ${formatCount(countedBefore)} counted ${pluralize(countedBefore, 'device')} ${pluralize(gone, 'is', 'are')} no longer counted`;
  const silent = `${formatCount(cleanedUp)} more ${pluralize(cleanedUp, 'is', 'are')} gone that had not been heard from for long`;
  const stale = cleanedUp === 0 ? '' : ` (${silent})`;
  return `${drop}${stale}, ${formatCount(flipped)} of ${formatCount(inBoth)} changed their status since ${baseline}`;
}
