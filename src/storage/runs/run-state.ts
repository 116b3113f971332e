/** Reads the state that a run left to the next one, and the one with which it was compared. */
import type { State } from '../../core/facts/state.ts';
import type { PublishedRun } from '../commits/commit.ts';
import type { Store } from '../store.ts';
import { refuseOtherSchema } from '../stored-json.ts';
import { readLedgerLines } from './ledger-lines.ts';
import { unpackJson, unpackLines } from './pack.ts';
import { findRunFile, readRunFile, refuseDamaged } from './run-files.ts';
import { type StateFiles, type StateHead, stateFiles } from './state-files.ts';
import { isStateHead } from './state-head.ts';

const stateSchema: State['schema'] = 7;

/** The state that the run left to the next one. */
export function readState(store: Store, run: PublishedRun): Promise<State> {
  return readStateFiles(store, run, stateFiles.next);
}

/** The state that the run left to the next one, without its ledger. */
export function readStateHead(store: Store, run: PublishedRun): Promise<StateHead> {
  return readHeadOf(store, run, stateFiles.next);
}

/** The state with which the run was compared, kept beside its facts to judge it again; undefined in a first run. */
export async function readPreviousState(store: Store, run: PublishedRun): Promise<State | undefined> {
  const { previous } = stateFiles;
  return findRunFile(run, previous.head) === undefined ? undefined : readStateFiles(store, run, previous);
}

/** The state with which the run was compared, without its ledger; undefined in a first run. */
export async function readPreviousStateHead(store: Store, run: PublishedRun): Promise<StateHead | undefined> {
  const { previous } = stateFiles;
  return findRunFile(run, previous.head) === undefined ? undefined : readHeadOf(store, run, previous);
}

async function readHeadOf(store: Store, run: PublishedRun, files: StateFiles): Promise<StateHead> {
  const { key, body } = await readRunFile(store, run, files.head);
  const value = await unpackJson(body, key);
  refuseOtherSchema(value, key, stateSchema);
  return isStateHead(value) ? value : refuseDamaged(key, 'it has not the shape of a state');
}

async function readStateFiles(store: Store, run: PublishedRun, files: StateFiles): Promise<State> {
  const head = await readHeadOf(store, run, files);
  const { key, body } = await readRunFile(store, run, files.ledger);
  return { ...head, ledger: await readLedgerLines(unpackLines(body, key), key) };
}
