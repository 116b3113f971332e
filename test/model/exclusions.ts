/** Which records are not counted, and why: the first reason that holds. Exemptions come last and elsewhere. */
import type { SourceFacts } from '../../src/core/facts/facts.ts';
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
  if (kind !== 'jamf' && ['msSense', 'configurationManagerClient'].includes(facts.managementAgent ?? '')) {
    return 'not-manageable';
  }
  if (kind !== 'jamf' && population === 'company' && facts.ownership === 'personal') {
    return 'personal';
  }
  return isSuperseded ? 'superseded' : undefined;
}

/** The newest record of the same machine that is newer than this one and neither unmanaged nor retiring. */
export function findSuperseder(
  record: DeviceRecord,
  records: readonly DeviceRecord[],
  moment: number,
  staleAfterDays: number,
): DeviceRecord | undefined {
  const machine = filterSameMachine(records, record.facts);
  if (isSharedSerial(machine, moment, staleAfterDays)) {
    return undefined;
  }
  const newer = machine
    .filter(({ facts, kind }) => !isUnmanaged(facts, kind) && !isRetiring(facts, kind))
    .filter((other) => other !== record && isNewer(other, record));
  return newer.find((one) => newer.every((other) => other === one || isNewer(one, other)));
}
