/**
 * Publishing: an attempt writes below its own folder, its manifest last; then the pointer moves by compare-and-swap.
 * Until it has moved nothing happened; from then on the run stands, whatever becomes of the writer.
 */
import { randomBytes } from 'node:crypto';
import type { Facts } from '../../core/facts.ts';
import type { Night } from '../../core/judged.ts';
import type { State } from '../../core/state.ts';
import { MusterError } from '../../errors.ts';
import { omitUndefined } from '../../omit-undefined.ts';
import { renderCsv } from '../../reports/csv.ts';
import type { Report } from '../../reports/report.ts';
import type { Table } from '../../reports/table.ts';
import { computeSha256 } from '../../sha256.ts';
import type { Signer } from '../signing/signer.ts';
import type { Body, Store } from '../store.ts';
import { pointerKey, toAttemptFolder, toAttemptName, toComparableSlot, toManifestKey } from './keys.ts';
import { type Outbox, serializeOutbox } from './outbox.ts';
import { packJson, packLines } from './pack.ts';
import {
  type CurrentRun,
  findOldestKeptSlot,
  findRunFile,
  type PublishedRun,
  readPreviousState,
  readPublishedRuns,
  readState,
  streamChecked,
} from './published-runs.ts';
import {
  type FileEntry,
  type Manifest,
  type ManifestLink,
  type Pointer,
  type Retraction,
  serializeRecord,
} from './records.ts';
import { listKeptRetractions, listRetractions } from './retractions.ts';
import { signManifest } from './signatures.ts';
import { listStateLines, nameSourceLines, type StateHead, stateFiles, toStateHead } from './state-files.ts';

export interface Publication {
  readonly facts: Facts;
  readonly night: Night;
  /** What the night was compared with; its devices are copied from where they lie. */
  readonly before: StateHead | undefined;
  readonly tables: readonly Table[];
  readonly reports?: readonly Report[];
  /** What the run has to send. */
  readonly outbox: Outbox;
  /** What stood published when this night was begun. */
  readonly currentRun: CurrentRun | undefined;
  /** By `nameAttempt`. */
  readonly attempt: string;
  /** Signs the manifest. */
  readonly signer?: Signer;
}

export interface Published {
  /** False when somebody else published meanwhile. */
  readonly isPublished: boolean;
  /** Why the manifest has no signature, though it should have one. */
  readonly signingError?: unknown;
}

/** A new name; the wall clock only orders attempts for whoever looks at the store. */
export function nameAttempt(now: Date): string {
  return toAttemptName(now, randomBytes(4).toString('hex'));
}

/** A key that does not sign stops no run: its manifest is published as it is. */
export async function publish(store: Store, publication: Publication): Promise<Published> {
  const { facts, night, attempt, currentRun, signer } = publication;
  const files = await writeFiles(store, publication);
  const replaced = currentRun?.manifest.slot === night.slot ? currentRun.manifest.attempt : undefined;
  const baselines = await listBaselinesBeyondRetention(store, night.state, currentRun);
  const retracted = listKeptRetractions(currentRun, night.state);
  const manifest: Manifest = {
    schema: 1,
    slot: night.slot,
    attempt,
    generation: nextGeneration(currentRun),
    ...(replaced === undefined ? {} : { replaces: replaced }),
    moment: facts.moment,
    muster: facts.muster,
    exit: decideExitCode(night),
    sources: night.sources.map(({ name, soundness, receipt }) => ({ name, soundness, receipt })),
    files,
    previous: currentRun === undefined ? null : currentRun.link,
    ...(baselines.length === 0 ? {} : { baselines }),
    ...(retracted.length === 0 ? {} : { retracted }),
  };
  const key = toManifestKey(night.slot, attempt);
  const { signed, error } = signer ? await tryManifestSigning(manifest, key, signer) : { signed: manifest };
  const body = serializeRecord(signed);
  await store.create(key, body);
  const run = { slot: night.slot, attempt, manifest: key, sha256: computeSha256(body) };
  return { isPublished: await movePointer(store, run, currentRun), ...omitUndefined({ signingError: error }) };
}

async function tryManifestSigning(
  manifest: Manifest,
  key: string,
  signer: Signer,
): Promise<{ readonly signed: Manifest; readonly error?: unknown }> {
  try {
    return { signed: await signManifest(manifest, key, signer) };
  } catch (error) {
    return { signed: manifest, error };
  }
}

/** The retraction of the run that stands: the pointer names the run before it. False when somebody else was first. */
export function retract(
  store: Store,
  currentRun: CurrentRun,
  before: PublishedRun,
  retraction: Retraction,
): Promise<boolean> {
  const { slot, attempt } = before.manifest;
  const known = new Set((before.manifest.retracted ?? []).map(({ record }) => record.key));
  const retracted = [...listRetractions(currentRun).filter(({ record }) => !known.has(record.key)), retraction];
  return movePointer(store, { slot, attempt, ...before.link, retracted }, currentRun);
}

function nextGeneration(currentRun: CurrentRun | undefined): number {
  return (currentRun?.pointer.generation ?? 0) + 1;
}

/** A swap that failed may have moved the pointer all the same; then the night stands, whatever the store said. */
async function movePointer(
  store: Store,
  run: Omit<Pointer, 'schema' | 'generation' | 'nonce'>,
  currentRun: CurrentRun | undefined,
): Promise<boolean> {
  const { slot, attempt, ...named } = run;
  const generation = nextGeneration(currentRun);
  const nonce = randomBytes(16).toString('hex');
  const pointer = serializeRecord({ schema: 1, slot, attempt, generation, nonce, ...named });
  try {
    return await store.swap(pointerKey, pointer, currentRun?.version);
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
  { attempt, facts, night, before, currentRun, tables, reports = [], outbox }: Publication,
): Promise<FileEntry[]> {
  const folder = toAttemptFolder(night.slot, attempt);
  const files: FileEntry[] = [];
  const write = async (name: string, body: Body, countRows?: () => number) => {
    const key = `${folder}${name}`;
    const digest = await store.create(key, body);
    files.push({ key, ...digest, ...omitUndefined({ rows: countRows?.() }) });
  };
  const sources = facts.sources.map(({ devices: _, ...source }) => source);
  await write('facts/night.json.gz', packJson({ ...facts, sources }));
  if (before !== undefined) {
    await write(stateFiles.previous.head, packJson(before));
    for (const source of before.sources) {
      const name = nameSourceLines(stateFiles.previous, source.name);
      await write(name, copyStateLines(store, source.name, facts.slot, currentRun));
    }
  }
  for (const source of facts.sources) {
    await write(`facts/${source.name}.ndjson.gz`, packLines(source.devices));
  }
  for (const table of tables) {
    let rows = 0;
    const onRows = (count: number) => {
      rows = count;
    };
    await write(`reports/${table.name}.csv`, renderCsv(table, night, { onRows }), () => rows);
  }
  for (const report of reports) {
    await write(`reports/${report.file}`, report.render(night));
  }
  await write(stateFiles.next.head, packJson(toStateHead(night.state)));
  for (const source of night.state.sources) {
    await write(nameSourceLines(stateFiles.next, source.name), packLines(listStateLines(source)));
  }
  await write('outbox.json', serializeOutbox(outbox));
  return files;
}

/** The bytes as the run that stands holds them; packed anew where an older version wrote it. */
async function* copyStateLines(
  store: Store,
  source: string,
  slot: string,
  currentRun: CurrentRun | undefined,
): AsyncGenerator<Buffer> {
  if (currentRun === undefined) {
    return;
  }
  const isSameSlot = currentRun.manifest.slot === slot;
  const files = isSameSlot ? stateFiles.previous : stateFiles.next;
  const stored = findRunFile(currentRun, nameSourceLines(files, source));
  if (stored !== undefined) {
    yield* streamChecked(store, stored);
    return;
  }
  const state = await (isSameSlot ? readPreviousState : readState)(store, currentRun);
  const known = state?.sources.find(({ name }) => name === source);
  yield* packLines(known === undefined ? [] : listStateLines(known));
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
  const links = known.filter(({ manifest }) => slotsToFind.delete(toComparableSlot(manifest)));
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
