/** Reads the files of a published run, each checked against the hash in its commit. */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { isRecord } from '../../base/is-record.ts';
import { computeSha256 } from '../../base/sha256.ts';
import { createDeviceInterner, isDeviceFacts } from '../../core/facts/device-fields.ts';
import type { CarriedRows, Facts, ShownRow, SourceFacts } from '../../core/facts/facts.ts';
import { type ListFacts, type ListName, type ListRow, type ListsFacts, listNames } from '../../core/facts/lists.ts';
import type { FileEntry, PublishedRun } from '../commits/commit.ts';
import { toAttemptFolder, toCommitKey } from '../keys.ts';
import type { Store } from '../store.ts';
import { createDamageError, refuseOtherSchema } from '../stored-json.ts';
import { unpackJson, unpackLines } from './pack.ts';

const factsSchema: Facts['schema'] = 5;

export async function readFacts(store: Store, run: PublishedRun): Promise<Facts> {
  const { lists, ...night } = await readFactsHead(store, run);
  const sources: SourceFacts[] = [];
  for (const source of night.sources) {
    sources.push(await readSource(store, run, source));
  }
  const whole: { [Name in ListName]?: ListFacts } = {};
  for (const [name, list] of listLists(lists)) {
    whole[name] = { ...list, rows: await readLines(store, run, nameRows(`lists/${name}`), isListRow, (row) => row) };
  }
  return { ...night, ...(lists && { lists: whole }), sources };
}

async function readSource(store: Store, run: PublishedRun, source: SourceHead): Promise<SourceFacts> {
  const { carried, ...head } = source;
  const intern = createDeviceInterner();
  const devices = await readLines(store, run, nameRows(source.name), isDeviceFacts, intern);
  if (carried === undefined) {
    return { ...head, devices };
  }
  const share = (row: ShownRow): ShownRow => ({ ...row, facts: intern(row.facts) });
  const rows = await readLines(store, run, nameCarriedRows(source.name), isShownRow, share);
  return { ...head, devices, carried: { ...carried, rows } };
}

/** The facts about one source of a run; undefined where the run had no such source. */
export async function readSourceFacts(
  store: Store,
  run: PublishedRun,
  { name, kind }: Pick<SourceFacts, 'name' | 'kind'>,
): Promise<SourceFacts | undefined> {
  const { sources } = await readFactsHead(store, run);
  const head = sources.find((source) => source.name === name && source.kind === kind);
  return head && readSource(store, run, head);
}

function isShownRow(line: unknown): line is ShownRow {
  return (
    isRecord(line) &&
    isDeviceFacts(line.facts) &&
    ['string', 'undefined'].includes(typeof line.answeredOn) &&
    (line.unread === undefined || line.unread === true)
  );
}

function listLists(lists: ListsFacts = {}): [ListName, ListFacts][] {
  return listNames.flatMap((name) => (lists[name] ? [[name, lists[name]]] : []));
}

function isListRow(line: unknown): line is ListRow {
  return isRecord(line) && Object.values(line).every((cell) => typeof cell === 'string');
}

function nameRows(name: string): string {
  return `facts/${name}.ndjson.gz`;
}

function nameCarriedRows(source: string): string {
  return nameRows(`carried/${source}`);
}

/** Rows of the facts that are stored in files of their own, one line each. */
export function listFactsRows({ sources, lists }: Facts): (readonly [name: string, rows: readonly unknown[]])[] {
  return [
    ...sources.map(({ name, devices }) => [nameRows(name), devices] as const),
    ...sources.flatMap(({ name, carried }) => (carried ? [[nameCarriedRows(name), carried.rows] as const] : [])),
    ...listLists(lists).map(([name, { rows }]) => [nameRows(`lists/${name}`), rows] as const),
  ];
}

export async function readFactsHead(store: Store, run: PublishedRun): Promise<FactsHead> {
  const { key, body } = await readRunFile(store, run, 'facts/night.json.gz');
  const night = await unpackJson(body, key);
  refuseOtherSchema(night, key, factsSchema);
  return isFactsHead(night) ? night : refuseDamaged(key, 'it has not the shape of facts');
}

/** Facts without devices and rows of lists, which are in files beside them. */
export type FactsHead = Omit<Facts, 'sources'> & { readonly sources: readonly SourceHead[] };

type SourceHead = Omit<SourceFacts, 'devices' | 'carried'> & { readonly carried?: Omit<CarriedRows, 'rows'> };

export function toFactsHead({ sources, lists, ...night }: Facts): FactsHead {
  const heads = listLists(lists).map(([name, list]) => [name, { ...list, rows: [] }]);
  return {
    ...night,
    ...(lists && { lists: Object.fromEntries(heads) as ListsFacts }),
    sources: sources.map(({ devices: _, carried, ...source }) => ({
      ...source,
      ...(carried && { carried: toCarriedHead(carried) }),
    })),
  };
}

function toCarriedHead({ rows: _, ...head }: CarriedRows): Omit<CarriedRows, 'rows'> {
  return head;
}

const text = v.string();
const listHead = v.optional(
  v.looseObject({ readAt: text, files: v.array(v.looseObject({ name: text, rows: v.number() })) }),
);
const unread = v.looseObject({ id: text, operatingSystem: text });
const factsHead = v.looseObject({
  schema: v.literal(factsSchema),
  lists: v.optional(v.looseObject({ expected: listHead, reporting: listHead })),
  sources: v.array(
    v.looseObject({
      name: text,
      unread: v.optional(v.pipe(v.array(unread), v.minLength(1))),
      unlisted: v.optional(v.array(text)),
      repeated: v.optional(v.array(text)),
      carried: v.optional(v.looseObject({ slot: text, unlisted: v.optional(v.array(text)) })),
    }),
  ),
});

function isFactsHead(value: unknown): value is FactsHead {
  return v.is(factsHead, value);
}

async function readLines<Line>(
  store: Store,
  run: PublishedRun,
  name: string,
  isLine: (value: unknown) => value is Line,
  share: (line: Line) => Line,
): Promise<Line[]> {
  const { key, body } = await readRunFile(store, run, name);
  const read: Line[] = [];
  for await (const lines of unpackLines(body, key)) {
    if (!lines.every(isLine)) {
      throw createDamageError(key, 'it has not the shape of facts');
    }
    read.push(...lines.map(share));
  }
  return read;
}

export function findRunFile(run: PublishedRun, name: string): FileEntry | undefined {
  const folder = toAttemptFolder(run.commit.slot, run.commit.attempt);
  return run.commit.files.find((file) => file.key === `${folder}${name}`);
}

export function requireRunFile(run: PublishedRun, name: string): FileEntry {
  return findRunFile(run, name) ?? refuseDamaged(toCommitKey(run.commit.number), `it does not name ${name}`);
}

/** Reads one of the run's files, by its name in the run's folder. */
export async function readRunFile(
  store: Store,
  run: PublishedRun,
  name: string,
): Promise<{ key: string; body: Buffer }> {
  const entry = requireRunFile(run, name);
  return { key: entry.key, body: await readChecked(store, entry.key, entry.sha256, entry.bytes) };
}

/** Reads a file; throws unless its bytes are those that were published. */
async function readChecked(store: Store, key: string, expected: string, bytes?: number): Promise<Buffer> {
  const body = await store.read(key, bytes);
  if (body === undefined) {
    throw createDamageError(key, `it is missing from ${store.name}`);
  }
  if (computeSha256(body) !== expected) {
    throw createDamageError(key, 'its SHA-256 is not the one that was published');
  }
  return body;
}

/** Streams a file; throws at the end unless its bytes are those that were published. */
export async function* streamChecked(store: Store, { key, bytes, sha256 }: FileEntry): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const piece of store.stream(key, bytes)) {
    hash.update(piece);
    yield piece;
  }
  if (hash.digest('hex') !== sha256) {
    throw createDamageError(key, 'its SHA-256 is not the one that was published');
  }
}

export function refuseDamaged(key: string, why: string): never {
  throw createDamageError(key, why);
}
