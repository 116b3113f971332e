/** One text for each record and each source, as keys of maps. */
import type { RecordReference } from '../facts/ledger.ts';
import type { JudgedRecord } from './judge-record.ts';

export function toReference({ source, rules, facts }: JudgedRecord): RecordReference {
  return { source, kind: rules.kind, id: facts.id };
}

export function toRecordKey({ source, kind, id }: RecordReference): string {
  return `${kind}\u0000${source}\u0000${id}`;
}

export function toSourceKey({ source, kind }: Pick<RecordReference, 'source' | 'kind'>): string {
  return `${kind}\u0000${source}`;
}
