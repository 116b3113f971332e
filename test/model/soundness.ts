/** What a source's night was worth, apart from its instrument: shares of devices that nobody lists, and the breaker. */
import type { Facts, Policy, Receipt, SourceFacts } from '../../src/core/facts/facts.ts';
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
  const hasAnswer = tonight.devices.some(({ answers }) => answers.some(({ value }) => value.trim() !== ''));
  const isFirstAndEmpty = before === undefined && !hasAnswer;
  const jumps = [findUnlisted, findShortfall].some((find) => {
    const now = find(tonight.receipt);
    return now !== undefined && hasJumped(now, (before && find(before.receipt)) ?? { count: 0, of: 1 });
  });
  const hasTripped =
    before !== undefined && (hasDropped(comparison, facts.policy) || hasFlipped(comparison, facts.policy));
  return isFirstAndEmpty || jumps || hasTripped;
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

/** More than 20 percentage points, and more than 10 devices, above the baseline's own share; in whole numbers. */
function hasJumped(now: Share, before: Share): boolean {
  const of = Math.max(now.of, 1) * Math.max(before.of, 1);
  const above = now.count * Math.max(before.of, 1) - before.count * Math.max(now.of, 1);
  return 100 * above > 20 * of && above > 10 * Math.max(before.of, 1);
}

function hasDropped({ beforeRows, pairings, ...comparison }: Comparison, policy: Policy): boolean {
  const counted = beforeRows.filter(isCounted);
  const dropped = counted.filter((row) => {
    const now = pairings.find((pairing) => pairing.row.facts.id === row.facts.id)?.row;
    // What a rule of the platform removes that cleans up devices which are not heard from.
    if (now === undefined && row.stale) {
      return false;
    }
    if (comparison.hasMovedAway(row) || (now !== undefined && isCounted(now))) {
      return false;
    }
    switch (now?.excludedBecause) {
      case 'exempt':
        return false;
      // Personal before, and counted: then the setting has changed.
      case 'personal':
        return row.facts.ownership !== 'personal';
      case 'superseded':
        return comparison.isSupersededByCounted(now);
      default:
        return true;
    }
  });
  return trips(dropped.length, counted.length, policy.breaker.maximumFleetDropPercent, policy);
}

function hasFlipped({ pairings }: Comparison, policy: Policy): boolean {
  const inBoth = pairings.filter(
    ({ row, predecessor }) => predecessor?.known.age === 0 && isCounted(row) && isCounted(predecessor.known.row),
  );
  const flipped = inBoth.filter(({ row, predecessor }) => row.status !== predecessor?.known.row.status);
  return trips(flipped.length, inBoth.length, policy.breaker.maximumFlipPercent, policy);
}

/** Strictly above the percentage, and at least so many devices. */
function trips(count: number, of: number, percent: number, policy: Policy): boolean {
  return count * 100 > percent * of && count >= policy.breaker.minimumDevices;
}
