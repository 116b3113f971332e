/** Which records are not counted, and why: the first reason that holds. Exemptions come last and elsewhere. */
import type { SourceFacts } from '../../src/core/facts/facts.ts';
import { findKindModel } from './kinds.ts';
import type { Row } from './rows.ts';
import {
  type DeviceRecord,
  filterSameMachine,
  isNewer,
  isRetiring,
  isSharedSerial,
  isUnmanaged,
} from './serial-numbers.ts';

export function findExclusion(
  { facts, kind, isSuperseded }: Pick<Row, 'facts' | 'kind' | 'isSuperseded'>,
  population: SourceFacts['population'],
): string | undefined {
  if (isUnmanaged(facts, kind)) {
    return 'unmanaged';
  }
  if (isRetiring(facts, kind)) {
    return 'retiring';
  }
  const { notManageable, knowsOwners } = findKindModel(kind);
  if (notManageable.includes(facts.managementAgent ?? '')) {
    return 'not-manageable';
  }
  if (knowsOwners && population === 'company' && facts.ownership === 'personal') {
    return 'personal';
  }
  return isSuperseded ? 'superseded' : undefined;
}

/** Tonight's records, and those that are gone for less than 30 days: they are never counted, but they share numbers. */
export interface Machines {
  rows: readonly Row[];
  gone: readonly DeviceRecord[];
  moment: number;
  staleAfterDays: number;
}

/** The newest record of the same kind and machine that is newer than this one and neither unmanaged nor retiring. */
function findNewerOfKind(row: Row, { rows, gone, moment, staleAfterDays }: Machines): Row | undefined {
  const machine = filterSameMachine(rows, row.facts).filter(({ kind }) => kind === row.kind);
  const left = filterSameMachine(gone, row.facts).filter(({ kind }) => kind === row.kind);
  if (isSharedSerial([...machine, ...left], moment, staleAfterDays)) {
    return undefined;
  }
  const newer = machine
    .filter(({ facts, kind }) => !isUnmanaged(facts, kind) && !isRetiring(facts, kind))
    .filter((other) => other !== row && isNewer(other, row));
  return newer.find((one) => newer.every((other) => other === one || isNewer(one, other)));
}

/**
 * The records of one machine in several kinds of source, the one that is counted first: whose answer can be proven,
 * then the newer one. Only records that would be counted without the others; none where several machines share the number.
 */
export function listTwins(
  row: Row,
  machines: Machines,
  populationOf: (source: string) => SourceFacts['population'],
  canBeProven: (row: Row) => boolean,
): Row[] {
  const { rows, gone, moment, staleAfterDays } = machines;
  const machine = filterSameMachine(rows, row.facts);
  if (isSharedSerial([...machine, ...filterSameMachine(gone, row.facts)], moment, staleAfterDays)) {
    return [];
  }
  const alone = machine
    .filter((one) => findNewerOfKind(one, machines) === undefined)
    .filter((one) => findExclusion({ ...one, isSuperseded: false }, populationOf(one.source)) === undefined);
  return alone.sort((one, other) => {
    const proof = Number(canBeProven(other)) - Number(canBeProven(one));
    return proof !== 0 ? proof : Number(isNewer(other, one)) - Number(isNewer(one, other));
  });
}

/** The record that takes this one's place: a newer one of its kind, or the one that is counted of several kinds. */
export function findSuperseder(row: Row, machines: Machines, twins: readonly Row[]): Row | undefined {
  const newer = findNewerOfKind(row, machines);
  if (newer !== undefined) {
    return newer;
  }
  return twins.includes(row) && twins[0] !== row ? twins[0] : undefined;
}
