/**
 * Publishing: an attempt writes below its own folder; then it creates the next commit. Until then nothing happened;
 * from then on the run stands, whatever becomes of the writer.
 */
import { randomBytes } from 'node:crypto';
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { Facts } from '../../core/facts/facts.ts';
import type { Night } from '../../core/facts/judged.ts';
import { renderCsv } from '../../reports/csv.ts';
import type { Report } from '../../reports/report.ts';
import type { Table } from '../../reports/table.ts';
import type { Commit, FileEntry, PublishedRun } from '../commits/commit.ts';
import { type CommitBody, createCommit, makeNextCommit } from '../commits/create-commit.ts';
import type { LogTrust } from '../commits/head.ts';
import { toAttemptFolder, toAttemptName } from '../keys.ts';
import type { Signing } from '../signing/signing.ts';
import type { Body, Store } from '../store.ts';
import { eventsFile, type RunEvents, serializeEvents } from './events-record.ts';
import { toLedgerLine } from './ledger-lines.ts';
import { packJson, packLines } from './pack.ts';
import { listFactsRows, streamChecked, toFactsHead } from './run-files.ts';
import { type StateHead, stateFiles, toStateHead } from './state-files.ts';

export interface Publication {
  readonly facts: Facts;
  readonly night: Night;
  /** The state that the run was compared with, and where its ledger lies; undefined on a first run. */
  readonly before: PreviousState | undefined;
  readonly tables: readonly Table[];
  readonly reports?: readonly Report[];
  readonly events: RunEvents;
  /** The checked commit that this run builds on. */
  readonly head: PublishedRun | undefined;
  /** The run whose slot is judged once more, and whose place this one takes. */
  readonly repeated?: PublishedRun | undefined;
  /** The decision of a person that it carries out. */
  readonly correction?: Pick<Commit, 'retracts' | 'accepts' | 'prunes'> | undefined;
  /** `nameAttempt` makes it. */
  readonly attempt: string;
  /** When it is published. */
  readonly at: Date;
  readonly signing?: Signing | undefined;
}

export interface PreviousState {
  readonly state: StateHead;
  readonly ledger: FileEntry;
}

/** A new name, for an attempt that begins now. */
export function nameAttempt(now: Date): string {
  return toAttemptName(now, randomBytes(4).toString('hex'));
}

/** The commit that follows the head now: this run's, or, checked, the one of another run that took its place. */
export async function publish(
  store: Store,
  publication: Publication,
  trust: LogTrust,
): Promise<{ readonly run: PublishedRun } | { readonly taken: PublishedRun }> {
  const { facts, night, attempt, head, repeated, correction, at, signing } = publication;
  const files = await writeFiles(store, publication);
  const body: CommitBody = {
    at: at.toISOString(),
    slot: night.slot,
    attempt,
    moment: facts.moment,
    muster: facts.muster,
    exit: decideExitCode(night),
    sources: night.sources.map(({ name, soundness, receipt }) => ({ name, soundness, receipt })),
    files,
    keptFrom: findKeptFrom(night),
    replaces: repeated?.commit.attempt,
    ...correction,
  };
  const next = await makeNextCommit(body, head, signing);
  const created = await createCommit(store, next, head, trust);
  return created.sha256 === next.sha256 ? { run: created } : { taken: created };
}

/** The first slot that is kept, where the run lets one before it go. */
function findKeptFrom({ slot, state: { runs } }: Pick<Night, 'slot' | 'state'>): string | undefined {
  return runs.owed?.some(({ work }) => work === 'remove') ? (runs.kept[0]?.slot ?? slot) : undefined;
}

/** 0 when every source is complete, otherwise 3. */
export function decideExitCode(night: Pick<Night, 'sources'>): 0 | 3 {
  return night.sources.every((source) => source.soundness === 'complete') ? 0 : 3;
}

async function writeFiles(
  store: Store,
  { attempt, facts, night, before, tables, reports = [], events }: Publication,
): Promise<FileEntry[]> {
  const folder = toAttemptFolder(night.slot, attempt);
  const files: FileEntry[] = [];
  const write = async (name: string, body: Body, countRows?: () => number) => {
    const key = `${folder}${name}`;
    const digest = await store.create(key, body);
    files.push({ key, ...digest, ...omitUndefined({ rows: countRows?.() }) });
  };
  await write('facts/night.json.gz', packJson(toFactsHead(facts)));
  if (before !== undefined) {
    await write(stateFiles.previous.head, packJson(before.state));
    // The bytes as an earlier run holds them.
    await write(stateFiles.previous.ledger, streamChecked(store, before.ledger));
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
  await write(eventsFile, serializeEvents(events));
  return files;
}
