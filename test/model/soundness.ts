/** What a source's night was worth, apart from its instrument: shares of devices that nobody lists, and the breaker. */
import type { Policy } from '../../src/core/facts/company.ts';
import type { Facts, Receipt, SourceFacts } from '../../src/core/facts/facts.ts';
import { findBaseline } from './baselines.ts';
import { isSoundInstrument } from './instrument.ts';
import { findTaker } from './moving.ts';
import { isProven } from './proof.ts';
import { type Entry, isCounted, type Machine, type ModelNight, type Past, type Row, type SourceNight } from './rows.ts';
import { foldSerial } from './serial-numbers.ts';
import { findPlace } from './sums.ts';

interface Compared {
  machines: readonly Machine[];
  ledger: readonly Entry[];
  entries: ReadonlyMap<Machine, Entry>;
}

interface Comparison extends Compared {
  tonight: SourceFacts;
  /** The same source in its baseline. */
  before: SourceFacts | undefined;
  /** And in the last whole run in which the platform gave an overview. */
  overviewBefore: Receipt | undefined;
}

/** "Worst wins in the order missing, carried, untrusted, suspect, partial, complete." */
export function judgeSources(past: Past, facts: Facts, compared: Compared): SourceNight[] {
  return facts.sources.map((source): SourceNight => {
    const baseline = findBaseline(past, source.name);
    const findOwn = (run: ModelNight | undefined) => run?.facts.sources.find(({ name }) => name === source.name);
    const before = findOwn(baseline);
    const night = { facts: source, first: baseline === undefined, baseline: baseline?.facts.slot };
    if (source.reading === 'incomplete') {
      return { ...night, soundness: baseline === undefined ? 'missing' : 'carried' };
    }
    if (!isSoundInstrument(source.findings) || hasWrongCanary(facts, source, compared.machines)) {
      return { ...night, soundness: 'untrusted' };
    }
    const overviewBefore = findOwn(findBaseline(past, source.name, hasOverview))?.receipt;
    if (isSuspect({ ...compared, tonight: source, before, overviewBefore }, facts)) {
      return { ...night, soundness: 'suspect' };
    }
    return { ...night, soundness: source.unread === undefined ? 'complete' : 'partial' };
  });
}

/** "Canaries are found by folded serial number in their source." */
export function isCanary({ records }: Machine, { canaries = [] }: Facts): boolean {
  return canaries.some(({ source, serial }) => records.some((row) => row.source === source && isIts(row, serial)));
}

function isIts(row: Row, serial: string): boolean {
  return foldSerial(row.facts.serialNumber) === foldSerial(serial);
}

/** "A *proven* answer that contradicts `expect` makes the source untrusted for that night." */
function hasWrongCanary({ canaries = [] }: Facts, source: SourceFacts, machines: readonly Machine[]): boolean {
  return canaries.some((canary) =>
    machines.some(({ records, standing }) => {
      const isFound = records.some((row) => row.source === canary.source && isIts(row, canary.serial));
      // "The record that stands for it is asked, whatever its kind", in a source that answered.
      return isFound && standing.source === source.name && isProven(standing) && standing.status !== canary.expect;
    }),
  );
}

function isSuspect(comparison: Comparison, facts: Facts): boolean {
  const { tonight, before, overviewBefore } = comparison;
  if (facts.accepted?.sources.includes(tonight.name) === true) {
    return false;
  }
  const hasAnswer = tonight.devices.some(({ answers }) => answers.some(({ value }) => value.trim() !== ''));
  const isFirstAndEmpty = before === undefined && !hasAnswer;
  const none = { count: 0, of: 1 };
  const jumps = [
    [findUnlisted(tonight.receipt), before && findUnlisted(before.receipt)],
    // "Accepted once, for good": while there is no overview, the share stays what it was.
    [findShortfall(tonight.receipt), overviewBefore && findShortfall(overviewBefore)],
  ].some(([now, then = none]) => now !== undefined && hasJumped(now, then));
  const hasTripped = before !== undefined && (hasDropped(comparison, facts) || hasFlipped(comparison, facts));
  return isFirstAndEmpty || jumps || hasTripped;
}

interface Share {
  count: number;
  of: number;
}

function findUnlisted({ received, unlisted }: Receipt): Share | undefined {
  return unlisted === undefined ? undefined : { count: unlisted, of: received + unlisted };
}

const hasOverview = ({ overview }: Receipt) => overview !== undefined;

function findShortfall({ received, overview }: Receipt): Share | undefined {
  return overview === undefined ? undefined : { count: Math.max(0, overview - received), of: overview };
}

/** More than 20 percentage points, and more than 10 devices, above the baseline's own share; in whole numbers. */
function hasJumped(now: Share, before: Share): boolean {
  const of = Math.max(now.of, 1) * Math.max(before.of, 1);
  const above = now.count * Math.max(before.of, 1) - before.count * Math.max(now.of, 1);
  return 100 * above > 20 * of && above > 10 * Math.max(before.of, 1);
}

/** "Drop = devices that were counted and are not counted now, ÷ counted before." */
function hasDropped(comparison: Comparison, { policy }: Facts): boolean {
  const { tonight, ledger } = comparison;
  const counted = ledger.filter((entry) => findPlace(entry) === tonight.name);
  const dropped = counted.filter((entry) => isDrop(entry, comparison));
  return trips(dropped.length, counted.length, policy.breaker.maximumFleetDropPercent, policy);
}

/** "For whatever reason that came from the platform." */
function isDrop(entry: Entry, { machines, entries }: Comparison): boolean {
  const machine = machines.find((one) => entries.get(one) === entry);
  if (machine === undefined) {
    const taker = findTaker(entry, machines);
    // "Superseded by a record that was itself counted before"; "not: gone after it was already stale in the baseline".
    return taker === undefined ? !entry.standing.stale : findPlace(entries.get(taker)) !== undefined;
  }
  // "Not: moved under another id, exempt, excluded by a changed setting."
  const { excludedBecause } = machine.standing;
  const isBySetting = excludedBecause === 'personal' && entry.standing.facts.ownership === 'personal';
  return excludedBecause !== undefined && excludedBecause !== 'exempt' && !isBySetting;
}

/** "Flip = status changes either way ÷ devices in both." */
function hasFlipped({ tonight, machines, entries }: Comparison, { policy }: Facts): boolean {
  const inBoth = machines.filter(
    (machine) =>
      machine.standing.source === tonight.name &&
      isCounted(machine.standing) &&
      findPlace(entries.get(machine)) !== undefined,
  );
  const flipped = inBoth.filter((machine) => machine.standing.status !== entries.get(machine)?.status);
  return trips(flipped.length, inBoth.length, policy.breaker.maximumFlipPercent, policy);
}

/** Strictly above the percentage, and at least so many devices. */
function trips(count: number, of: number, percent: number, policy: Policy): boolean {
  return count * 100 > percent * of && count >= policy.breaker.minimumDevices;
}
