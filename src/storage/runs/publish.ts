/**
 * Publishing: an attempt writes below its own folder; then it creates the next commit. Until then nothing happened;
 * from then on the run stands, whatever becomes of the writer.
 */
import { randomBytes } from 'node:crypto';
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { Facts } from '../../core/facts/facts.ts';
import type { Night } from '../../core/facts/judged.ts';
import type { State } from '../../core/facts/state.ts';
import { renderCsv } from '../../reports/csv.ts';
import type { Report } from '../../reports/report.ts';
import type { Table } from '../../reports/table.ts';
import type { Commit, CurrentRun, FileEntry, PublishedRun, StoredCommit } from '../commits/commit.ts';
import { appendCommit } from '../commits/log.ts';
import { toAttemptFolder, toAttemptName } from '../keys.ts';
import type { Signer } from '../signing/signer.ts';
import type { Body, Store } from '../store.ts';
import { serializeRecord } from '../stored-json.ts';
import { toLedgerLine } from './ledger-lines.ts';
import { type Outbox, serializeOutbox } from './outbox-record.ts';
import { packJson, packLines } from './pack.ts';
import { listFactsRows, requireRunFile, streamChecked, toFactsHead } from './run-files.ts';
import { type StateHead, stateFiles, toStateHead } from './state-files.ts';

export interface Publication {
  readonly facts: Facts;
  readonly night: Night;
  /** The state that the run was compared with; its ledger is copied from where it lies. */
  readonly before: StateHead | undefined;
  readonly tables: readonly Table[];
  readonly reports?: readonly Report[];
  readonly outbox: Outbox;
  /** What stood published when this night was begun. */
  readonly currentRun: CurrentRun | undefined;
  /** `nameAttempt` makes it. */
  readonly attempt: string;
  /** When it is published. */
  readonly at: Date;
  readonly signer?: Signer | undefined;
}

/** A new name, for an attempt that begins now. */
export function nameAttempt(now: Date): string {
  return toAttemptName(now, randomBytes(4).toString('hex'));
}

/** False when somebody else created the next commit. */
export async function publish(store: Store, publication: Publication): Promise<boolean> {
  const { facts, night, before, attempt, currentRun, at } = publication;
  const files = await writeFiles(store, publication);
  const body: CommitBody = {
    kind: 'run',
    at: at.toISOString(),
    slot: night.slot,
    attempt,
    replaces: currentRun?.commit.slot === night.slot ? currentRun.commit.attempt : undefined,
    moment: facts.moment,
    muster: facts.muster,
    exit: decideExitCode(night),
    sources: night.sources.map(({ name, soundness, receipt }) => ({ name, soundness, receipt })),
    files,
    keptFrom: findRemovedUpTo(night.state, before),
  };
  return commitNext(store, body, currentRun?.head, publication);
}

/** The first slot that is kept, where the run removes one before it. */
function findRemovedUpTo({ published: [oldest = ''] }: State, before: StateHead | undefined): string | undefined {
  return before?.published.some((slot) => slot < oldest) ? oldest : undefined;
}

/**
 * One more commit names the run that stands again. It has no files, and the exit and the moment of that run. False when
 * somebody else created the next commit.
 */
export function retract(
  store: Store,
  { commit, head }: CurrentRun,
  before: PublishedRun,
  retraction: Pick<Commit, 'at' | 'attempt' | 'muster' | 'by' | 'why'> & Pick<Publication, 'signer'>,
): Promise<boolean> {
  const { moment, exit, number: stands } = before.commit;
  const { at, attempt, muster, by, why, signer } = retraction;
  const { slot } = commit;
  const kind = 'retraction';
  const body: CommitBody = { kind, at, slot, attempt, moment, muster, exit, sources: [], files: [], stands, by, why };
  return commitNext(store, body, head, { signer });
}

/** What a commit says of itself, in the order of its fields; the log says the rest. */
type CommitBody = Pick<
  Commit,
  'kind' | 'at' | 'slot' | 'attempt' | 'moment' | 'muster' | 'exit' | 'sources' | 'files'
> & { readonly [Name in 'replaces' | 'keptFrom' | 'stands' | 'by' | 'why']?: Commit[Name] | undefined };

async function commitNext(
  store: Store,
  { keptFrom = '', stands, by, why, ...body }: CommitBody,
  head: StoredCommit | undefined,
  { signer }: Pick<Publication, 'signer'>,
): Promise<boolean> {
  const { number: last = 0, store: id, keptFrom: keptBefore = '', signedSince } = head?.commit ?? {};
  const number = last + 1;
  const kept = keptFrom > keptBefore ? keptFrom : keptBefore;
  const commit: Commit = omitUndefined({
    schema: 1 as const,
    store: id ?? randomBytes(16).toString('hex'),
    number,
    ...body,
    keptFrom: kept === '' ? undefined : kept,
    stands: stands ?? number,
    previous: head === undefined ? null : { number: last, sha256: head.sha256 },
    by,
    why,
    signedSince: signedSince ?? (signer && number),
  });
  const signature = await signer?.sign(serializeRecord(commit));
  return appendCommit(store, { ...commit, ...omitUndefined({ signature }) });
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
  await write('facts/night.json.gz', packJson(toFactsHead(facts)));
  if (before !== undefined && currentRun !== undefined) {
    await write(stateFiles.previous.head, packJson(before));
    const kept = currentRun.commit.slot === facts.slot ? stateFiles.previous : stateFiles.next;
    // The bytes as the current run holds them.
    await write(stateFiles.previous.ledger, streamChecked(store, requireRunFile(currentRun, kept.ledger)));
  }
  for (const [name, rows] of listFactsRows(facts)) {
    await write(name, packLines(rows));
  }
  for (const table of tables) {
    let rows = 0;
    const onRows = (count: number) => {
      rows = count;
    };
    await write(`reports/${table.name}.csv`, renderCsv(table, night, onRows), () => rows);
  }
  for (const report of reports) {
    await write(`reports/${report.file}`, report.render(night));
  }
  await write(stateFiles.next.head, packJson(toStateHead(night.state)));
  await write(stateFiles.next.ledger, packLines(Iterator.from(night.state.ledger).map(toLedgerLine)));
  await write('outbox.json', serializeOutbox(outbox));
  return files;
}
