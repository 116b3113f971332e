/**
 * Machines: records with the same operating system and the same real serial number are one device, unless several
 * machines share the number.
 */
import { indexBy } from '../../base/index-by.ts';
import type { CompanyFacts } from '../facts/company.ts';
import type { DeviceFacts, PlatformFacts } from '../facts/facts.ts';
import type { SharedNumber } from '../facts/ledger.ts';
import type { State } from '../facts/state.ts';
import type { JudgedRecord } from '../record/judge-record.ts';
import { toRecordKey } from '../record/references.ts';
import { readRealSerialNumber } from './serial-numbers.ts';
import { findSharedNumbers } from './shared-numbers.ts';
import { type ChosenRecord, chooseStandingRecord, type StandingContext } from './standing-record.ts';

export interface Machine extends ChosenRecord {
  /** Its operating system and folded serial number; undefined where that is not real. */
  readonly number: string | undefined;
  /** True where several machines have its number, so that it identifies none of them. */
  readonly isShared: boolean;
  /** Ordered by source, then id. */
  readonly records: readonly JudgedRecord[];
}

interface AssembledMachines {
  readonly machines: readonly Machine[];
  readonly sharedNumbers: readonly SharedNumber[];
  /** Listed records that share a number, a list for each such number. */
  readonly sharing: readonly (readonly JudgedRecord[])[];
  /** Records of machines about which two kinds of sources contradict each other, a list for each machine. */
  readonly contradicted: readonly (readonly JudgedRecord[])[];
}

/** The number of a machine, such as `macos/C02ABC123`; undefined without a real serial number. */
function readMachineNumber(device: Pick<DeviceFacts, 'operatingSystem' | 'serialNumber'>): string | undefined {
  const serial = readRealSerialNumber(device);
  return serial === undefined ? undefined : `${device.operatingSystem}/${serial}`;
}

/** Groups `records`, ordered by source and id, into machines, in the order of their standing records. */
export function assembleMachines(
  records: readonly JudgedRecord[],
  previous: Pick<State, 'ledger' | 'sharedNumbers'> | undefined,
  platforms: Pick<PlatformFacts, 'slot' | 'moment'>,
  { policy }: Pick<CompanyFacts, 'policy'>,
): AssembledMachines {
  const { ledger = [], sharedNumbers: sharedBefore = [] } = previous ?? {};
  const stood = new Set(ledger.flatMap(({ isGone, standing }) => (isGone ? [] : toRecordKey(standing))));
  const context: StandingContext = {
    moment: platforms.moment,
    staleAfterDays: policy.staleAfterDays,
    stoodBefore: (record) => stood.has(record.key),
  };
  const byNumber = Map.groupBy(records, ({ facts }) => readMachineNumber(facts));
  const unnumbered = byNumber.get(undefined) ?? [];
  byNumber.delete(undefined);
  const numbered = byNumber as Map<string, JudgedRecord[]>;
  const sharedNumbers = findSharedNumbers(numbered, sharedBefore, platforms);
  const shared = new Set(sharedNumbers.map(({ number }) => number));
  const machines = [
    ...unnumbered.map((record) => makeMachine(undefined, false, [record], context)),
    ...[...numbered].flatMap(([number, own]) =>
      shared.has(number)
        ? own.map((record) => makeMachine(number, true, [record], context))
        : makeMachine(number, false, own, context),
    ),
  ];
  const byStanding = indexBy(machines, ({ standing }) => standing);
  return {
    machines: records.flatMap((record) => byStanding.get(record) ?? []),
    sharedNumbers,
    sharing: [...numbered].filter(([number, own]) => shared.has(number) && own.length > 1).map(([, own]) => own),
    contradicted: machines.flatMap(({ contradicting }) => (contradicting ? [contradicting] : [])),
  };
}

function makeMachine(
  number: string | undefined,
  isShared: boolean,
  records: readonly JudgedRecord[],
  context: StandingContext,
): Machine {
  return { number, isShared, records, ...chooseStandingRecord(records, context) };
}
