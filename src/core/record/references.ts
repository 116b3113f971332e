/** Keys of maps: one text for each record and each source. */
import type { DeviceFacts, SourceFacts } from '../facts/facts.ts';
import type { RecordReference } from '../facts/ledger.ts';
import type { SourceRules } from '../facts/rules.ts';

interface SourceDevice {
  readonly source: string;
  readonly rules: Pick<SourceRules, 'kind'>;
  readonly facts: Pick<DeviceFacts, 'id'>;
}

export function toReference({ source, rules, facts }: SourceDevice): RecordReference {
  return { source, kind: rules.kind, id: facts.id };
}

export function toRecordKey({ source, kind, id }: RecordReference): string {
  return `${kind}\u0000${source}\u0000${id}`;
}

export function isSameRecord(left: RecordReference, right: RecordReference): boolean {
  return left.id === right.id && left.source === right.source && left.kind === right.kind;
}

export type SourceIdentity = Pick<SourceFacts, 'name' | 'kind'>;

/** Whether name and kind are the same; a name given to another kind is another source. */
export function isSameSource(left: SourceIdentity, right: SourceIdentity): boolean {
  return left.name === right.name && left.kind === right.kind;
}

export function isOfSource({ source: name, kind }: Omit<RecordReference, 'id'>, source: SourceIdentity): boolean {
  return isSameSource({ name, kind }, source);
}

export function toSourceKey({ source, kind }: Pick<RecordReference, 'source' | 'kind'>): string {
  return `${kind}\u0000${source}`;
}
