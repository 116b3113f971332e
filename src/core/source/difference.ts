/** Explains why the figures of two runs differ, in hundredths of a point by kind of change. The shares add up exactly. */
import type { Difference, DifferenceShare, Points } from '../facts/judged.ts';
import type { CountLetter } from '../facts/ledger.ts';
import { shareKinds, shareWords } from '../facts/vocabulary.ts';
import { type CountLetterPair, decideShareKind, isCounted, isInstalled, isProven } from '../ledger/letters.ts';
import { formatCount } from '../text/format-count.ts';
import { pluralize } from '../text/pluralize.ts';
import { type CountedFigures, computeInterval } from './coverage.ts';

export type RunFigures = Omit<CountedFigures, 'devices'>;

const bounds = ['coverage', 'low', 'high'] as const satisfies readonly (keyof Points)[];
type Bound = (typeof bounds)[number];

interface Run extends RunFigures {
  readonly slot: string;
}

/** The numerator of the coverage and of each bound. */
const numerators: Readonly<Record<Bound, (figures: RunFigures) => number>> = {
  coverage: ({ installed }) => installed,
  low: ({ provenInstalled }) => provenInstalled,
  high: ({ counted, provenNotInstalled }) => counted - provenNotInstalled,
};

/** The difference between two runs; undefined where one of them counts no device. */
export function computeDifference(before: Run, after: Run, pairs: readonly CountLetterPair[]): Difference | undefined {
  if (before.counted === 0 || after.counted === 0) {
    return undefined;
  }
  const groups = Map.groupBy(pairs, decideShareKind);
  const kinds = shareKinds.filter((kind) => groups.has(kind) || kind === 'other');
  const pairsOfKinds = kinds.map((kind) => groups.get(kind) ?? []);
  const divideBy = (bound: Bound) => divide(bound, before, after, pairsOfKinds);
  const points = { coverage: divideBy('coverage'), low: divideBy('low'), high: divideBy('high') };
  const total = (bound: Bound) => readHundredths(after, bound) - readHundredths(before, bound);
  const shares = kinds.map((kind, at): DifferenceShare => {
    const devices = groups.get(kind)?.length;
    return { kind, ...(devices !== undefined && { devices }), ...toPoints((bound) => points[bound][at] ?? 0) };
  });
  return {
    from: before.slot,
    to: after.slot,
    ...toPoints(total),
    shares: shares
      .filter((share) => share.kind !== 'other' || bounds.some((bound) => share[bound] !== 0))
      .sort((left, right) => Math.abs(right.coverage) - Math.abs(left.coverage)),
  };
}

function toPoints(read: (bound: Bound) => number): Points {
  return { coverage: read('coverage') / 100, low: read('low') / 100, high: read('high') / 100 };
}

function readHundredths(figures: RunFigures, bound: Bound): number {
  return Math.round(Number(computeInterval(figures)[bound]) * 100);
}

/**
 * Divides the move of a bound among groups of machines. A machine's share is its change of the numerator, less the
 * earlier coverage for each machine that it adds to the count: one that joins with the agent raises the figure by what
 * others lack. Whole numbers keep it exact; the largest remainders get the last hundredths, and the last share is
 * unexplained.
 */
function divide(bound: Bound, before: Run, after: Run, groups: readonly (readonly CountLetterPair[])[]): number[] {
  const read = numerators[bound];
  const sum = (figures: RunFigures, other: RunFigures) =>
    ((read(figures) - read(other)) * before.counted - (figures.counted - other.counted) * read(before)) * 10_000;
  const scale = before.counted * after.counted;
  const exact = groups.slice(0, -1).map((group) => sum(countLetters(group, 'is'), countLetters(group, 'was')));
  exact.push(sum(after, before) - exact.reduce((all, one) => all + one, 0));
  const hundredths = exact.map((one) => Math.floor(one / scale));
  const missing =
    readHundredths(after, bound) - readHundredths(before, bound) - hundredths.reduce((all, one) => all + one, 0);
  const open = exact.flatMap((one, at) => (one === 0 ? [] : [{ at, rest: one / scale - Math.floor(one / scale) }]));
  open.sort((left, right) => (right.rest - left.rest) * Math.sign(missing) || left.at - right.at);
  for (let given = 0; given < Math.abs(missing); given += 1) {
    const at = open[given % open.length]?.at ?? hundredths.length - 1;
    hundredths[at] = (hundredths[at] ?? 0) + Math.sign(missing);
  }
  return hundredths;
}

function countLetters(pairs: readonly CountLetterPair[], side: 'was' | 'is'): RunFigures {
  const isFigure = ({ isNewToFigures, ...pair }: CountLetterPair) =>
    isCounted(pair[side]) && !(side === 'was' && isNewToFigures);
  const count = (test: (letter: CountLetter) => boolean) =>
    pairs.filter((pair) => isFigure(pair) && test(pair[side])).length;
  const [counted, installed] = [count(() => true), count(isInstalled)];
  const provenInstalled = count((one) => isInstalled(one) && isProven(one));
  const provenNotInstalled = count((one) => !isInstalled(one) && isProven(one));
  return { counted, installed, notInstalled: counted - installed, provenInstalled, provenNotInstalled };
}

const mostShares = 3;
const boundNames = { coverage: 'coverage', low: 'certainly', high: 'at most' } as const;

/** Points by which a bound must move more than the coverage to be reported instead of it. */
const leastDifference = 0.1;

/** The bound that moved most; the coverage where neither moved clearly more. */
export function findLargestMove(difference: Points): Bound {
  const size = (bound: Bound) => Math.abs(difference[bound]);
  const bound = size('low') >= size('high') ? 'low' : 'high';
  const isMore = size('coverage') === 0 ? size(bound) > 0 : size(bound) - size('coverage') >= leastDifference;
  return isMore ? bound : 'coverage';
}

/** The answer in one sentence: the change of the coverage, and why the bound that moved most did so. */
export function formatDifference(difference: Difference, figures: RunFigures): string {
  return `${computeInterval(figures).coverage} %, ${formatMoves(difference, figures)}`;
}

/** That sentence without the coverage, which stands above it or before it. */
export function formatMoves(difference: Difference, figures: RunFigures): string {
  const { from, coverage } = difference;
  const bound = findLargestMove(difference);
  if (bound === 'coverage') {
    return coverage === 0 ? `as on ${from}.` : `${explainBound(difference, 'coverage')}.`;
  }
  const before = coverage === 0 ? `as on ${from}` : `${formatMove(coverage)} since ${from}`;
  return `${before}; ${boundNames[bound]} ${computeInterval(figures)[bound]} %, ${explainBound(difference, bound, '')}.`;
}

function formatMove(points: number): string {
  const size = Math.abs(points);
  return `${points < 0 ? 'down' : 'up'} ${size.toFixed(2)} ${pluralize(size, 'point')}`;
}

/** The sentence's last part alone: why the bound that moved most did so. */
export function explainLargestMove(difference: Difference, figures: RunFigures): string {
  const bound = findLargestMove(difference);
  const why = explainBound(difference, bound);
  return bound === 'coverage'
    ? `${capitalize(why)}.`
    : `${capitalize(boundNames[bound])} ${computeInterval(figures)[bound]} %, ${why}.`;
}

function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** A phrase with the points, since when, and the largest shares. */
export function explainBound({ from, shares, ...points }: Difference, bound: Bound, since = ` since ${from}`): string {
  const parts = shares
    .filter((share) => share[bound] !== 0)
    .sort((left, right) => Math.abs(right[bound]) - Math.abs(left[bound]));
  const shown = parts.slice(0, mostShares).map(({ kind, devices, [bound]: share }, at) => {
    const unit = at === 0 && devices !== undefined ? ` ${pluralize(devices, 'device')}` : '';
    const count = devices === undefined ? '' : ` (${formatCount(devices)}${unit})`;
    return `${formatPoints(share)} ${shareWords[kind]}${count}`;
  });
  const rest = parts.slice(mostShares).reduce((sum, share) => sum + Math.round(share[bound] * 100), 0) / 100;
  const more = rest === 0 ? [] : [`${formatPoints(rest)} for other reasons`];
  return `${formatMove(points[bound])}${since}: ${[...shown, ...more].join(', ')}`;
}

function formatPoints(points: number): string {
  return `${points < 0 ? '−' : '+'}${Math.abs(points).toFixed(2)}`;
}
