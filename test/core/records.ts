/** Records, machines and entries by themselves, for rules that need no whole night. */
import { sourceRules } from '../../src/compose/source-kinds.ts';
import type { DeviceFacts, SourceFacts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import type { Entry, RecordReference, StandingRecord } from '../../src/core/facts/ledger.ts';
import type { Machine } from '../../src/core/machine/machines.ts';
import { type JudgedRecord, judgeRecord } from '../../src/core/record/judge-record.ts';
import { toReference } from '../../src/core/record/references.ts';
import { at, makeFacts, slot } from './make-facts.ts';

interface RecordChanges extends Pick<SourceFacts, 'population'> {
  readonly kind?: string;
  readonly isFresh?: boolean;
  readonly isTrusted?: boolean;
}

/** A record of a source as night 1 judges it. */
export function record(source: string, device: DeviceFacts, changes: RecordChanges = {}): JudgedRecord {
  const { kind = source.startsWith('mac') ? 'jamf' : 'intune', isFresh = true, isTrusted = true, population } = changes;
  const rules = sourceRules.rulesFor(kind);
  const context = { source, rules, population, policy: makeFacts(1).policy, moment: at(1), repairedAt: undefined };
  return judgeRecord({ facts: device, answeredOn: slot(1) }, { ...context, isFresh, isTrusted });
}

/** The first record stands. */
export function machine(number: string | undefined, ...records: readonly JudgedRecord[]): Machine {
  const [standing] = records;
  if (standing === undefined) {
    throw new Error('A machine has a record.');
  }
  return { number, isShared: false, records, standing, contradicting: undefined };
}

interface EntryChanges extends Partial<Omit<Entry, 'standing' | 'others'>> {
  readonly others?: readonly JudgedRecord[];
  readonly heardAt?: string;
}

/** A counted machine with the agent since night 1, of which this record stood. */
export function entry(name: string, stood: JudgedRecord, { others, heardAt, ...changes }: EntryChanges = {}): Entry {
  const reference: RecordReference = toReference(stood);
  const { name: called, serialNumber, operatingSystem, lastSeenAt } = stood.facts;
  const standing = { ...reference, name: called, serialNumber, operatingSystem, reason: 'reported' };
  return {
    name,
    standing: { ...standing, heardAt: heardAt ?? lastSeenAt } as StandingRecord,
    ...(others && { others: others.map(toReference) }),
    counted: true,
    status: 'Installed',
    history: [[slot(1), 'I']],
    listedOn: slot(1),
    ...changes,
  };
}

/** The ledger's entry of that name after a night. */
export function findEntry(night: Night | undefined, name: string): Entry | undefined {
  return night?.state.ledger.find((one) => one.name === name);
}

/** Names of the ledger's entries after a night, each with a hyphen where it is gone. */
export function listNames(night: Night | undefined): string[] {
  return (night?.state.ledger ?? []).map(({ name, isGone }) => (isGone ? `${name} -` : name));
}

/** A machine's letters in each run from the first on, as `II-N`. */
export function readHistory(night: Night | undefined, name: string): string {
  return (findEntry(night, name)?.history ?? []).map(([since, letter]) => `${since.slice(8)}${letter}`).join(' ');
}
