/** What a source's night was worth, apart from its instrument: shares of devices that nobody lists, and the breaker. */
import type { Facts, Policy, Receipt, SourceFacts } from '../../src/core/facts.ts';
import type { Pairing } from './changes.ts';
import { isCounted, type Row } from './rows.ts';

export interface Comparison {
  tonight: SourceFacts;
  /** The same source on the night of the baseline. */
  before: SourceFacts | undefined;
  beforeRows: readonly Row[];
  pairings: readonly Pairing[];
  hasMovedAway: (row: Row) => boolean;
  /** Of a superseded row: whether the record that supersedes it was counted before. */
  isSupersededByCounted: (row: Row) => boolean;
}

export function isSuspect(comparison: Comparison, facts: Facts): boolean {
  const { tonight, before } = comparison;
  if (facts.accepted?.sources.includes(tonight.name) === true) {
    return false;
  }
  const isFirstAndEmpty = before === undefined && tonight.devices.length === 0;
  const jumps = [findUnlisted, findShortfall].some((find) => {
    const now = find(tonight.receipt);
    return now !== undefined && hasJumped(now, (before && find(before.receipt)) ?? { count: 0, of: 1 });
  });
  return isFirstAndEmpty || jumps || hasDropped(comparison, facts.policy) || hasFlipped(comparison, facts.policy);
}

interface Share {
  count: number;
  of: number;
}

function findUnlisted({ received, unlisted }: Receipt): Share | undefined {
  return unlisted === undefined ? undefined : { count: unlisted, of: received + unlisted };
}

function findShortfall({ received, overview }: Receipt): Share | undefined {
  return overview === undefined ? undefined : { count: Math.max(0, overview - received), of: overview };
}

/** More than 20 percentage points and 10 devices above the baseline's own share; in whole numbers. */
function hasJumped(now: Share, before: Share): boolean {
  const points = 100 * (now.count * Math.max(before.of, 1) - before.count * Math.max(now.of, 1));
  return points > 20 * Math.max(now.of, 1) * Math.max(before.of, 1) && now.count - before.count > 10;
}

function hasDropped({ tonight, before, beforeRows, pairings, ...comparison }: Comparison, policy: Policy): boolean {
  const counted = beforeRows.filter(isCounted);
  const dropped = counted.filter((row) => {
    const now = pairings.find((pairing) => pairing.row.facts.id === row.facts.id)?.row;
    if (comparison.hasMovedAway(row) || (now !== undefined && isCounted(now))) {
      return false;
    }
    switch (now?.excludedBecause) {
      case 'exempt':
        return false;
      case 'personal':
        return before?.population === tonight.population;
      case 'superseded':
        return comparison.isSupersededByCounted(now);
      default:
        return true;
    }
  });
  return trips(dropped.length, counted.length, policy.breaker.maximumFleetDropPercent, policy);
}

function hasFlipped({ pairings }: Comparison, policy: Policy): boolean {
  const inBoth = pairings.filter(({ predecessor }) => predecessor?.known.age === 0);
  const flipped = inBoth.filter(({ row, predecessor }) => row.status !== predecessor?.known.row.status);
  return trips(flipped.length, inBoth.length, policy.breaker.maximumFlipPercent, policy);
}

/** Strictly above the percentage, and at least so many devices. */
function trips(count: number, of: number, percent: number, policy: Policy): boolean {
  return count * 100 > percent * of && count >= policy.breaker.minimumDevices;
}
