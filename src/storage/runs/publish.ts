/**
 * Publishing: an attempt writes below its own folder, its manifest last; then the pointer moves by compare-and-swap.
 * Until it has moved nothing happened; from then on the run stands, whatever becomes of the writer.
 */
import { randomBytes } from 'node:crypto';
import type { Facts } from '../../core/facts.ts';
import type { Night } from '../../core/judged.ts';
import type { State } from '../../core/state.ts';
import { MusterError } from '../../errors.ts';
import { renderCsv } from '../../reports/csv.ts';
import type { Report } from '../../reports/report.ts';
import type { Table } from '../../reports/table.ts';
import { computeSha256 } from '../../sha256.ts';
import type { Body, Store } from '../store.ts';
import { parseSlotFromKey, pointerKey, toAttemptFolder, toAttemptName, toManifestKey } from './keys.ts';
import { type Outbox, serializeOutbox } from './outbox.ts';
import { packJson, packLines } from './pack.ts';
import { type CurrentRun, findOldestKeptSlot, readPublishedRuns } from './published-runs.ts';
import { type FileEntry, type Manifest, type ManifestLink, type Pointer, serializeRecord } from './records.ts';

export interface Publication {
  readonly facts: Facts;
  readonly night: Night;
  /** What the night was compared with. */
  readonly before: State | undefined;
  readonly tables: readonly Table[];
  readonly reports?: readonly Report[];
  /** What the run has to send. */
  readonly outbox: Outbox;
  /** What stood published when this night was begun. */
  readonly currentRun: CurrentRun | undefined;
  /** By `nameAttempt`. */
  readonly attempt: string;
}

/** A new name; the wall clock only orders attempts for whoever looks at the store. */
export function nameAttempt(now: Date): string {
  return toAttemptName(now, randomBytes(4).toString('hex'));
}

/** True when the night is published; false when somebody else published meanwhile. */
export async function publish(store: Store, publication: Publication): Promise<boolean> {
  const { facts, night, attempt, currentRun } = publication;
  const files = await writeFiles(store, publication);
  const replaced = currentRun?.manifest.slot === night.slot ? currentRun.manifest.attempt : undefined;
  const baselines = await listBaselinesBeyondRetention(store, night.state, currentRun);
  const manifest: Manifest = {
    schema: 1,
    slot: night.slot,
    attempt,
    ...(replaced === undefined ? {} : { replaces: replaced }),
    moment: facts.moment,
    muster: facts.muster,
    exit: decideExitCode(night),
    sources: night.sources.map(({ name, soundness, receipt }) => ({ name, soundness, receipt })),
    files,
    previous: currentRun === undefined ? null : currentRun.link,
    ...(baselines.length === 0 ? {} : { baselines }),
  };
  const body = serializeRecord(manifest);
  const key = toManifestKey(night.slot, attempt);
  await store.create(key, body);
  const pointer: Pointer = {
    schema: 1,
    slot: night.slot,
    attempt,
    generation: (currentRun?.pointer.generation ?? 0) + 1,
    nonce: randomBytes(16).toString('hex'),
    manifest: key,
    sha256: computeSha256(body),
  };
  return movePointer(store, serializeRecord(pointer), currentRun?.version);
}

/** A swap that failed may have moved the pointer all the same; then the night stands, whatever the store said. */
async function movePointer(store: Store, pointer: Buffer, expected: string | undefined): Promise<boolean> {
  try {
    return await store.swap(pointerKey, pointer, expected);
  } catch (error) {
    const stored = await store.read(pointerKey).catch(() => undefined);
    if (stored?.body.equals(pointer)) {
      return true;
    }
    throw error;
  }
}

/** 0 when every source is complete, otherwise 3. */
export function decideExitCode(night: Pick<Night, 'sources'>): 0 | 3 {
  return night.sources.every((source) => source.soundness === 'complete') ? 0 : 3;
}

async function writeFiles(
  store: Store,
  { attempt, facts, night, before, tables, reports = [], outbox }: Publication,
): Promise<FileEntry[]> {
  const folder = toAttemptFolder(night.slot, attempt);
  const files: FileEntry[] = [];
  const write = async (name: string, body: Body, rows?: number) => {
    const key = `${folder}${name}`;
    files.push({ key, ...(await store.create(key, body)), ...(rows === undefined ? {} : { rows }) });
  };
  const sources = facts.sources.map(({ devices: _, ...source }) => source);
  await write('facts/night.json.gz', packJson({ ...facts, sources }));
  if (before !== undefined) {
    await write('facts/before.json.gz', packJson(before));
  }
  for (const source of facts.sources) {
    await write(`facts/${source.name}.ndjson.gz`, packLines(source.devices));
  }
  for (const table of tables) {
    await write(`reports/${table.name}.csv`, renderCsv(table, night), countRows(table.rows(night)));
  }
  for (const report of reports) {
    await write(`reports/${report.file}`, report.render(night));
  }
  await write('state.json.gz', packJson(night.state));
  await write('outbox.json', serializeOutbox(outbox));
  return files;
}

/** Links to the nights that only a baseline keeps: once their neighbours are removed, nothing else leads there. */
async function listBaselinesBeyondRetention(
  store: Store,
  state: State,
  currentRun: CurrentRun | undefined,
): Promise<ManifestLink[]> {
  const slots = state.sources.flatMap(({ baseline }) => (baseline === undefined ? [] : [baseline.slot]));
  const slotsToFind = new Set(slots.filter((slot) => slot < findOldestKeptSlot(state)));
  const known = currentRun?.manifest.baselines ?? [];
  const links = known.filter(({ manifest }) => slotsToFind.delete(parseSlotFromKey(manifest) ?? ''));
  if (currentRun === undefined || slotsToFind.size === 0) {
    return links;
  }
  try {
    for await (const run of readPublishedRuns(store, currentRun)) {
      if (slotsToFind.delete(run.manifest.slot)) {
        links.push(run.link);
      }
    }
  } catch (error) {
    // An older run that cannot be read stops no night: `verify` names it, and retention keeps the baseline all the same.
    if (!(error instanceof MusterError) || error.code === 'deadline') {
      throw error;
    }
  }
  return links;
}

function countRows(rows: Iterable<unknown>): number {
  let count = 0;
  for (const _ of rows) {
    count += 1;
  }
  return count;
}
