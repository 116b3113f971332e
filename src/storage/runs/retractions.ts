/**
 * Retractions: a published run that a person took back. The pointer names the run before it and says who, when and why;
 * the next manifests say it too. Its files stay; its dated copies go.
 */
import * as v from 'valibot';
import type { RetractedFinding, State } from '../../core/state.ts';
import { MusterError } from '../../errors.ts';
import type { Store } from '../store.ts';
import { parseReportFile, toAttemptFolder, toCopyKeys } from './keys.ts';
import {
  type CurrentRun,
  findOldestKeptSlot,
  readChecked,
  readRun,
  readState,
  readStateHead,
} from './published-runs.ts';
import {
  createDamageError,
  type FileLink,
  type OutboxMessage,
  outboxMessageSchema,
  parseStoredJson,
  type Retraction,
  refuseNewer,
} from './records.ts';
import type { StateHead } from './state-files.ts';

/** What a retraction has to send, and to remember. */
export interface RetractionRecord {
  readonly messages: readonly OutboxMessage[];
  /** Keys of alerts that the retracted run had resolved. */
  readonly resolved: readonly string[];
  /** Findings that only the retracted run opened; missing in records of older versions. */
  readonly findings?: readonly RetractedFinding[];
}

const recordSchema = v.object({
  schema: v.literal(1),
  messages: v.array(outboxMessageSchema),
  resolved: v.array(v.string()),
  findings: v.optional(v.array(v.looseObject({ source: v.string() }))),
});

/** In a folder of its own, beside the attempts at the slot. */
export async function writeRetractionRecord(
  store: Store,
  slot: string,
  attempt: string,
  record: RetractionRecord,
): Promise<FileLink> {
  const key = `${toAttemptFolder(slot, attempt)}retraction.json`;
  const { sha256 } = await store.create(key, Buffer.from(`${JSON.stringify({ schema: 1, ...record })}\n`));
  return { key, sha256 };
}

export async function readRetractionRecord(store: Store, { record }: Retraction): Promise<RetractionRecord> {
  const value = parseStoredJson(await readChecked(store, record.key, record.sha256), record.key);
  refuseNewer(value, record.key);
  const result = v.safeParse(recordSchema, value);
  if (result.success) {
    return result.output as unknown as RetractionRecord;
  }
  throw createDamageError(record.key, 'it has not the shape of a retraction');
}

/** All that are known of, oldest first: those of the run that stands, and those since it was published. */
export function listRetractions({ manifest, pointer }: Pick<CurrentRun, 'manifest' | 'pointer'>): Retraction[] {
  const known = new Map<string, Retraction>();
  for (const retraction of [...(manifest.retracted ?? []), ...(pointer.retracted ?? [])]) {
    known.set(retraction.record.key, retraction);
  }
  return [...known.values()];
}

/** Those that a new run's manifest names: of runs that are still kept. */
export function listKeptRetractions(current: CurrentRun | undefined, state: Pick<State, 'published'>): Retraction[] {
  const oldest = findOldestKeptSlot(state);
  return current === undefined ? [] : listRetractions(current).filter(({ slot }) => slot >= oldest);
}

/**
 * What the run that stands left to the next one. Alerts that a retracted run had resolved are closed for whoever
 * received its messages, so they are not open any more, and can open again. Findings that it opened are still open for
 * whoever collected them, so the next run closes them.
 */
export async function readCurrentState(store: Store, current: CurrentRun): Promise<State> {
  return closeResolvedAlerts(await readState(store, current), store, current);
}

/** The same without its devices. */
export async function readCurrentStateHead(store: Store, current: CurrentRun): Promise<StateHead> {
  return closeResolvedAlerts(await readStateHead(store, current), store, current);
}

async function closeResolvedAlerts<Left extends StateHead>(
  state: Left,
  store: Store,
  current: CurrentRun,
): Promise<Left> {
  const resolved = new Set<string>();
  const retractedFindings = [...(state.retractedFindings ?? [])];
  for (const retraction of current.pointer.retracted ?? []) {
    const record = await readRecordIfSound(store, retraction);
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

/** A damaged record stops no night: an alert or a finding then stays open for whoever received it. */
async function readRecordIfSound(store: Store, retraction: Retraction): Promise<RetractionRecord | undefined> {
  try {
    return await readRetractionRecord(store, retraction);
  } catch (error) {
    if (error instanceof MusterError && error.code === 'store-damaged') {
      return undefined;
    }
    throw error;
  }
}

/** Copies that query engines would still count. Not those of a slot that was run again. */
export async function removeRetractedCopies(store: Store, current: CurrentRun): Promise<void> {
  const { published } = await readStateHead(store, current);
  for (const retraction of listRetractions(current)) {
    if (published.includes(retraction.slot)) {
      continue;
    }
    const { manifest } = await readRun(store, retraction);
    for (const { key } of manifest.files) {
      const file = parseReportFile(key);
      if (file !== undefined) {
        await store.remove(toCopyKeys(file, retraction.slot)[0]);
      }
    }
  }
}
