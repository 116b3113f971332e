/** "Which are one machine", and "which record stands for a machine". */
import type { Facts } from '../../src/core/facts/facts.ts';
import { findOwnReason } from './exclusions.ts';
import { isRead } from './records.ts';
import { day, type Entry, type Machine, type Row, toKey } from './rows.ts';
import { isNewer, readNumber } from './serial-numbers.ts';
import { findHeard } from './shared-numbers.ts';

export function formMachines(
  rows: readonly Row[],
  ledger: readonly Entry[],
  sharedOn: Record<string, string>,
  facts: Facts,
): Machine[] {
  // The record that stands in the ledger; no record stands for a machine that is gone.
  const standing = new Set(ledger.filter(({ isGone }) => !isGone).map((entry) => toKey(entry.standing)));
  const stood = (row: Row) => standing.has(toKey(row));
  return groupRecords(rows, sharedOn).map((records): Machine => {
    const number = readNumber((records[0] as Row).facts);
    const candidates = selectCandidates(records, stood, facts);
    return {
      records,
      standing: findStandingOfKinds(listOfKinds(candidates, stood, facts), stood, facts),
      number,
      isShared: number !== undefined && sharedOn[number] !== undefined,
      disagreeing: findDisagreeing(listOfKinds(records, stood, facts)),
    };
  });
}

/** "A record without a real number is a machine of its own", and each of those that share a number. */
function groupRecords(rows: readonly Row[], sharedOn: Record<string, string>): Row[][] {
  const groups: Row[][] = [];
  for (const row of rows) {
    const number = readNumber(row.facts);
    const isOwn = number === undefined || sharedOn[number] !== undefined;
    const group = isOwn ? undefined : groups.find(([first]) => first && readNumber(first.facts) === number);
    if (group === undefined) {
      groups.push([row]);
    } else {
      group.push(row);
    }
  }
  return groups;
}

type Stood = (row: Row) => boolean;

/**
 * "A source that did not answer completely, or a device that could not be read, changes nobody's status" (G6): where none
 * of a machine's records was read, the one that stands in the ledger goes on to stand, however old it is by now.
 */
function selectCandidates(records: readonly Row[], stood: Stood, facts: Facts): readonly Row[] {
  return records.some((row) => isRead(row, facts)) ? records : keepSome(records, stood);
}

/** The record that stands of each kind. */
function listOfKinds(records: readonly Row[], stood: Stood, facts: Facts): Row[] {
  return [...new Set(records.map(({ kind }) => kind))].map((kind) =>
    findStandingOfKind(
      records.filter((row) => row.kind === kind),
      stood,
      facts,
    ),
  );
}

function findStandingOfKind(records: readonly Row[], stood: Stood, facts: Facts): Row {
  // "Of those that are neither unmanaged, retiring nor not-manageable and were heard from within `staleAfterDays`
  // (of all, where none is)"
  const able = records.filter(
    (row) =>
      ['personal', undefined].includes(findOwnReason(row, facts)) &&
      Date.parse(facts.moment) - findHeard(row) <= facts.policy.staleAfterDays * day,
  );
  const candidates = able.length > 0 ? able : records;
  // "The newest by age date, then higher id, then source; but the one that stands in the ledger gives way only to one
  // heard from more than a day later."
  const newest = findNewest(candidates);
  const stayed = candidates.filter(stood);
  if (stayed.length === 0) {
    return newest;
  }
  const holder = findNewest(stayed);
  return isHeardLater(newest, holder, 1) ? newest : holder;
}

function findStandingOfKinds(ofKinds: readonly Row[], stood: Stood, facts: Facts): Row {
  // "The one that is not excluded for a reason of its own (exemptions aside)"
  const countable = keepSome(ofKinds, (row) => findOwnReason(row, facts) === undefined);
  // "Then the one whose last answer the table allows to be proven and that is not stale"
  const clear = keepSome(countable, isClearAndRecent);
  // "Then the one that stands in the ledger unless another was heard from more than 7 days later, then the newer."
  const held = keepSome(clear, (row) => stood(row) && !clear.some((other) => isHeardLater(other, row, 7)));
  return findNewest(held);
}

/** Those of which it holds; all, where it holds of none. */
function keepSome(rows: readonly Row[], holds: (row: Row) => boolean): readonly Row[] {
  return rows.some(holds) ? rows.filter(holds) : rows;
}

function isHeardLater(one: Row, other: Row, days: number): boolean {
  const [later, earlier] = [findHeard(one), findHeard(other)];
  return later > earlier && later - earlier > days * day;
}

function findNewest(rows: readonly Row[]): Row {
  return rows.find((one) => rows.every((other) => other === one || isNewer(one, other))) as Row;
}

/** "Where the answers of two kinds are both clear and recent and disagree." */
function findDisagreeing(ofKinds: readonly Row[]): Row[] {
  const clear = ofKinds.filter(isClearAndRecent);
  return new Set(clear.map(({ status }) => status)).size > 1 ? clear : [];
}

function isClearAndRecent({ canBeProven, stale }: Row): boolean {
  return canBeProven && !stale;
}
