/**
 * Retractions: a published run that a person took back. One more commit names the run that stands again, and says who,
 * when and why. The retracted run's files stay; its dated copies go.
 */
import * as v from 'valibot';
import { computeSha256 } from '../../base/sha256.ts';
import type { RetractedFinding, State } from '../../core/facts/state.ts';
import type { CurrentRun, StoredCommit } from '../commits/commit.ts';
import { toAttemptFolder, toAttemptName } from '../keys.ts';
import type { Store } from '../store.ts';
import { ignoreDamage, parseRecord, serializeRecord } from '../stored-json.ts';
import { formatMessageKey, type OutboxMessage, outboxMessageSchema } from './outbox-record.ts';
import { readChecked } from './run-files.ts';
import { readState, readStateHead } from './run-state.ts';
import type { StateHead } from './state-files.ts';

/** What a retraction has to send, and to remember. */
export interface RetractionRecord {
  readonly messages: readonly OutboxMessage[];
  /** Keys of alerts that the retracted run had resolved. */
  readonly resolved: readonly string[];
  /** Findings that only the retracted run opened. */
  readonly findings: readonly RetractedFinding[];
}

/** Where a message lies says its slot, its attempt and its key. */
const recordSchema = v.object({
  schema: v.literal(1),
  messages: v.array(v.omit(outboxMessageSchema, ['slot', 'attempt', 'key'])),
  resolved: v.array(v.string()),
  findings: v.array(v.looseObject({ source: v.string() })),
});

/**
 * The attempt of the retraction. A retraction's commit names no files, so the attempt is named after the record's
 * SHA-256: who changed the record would have to change the commit too.
 */
export async function writeRetractionRecord(
  store: Store,
  slot: string,
  at: Date,
  record: RetractionRecord,
): Promise<string> {
  const messages = record.messages.map(({ slot: _, attempt: __, key: ___, ...message }) => message);
  const body = serializeRecord({ schema: 1, ...record, messages });
  const attempt = toAttemptName(at, computeSha256(body));
  const key = toRecordKey(slot, attempt);
  await store.create(key, body).catch(async (error: unknown) => {
    // Two may retract at once, and both may have made the same record.
    if ((await store.digest(key)) === undefined) {
      throw error;
    }
  });
  return attempt;
}

export function toRecordKey(slot: string, attempt: string): string {
  return `${toAttemptFolder(slot, attempt)}outbox.json`;
}

/** The SHA-256 that the record of a retraction must have. */
export function parseRecordSha256(attempt: string): string {
  return attempt.slice(attempt.lastIndexOf('-') + 1);
}

export async function readRetractionRecord(store: Store, { commit }: StoredCommit): Promise<RetractionRecord> {
  const { slot, attempt } = commit;
  const key = toRecordKey(slot, attempt);
  const body = await readChecked(store, key, parseRecordSha256(attempt));
  const record = parseRecord<unknown>(recordSchema, body, key) as RetractionRecord;
  const messages = record.messages.map((message) => ({
    ...message,
    slot,
    attempt,
    key: formatMessageKey({ slot, attempt, channel: message.channel, part: message.part }),
  }));
  return { ...record, messages };
}

/**
 * What the run that stands left to the next one. Alerts that a retracted run had resolved are closed for whoever
 * received its messages, so they are not open any more, and can open again. Findings that it opened are still open for
 * whoever collected them, so the next run closes them.
 */
export async function readCurrentState(store: Store, current: CurrentRun): Promise<State> {
  return closeResolvedAlerts(await readState(store, current), store, current);
}

/** The same without its ledger. */
export async function readCurrentStateHead(store: Store, current: CurrentRun): Promise<StateHead> {
  return closeResolvedAlerts(await readStateHead(store, current), store, current);
}

async function closeResolvedAlerts<Left extends StateHead>(
  state: Left,
  store: Store,
  { retractions }: CurrentRun,
): Promise<Left> {
  const resolved = new Set<string>();
  const retractedFindings = [...(state.retractedFindings ?? [])];
  for (const retraction of retractions) {
    // A damaged record stops no night: an alert or a finding then stays open for whoever received it.
    const record = await ignoreDamage(() => readRetractionRecord(store, retraction));
    for (const key of record?.resolved ?? []) {
      resolved.add(key);
    }
    retractedFindings.push(...(record?.findings ?? []));
  }
  return {
    ...state,
    ...(resolved.size === 0 ? {} : { told: (state.told ?? []).filter(({ key }) => !resolved.has(key)) }),
    ...(retractedFindings.length === 0 ? {} : { retractedFindings }),
  };
}
