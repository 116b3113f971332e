/** Why a record is not counted: "the first that holds". */
import type { Facts } from '../../src/core/facts/facts.ts';
import { findKindModel } from './kinds.ts';
import { isBlank, type Machine, type Row } from './rows.ts';

/** A reason of its own, apart from other records and exemptions. */
export function findOwnReason(row: Row, facts: Facts): string | undefined {
  const { managementState, managementAgent, ownership } = row.facts;
  const { isUnmanaged, retiring, notManageable, knowsOwners } = findKindModel(row.kind);
  // "An unread device without a baseline is Not Installed, counted, not proven."
  if (isBlank(row)) {
    return undefined;
  }
  if (isUnmanaged(managementState)) {
    return 'unmanaged';
  }
  if (retiring.includes(managementState ?? '')) {
    return 'retiring';
  }
  if (notManageable.includes(managementAgent ?? '')) {
    return 'not-manageable';
  }
  const population = facts.sources.find(({ name }) => name === row.source)?.population;
  return knowsOwners && population === 'company' && ownership === 'personal' ? 'personal' : undefined;
}

/** "The others are listed and not counted, for a reason of their own or as `superseded`." */
export function excludeRecords({ records, standing }: Machine, facts: Facts): void {
  for (const row of records) {
    row.excludedBecause = findOwnReason(row, facts) ?? (row === standing ? undefined : 'superseded');
  }
}
