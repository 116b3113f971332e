/** What stands published, and the way back from it: pointer → manifest → files, each checked against its hash. */
import type { Facts } from '../../core/facts.ts';
import type { State } from '../../core/state.ts';
import { MusterError } from '../../errors.ts';
import type { Store } from '../store.ts';
import { pointerKey, slotOf } from './keys.ts';
import { currentSchema, migrateFacts, migrateState } from './migrate.ts';
import { sha256, unpackJson, unpackLines } from './pack.ts';
import {
  damaged,
  type Manifest,
  type ManifestLink,
  type Pointer,
  readManifest,
  readPointer,
  refuseNewer,
} from './records.ts';

/** A published run: what the pointer, or a link of the chain, names. */
export interface Run {
  readonly manifest: Manifest;
  readonly link: ManifestLink;
}

export interface Standing extends Run {
  readonly pointer: Pointer;
  /** What a compare-and-swap of the pointer expects. */
  readonly version: string;
}

/** The published run, or undefined before the first night. A store that has lost its pointer is refused. */
export async function readStanding(store: Store): Promise<Standing | undefined> {
  const held = await store.read(pointerKey);
  if (held === undefined) {
    await refuseLostPointer(store);
    return undefined;
  }
  const where = `${pointerKey} in ${store.name}`;
  const pointer = readPointer(held.body, where);
  const run = await readRun(store, { manifest: pointer.manifest, sha256: pointer.sha256 });
  if (pointer.slot !== run.manifest.slot || pointer.attempt !== run.manifest.attempt) {
    throw damaged(where, `it does not agree with ${pointer.manifest}`);
  }
  return { ...run, pointer, version: held.version };
}

async function readRun(store: Store, link: ManifestLink): Promise<Run> {
  const body = await readChecked(store, link.manifest, link.sha256);
  return { manifest: readManifest(body, link.manifest), link };
}

/**
 * Every published run that is kept, newest first: back to the oldest night within retention, then the baseline nights
 * beyond it. What lies between was removed on purpose, or is about to be.
 */
export async function* chain(store: Store, standing: Run): AsyncGenerator<Run> {
  yield* back(store, standing, await oldestKept(store, standing));
  for (const link of standing.manifest.baselines ?? []) {
    yield* back(store, await readRun(store, link), slotOf(link.manifest) ?? '');
  }
}

async function* back(store: Store, from: Run, oldest: string): AsyncGenerator<Run> {
  for (let run = from; ; ) {
    yield run;
    const { previous } = run.manifest;
    if (previous === null || (slotOf(previous.manifest) ?? '') < oldest) return;
    run = await readRun(store, previous);
  }
}

/** A damaged state does not say how far back the nights go; then everything is expected to be there. */
async function oldestKept(store: Store, standing: Run): Promise<string> {
  try {
    return keptFrom(await readState(store, standing));
  } catch (error) {
    if (error instanceof MusterError && error.code === 'store-damaged') return '';
    throw error;
  }
}

/** The oldest slot within retention; what lies before it is removed, unless it is a source's baseline. */
export function keptFrom(state: State): string {
  return state.published[0] ?? '';
}

/** The run that stands published for a slot. */
export async function runOf(store: Store, standing: Run | undefined, slot: string): Promise<Run | undefined> {
  if (standing === undefined) return undefined;
  for await (const run of chain(store, standing)) if (run.manifest.slot === slot) return run;
  return undefined;
}

/** What the run left to the next night. */
export async function readState(store: Store, run: Run): Promise<State> {
  const { key, body } = await readFile(store, run, 'state.json.gz');
  return asState(body, key);
}

/** What the run was compared with: kept beside its facts, so that a night can be judged again on its own. */
export async function readBefore(store: Store, run: Run): Promise<State | undefined> {
  const name = 'facts/before.json.gz';
  if (!run.manifest.files.some((file) => file.key.endsWith(`/${name}`))) return undefined;
  const { key, body } = await readFile(store, run, name);
  return asState(body, key);
}

function asState(body: Buffer, key: string): State {
  const state = unpackJson(body, key);
  refuseNewer(state, key, currentSchema);
  return migrateState(state) ?? refuse(key, 'it is no state');
}

export async function readFacts(store: Store, run: Run): Promise<Facts> {
  const { key, body } = await readFile(store, run, 'facts/night.json.gz');
  const night = unpackJson(body, key);
  refuseNewer(night, key, currentSchema);
  const sources: unknown[] = [];
  for (const source of listOf(night, 'sources') ?? refuse(key, 'it is no night')) {
    const name = isRecord(source) && typeof source.name === 'string' ? source.name : refuse(key, 'it is no night');
    const rows = await readFile(store, run, `facts/${name}.ndjson.gz`);
    sources.push({ ...(source as object), devices: unpackLines(rows.body, rows.key) });
  }
  return migrateFacts({ ...(night as object), sources }) ?? refuse(key, 'it is no night');
}

/** One of the run's files, by its name in the run's folder. */
export async function readFile(store: Store, run: Run, name: string): Promise<{ key: string; body: Buffer }> {
  const folder = run.link.manifest.slice(0, -'manifest.json'.length);
  const entry = run.manifest.files.find((file) => file.key === `${folder}${name}`);
  if (entry === undefined) throw damaged(run.link.manifest, `it does not name ${name}`);
  return { key: entry.key, body: await readChecked(store, entry.key, entry.sha256) };
}

/** Bytes are believed only when they are the bytes that were published. */
async function readChecked(store: Store, key: string, expected: string): Promise<Buffer> {
  const held = await store.read(key);
  if (held === undefined) throw damaged(key, `it is missing from ${store.name}`);
  if (sha256(held.body) !== expected) throw damaged(key, 'its SHA-256 is not the one that was published');
  return held.body;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function listOf(value: unknown, name: string): readonly unknown[] | undefined {
  const list = isRecord(value) ? value[name] : undefined;
  return Array.isArray(list) ? list : undefined;
}

function refuse(key: string, why: string): never {
  throw damaged(key, why);
}

/**
 * No pointer: either nothing was ever published, or the pointer was lost. Copies are only made after the pointer has
 * moved, and only a run that follows another names a previous one.
 */
async function refuseLostPointer(store: Store): Promise<void> {
  for await (const key of store.list('')) {
    const isCopy = /^(latest|[a-z-]+\/date=[^/]+)\//.test(key);
    if (isCopy || (slotOf(key) !== undefined && key.endsWith('/manifest.json') && (await hasPrevious(store, key)))) {
      throw new MusterError(
        'store-pointer-lost',
        `${store.name} has no ${pointerKey}, but ${key} shows that nights were published there. Restore ${pointerKey} (see the runbook); nothing was changed.`,
      );
    }
  }
}

async function hasPrevious(store: Store, key: string): Promise<boolean> {
  const held = await store.read(key);
  return held !== undefined && readManifest(held.body, key).previous !== null;
}
