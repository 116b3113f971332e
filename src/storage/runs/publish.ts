/**
 * Publishes a run: an attempt writes its files into its own folder, then creates the next commit. Before that, nothing
 * is published; afterwards the run is, even if its writer dies.
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
import { runSideBySide } from '../side-by-side.ts';
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
  /** The state with which the run was compared, and the place of its ledger; undefined in a first run. */
  readonly before: PreviousState | undefined;
  readonly tables: readonly Table[];
  readonly reports?: readonly Report[];
  readonly events: RunEvents;
  /** The checked commit on which this run builds. */
  readonly head: PublishedRun | undefined;
  /** The run that this one replaces, judged once more for the same slot. */
  readonly repeated?: PublishedRun | undefined;
  /** A person's decision that this run carries out. */
  readonly correction?: Pick<Commit, 'retracts' | 'accepts' | 'prunes'> | undefined;
  /** Name from `nameAttempt`. */
  readonly attempt: string;
  /** Time of the publication. */
  readonly at: Date;
  readonly signing?: Signing | undefined;
}

export interface PreviousState {
  readonly state: StateHead;
  readonly ledger: FileEntry;
}

/** Names an attempt that begins now. */
export function nameAttempt(now: Date): string {
  return toAttemptName(now, randomBytes(4).toString('hex'));
}

/** Publishes, and returns the commit that follows the head: this run's, or the checked one of another run that was first. */
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
    files: [...files],
    keptFrom: findKeptFrom(night),
    replaces: repeated?.commit.attempt,
    ...correction,
  };
  const next = await makeNextCommit(body, head, signing);
  const created = await createCommit(store, next, head, trust);
  return created.sha256 === next.sha256 ? { run: created } : { taken: created };
}

/** The first slot that is kept, where the run releases an earlier one. */
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
): Promise<readonly FileEntry[]> {
  const folder = toAttemptFolder(night.slot, attempt);
  const write = (name: string, render: () => Body, countRows?: () => number) => async (): Promise<FileEntry> => {
    const key = `${folder}${name}`;
    const digest = await store.create(key, render());
    return { key, ...digest, ...omitUndefined({ rows: countRows?.() }) };
  };
  const writeTable = (table: Table) => {
    let rows = 0;
    const onRows = (count: number) => {
      rows = count;
    };
    return write(
      `reports/${table.name}.csv`,
      () => renderCsv(table, night, onRows),
      () => rows,
    );
  };
  const { previous, next } = stateFiles;
  const files = [
    write('facts/night.json.gz', () => packJson(toFactsHead(facts))),
    ...(before === undefined
      ? []
      : [
          write(previous.head, () => packJson(before.state)),
          // Copies the bytes of an earlier run.
          write(previous.ledger, () => streamChecked(store, before.ledger)),
        ]),
    ...[...listFactsRows(facts)].map(([name, rows]) => write(name, () => packLines(rows))),
    ...tables.map(writeTable),
    ...reports.map((report) => write(`reports/${report.file}`, () => report.render(night))),
    write(next.head, () => packJson(toStateHead(night.state))),
    write(next.ledger, () => packLines(Iterator.from(night.state.ledger).map(toLedgerLine))),
    write(eventsFile, () => serializeEvents(events)),
  ];
  return runSideBySide(files, filesAtOnce);
}

/** Files written at once; more would need more memory for reports. */
const filesAtOnce = 2;
