/** What stands published, and the way back from it: pointer → manifest → files, each checked against its hash. */
import { createHash } from 'node:crypto';
import { toHousekeepingAlertKey } from '../../core/alerts/store-alerts.ts';
import type { DeviceFacts, Facts } from '../../core/facts.ts';
import { createDevicePacker, isDeviceFacts } from '../../core/packed-devices.ts';
import type { SourceState, State } from '../../core/state.ts';
import type { HousekeepingStep } from '../../core/vocabulary.ts';
import { MusterError } from '../../errors.ts';
import { isRecord } from '../../is-record.ts';
import { computeSha256 } from '../../sha256.ts';
import type { Store, StoredObject } from '../store.ts';
import { isManifestKey, pointerKey, toComparableSlot } from './keys.ts';
import { factsSchema, hasSources, migrateFacts, migrateState, stateSchema } from './migrate.ts';
import { unpackJson, unpackLines } from './pack.ts';
import {
  createDamageError,
  type FileEntry,
  type Manifest,
  type ManifestLink,
  type Pointer,
  readManifest,
  readPointer,
  refuseNewer,
} from './records.ts';
import {
  createStateLineReader,
  nameSourceLines,
  type StateFiles,
  type StateHead,
  stateFiles,
  toStateHead,
} from './state-files.ts';
import { isStateHead } from './state-head.ts';

/** A published run: what the pointer, or a link of the chain, names. */
export interface PublishedRun {
  readonly manifest: Manifest;
  readonly link: ManifestLink;
}

export interface CurrentRun extends PublishedRun {
  readonly pointer: Pointer;
  /** What a compare-and-swap of the pointer expects. */
  readonly version: string;
}

/** The published run, or undefined before the first night. A store that has lost its pointer is refused. */
export async function readCurrentRun(store: Store): Promise<CurrentRun | undefined> {
  const stored = (await store.read(pointerKey)) ?? (await readLatePointer(store));
  if (stored === undefined) {
    return undefined;
  }
  const where = `${pointerKey} in ${store.name}`;
  const pointer = readPointer(stored.body, where);
  const run = await readRun(store, { manifest: pointer.manifest, sha256: pointer.sha256 });
  if (pointer.slot !== run.manifest.slot || pointer.attempt !== run.manifest.attempt) {
    throw createDamageError(where, `it does not agree with ${pointer.manifest}`);
  }
  return { ...run, pointer, version: stored.version };
}

export async function readRun(store: Store, link: ManifestLink): Promise<PublishedRun> {
  const body = await readChecked(store, link.manifest, link.sha256);
  return { manifest: readManifest(body, link.manifest), link };
}

/**
 * Every published run that is kept, newest first: back to the oldest night within retention, then the baseline nights
 * beyond it. What lies between was removed on purpose, or is about to be.
 */
export async function* readPublishedRuns(store: Store, currentRun: PublishedRun): AsyncGenerator<PublishedRun> {
  yield* readRunsBackTo(store, currentRun, await readOldestKeptSlot(store, currentRun));
  for (const link of currentRun.manifest.baselines ?? []) {
    yield* readRunsBackTo(store, await readRun(store, link), toComparableSlot(link.manifest));
  }
}

async function* readRunsBackTo(store: Store, from: PublishedRun, oldest: string): AsyncGenerator<PublishedRun> {
  for (let run = from; ; ) {
    yield run;
    const { previous } = run.manifest;
    if (previous === null || toComparableSlot(previous.manifest) < oldest) {
      return;
    }
    run = await readRun(store, previous);
  }
}

/** A damaged state does not say how far back the nights go; then everything is expected to be there. */
export async function readOldestKeptSlot(store: Store, currentRun: PublishedRun): Promise<string> {
  try {
    return findOldestKeptSlot(await readStateHead(store, currentRun));
  } catch (error) {
    if (error instanceof MusterError && error.code === 'store-damaged') {
      return '';
    }
    throw error;
  }
}

/** The oldest slot within retention; what lies before it is removed, unless it is a source's baseline. */
export function findOldestKeptSlot(state: Pick<State, 'published'>): string {
  return state.published[0] ?? '';
}

/** Since which slot an alert has been open that says that a step of housekeeping could not be done. */
export async function findUnfinishedSince(
  store: Store,
  run: PublishedRun,
  step: HousekeepingStep,
): Promise<string | undefined> {
  const { told = [] } = await readStateHead(store, run);
  return told.find(({ key }) => key === toHousekeepingAlertKey(step))?.since;
}

/** The run that stands published for a slot. */
export async function findRun(
  store: Store,
  currentRun: PublishedRun | undefined,
  slot: string,
): Promise<PublishedRun | undefined> {
  if (currentRun === undefined) {
    return undefined;
  }
  for await (const run of readPublishedRuns(store, currentRun)) {
    if (run.manifest.slot === slot) {
      return run;
    }
  }
  return undefined;
}

/** What the run left to the next night. */
export function readState(store: Store, run: PublishedRun): Promise<State> {
  return readStateFiles(store, run, stateFiles.next);
}

/** What the run left to the next night, without its devices. */
export function readStateHead(store: Store, run: PublishedRun): Promise<StateHead> {
  return readHeadOf(store, run, stateFiles.next);
}

/** What the run was compared with: kept beside its facts, so that a night can be judged again on its own. */
export async function readPreviousState(store: Store, run: PublishedRun): Promise<State | undefined> {
  const { previous } = stateFiles;
  return findRunFile(run, previous.head) === undefined ? undefined : readStateFiles(store, run, previous);
}

/** The same without its devices. */
export async function readPreviousStateHead(store: Store, run: PublishedRun): Promise<StateHead | undefined> {
  const { previous } = stateFiles;
  return findRunFile(run, previous.head) === undefined ? undefined : readHeadOf(store, run, previous);
}

async function readHeadOf(store: Store, run: PublishedRun, files: StateFiles): Promise<StateHead> {
  const stored = await readStoredHead(store, run, files);
  return 'state' in stored ? toStateHead(stored.state) : stored.head;
}

async function readStateFiles(store: Store, run: PublishedRun, files: StateFiles): Promise<State> {
  const stored = await readStoredHead(store, run, files);
  if ('state' in stored) {
    return stored.state;
  }
  const sources: SourceState[] = [];
  for (const source of stored.head.sources) {
    const { key, body } = await readRunFile(store, run, nameSourceLines(files, source.name));
    const lines = createStateLineReader();
    for await (const batch of unpackLines(body, key)) {
      if (!lines.add(batch)) {
        throw createDamageError(key, 'it has not the shape of a state');
      }
    }
    sources.push(lines.join(source));
  }
  return { ...stored.head, sources };
}

/** Until schema 3 a state was one JSON text. */
async function readStoredHead(
  store: Store,
  run: PublishedRun,
  files: StateFiles,
): Promise<{ readonly head: StateHead } | { readonly state: State }> {
  const { key, body } = await readRunFile(store, run, files.head);
  const value = unpackJson(body, key);
  refuseNewer(value, key, stateSchema);
  if (hasSources(value) && value.schema === stateSchema) {
    return { head: isStateHead(value) ? value : refuseDamaged(key, 'it has not the shape of a state') };
  }
  return { state: migrateState(value) ?? refuseDamaged(key, 'it has not the shape of a state') };
}

export async function readFacts(store: Store, run: PublishedRun): Promise<Facts> {
  const { key, body } = await readRunFile(store, run, 'facts/night.json.gz');
  const night = unpackJson(body, key);
  refuseNewer(night, key, factsSchema);
  const sources: unknown[] = [];
  for (const source of readListField(night, 'sources') ?? refuseDamaged(key, 'it has not the shape of facts')) {
    const name =
      isRecord(source) && typeof source.name === 'string'
        ? source.name
        : refuseDamaged(key, 'it has not the shape of facts');
    const rows = await readRunFile(store, run, `facts/${name}.ndjson.gz`);
    const isCurrent = isRecord(night) && night.schema === factsSchema;
    const devices = isCurrent
      ? await readDeviceLines(rows)
      : (await Array.fromAsync(unpackLines(rows.body, rows.key))).flat();
    sources.push({ ...(source as object), devices });
  }
  return migrateFacts({ ...(night as object), sources }) ?? refuseDamaged(key, 'it has not the shape of facts');
}

/** Packed as they are read. */
async function readDeviceLines({ key, body }: { readonly key: string; readonly body: Buffer }): Promise<DeviceFacts[]> {
  const pack = createDevicePacker();
  const devices: DeviceFacts[] = [];
  for await (const lines of unpackLines(body, key)) {
    if (!lines.every(isDeviceFacts)) {
      throw createDamageError(key, 'it has not the shape of facts');
    }
    devices.push(...pack(lines));
  }
  return devices;
}

export function findRunFile(run: PublishedRun, name: string): FileEntry | undefined {
  const folder = run.link.manifest.slice(0, -'manifest.json'.length);
  return run.manifest.files.find((file) => file.key === `${folder}${name}`);
}

/** One of the run's files, by its name in the run's folder. */
export async function readRunFile(
  store: Store,
  run: PublishedRun,
  name: string,
): Promise<{ key: string; body: Buffer }> {
  const entry = findRunFile(run, name);
  if (entry === undefined) {
    throw createDamageError(run.link.manifest, `it does not name ${name}`);
  }
  return { key: entry.key, body: await readChecked(store, entry.key, entry.sha256) };
}

/** Bytes are believed only when they are the bytes that were published. */
export async function readChecked(store: Store, key: string, expected: string): Promise<Buffer> {
  const stored = await store.read(key);
  if (stored === undefined) {
    throw createDamageError(key, `it is missing from ${store.name}`);
  }
  if (computeSha256(stored.body) !== expected) {
    throw createDamageError(key, 'its SHA-256 is not the one that was published');
  }
  return stored.body;
}

/** The same piece by piece; what is wrong is thrown at the end. */
export async function* streamChecked(store: Store, { key, sha256 }: FileEntry): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const piece of store.stream(key)) {
    hash.update(piece);
    yield piece;
  }
  if (hash.digest('hex') !== sha256) {
    throw createDamageError(key, 'its SHA-256 is not the one that was published');
  }
}

function readListField(value: unknown, name: string): readonly unknown[] | undefined {
  const list = isRecord(value) ? value[name] : undefined;
  return Array.isArray(list) ? list : undefined;
}

function refuseDamaged(key: string, why: string): never {
  throw createDamageError(key, why);
}

/**
 * No pointer: either nothing was ever published, or the pointer was lost. Copies are only made after the pointer has
 * moved, and only a run that follows another names a previous one.
 */
async function readLatePointer(store: Store): Promise<StoredObject | undefined> {
  const key = await findSignOfPublishing(store);
  if (key === undefined) {
    return undefined;
  }
  // Another run may have published its first night since the pointer was looked for.
  const stored = await store.read(pointerKey);
  if (stored === undefined) {
    throw new MusterError(
      'store-pointer-lost',
      `${store.name} has no ${pointerKey}, but ${key} shows that runs were published there. Restore ${pointerKey} as docs/aws.md, "When something happened", describes; nothing was changed.`,
    );
  }
  return stored;
}

async function findSignOfPublishing(store: Store): Promise<string | undefined> {
  for await (const key of store.list('')) {
    const isCopy = /^(latest|[a-z-]+\/date=[^/]+)\//.test(key);
    if (isCopy || (isManifestKey(key) && (await hasPrevious(store, key)))) {
      return key;
    }
  }
  return undefined;
}

async function hasPrevious(store: Store, key: string): Promise<boolean> {
  const stored = await store.read(key);
  return stored !== undefined && readManifest(stored.body, key).previous !== null;
}
