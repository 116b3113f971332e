/** Makes the reports of a kept run again, from its facts and the state with which it was compared. */

import { MusterError } from '../base/errors.ts';
import type { RulesTable } from '../core/facts/rules.ts';
import { renderCsv } from '../reports/csv.ts';
import type { PublishedRun } from '../storage/commits/commit.ts';
import { readCurrentRun, readKeptRun } from '../storage/commits/log.ts';
import type { Publication } from '../storage/runs/publish.ts';
import { readFacts } from '../storage/runs/run-files.ts';
import { readPreviousState, readStateHead } from '../storage/runs/run-state.ts';
import type { Store } from '../storage/store.ts';
import { judgeRun } from './judge-run.ts';

/** Judges a kept run again from its facts and the state with which it was compared. */
export async function judgeKeptRun(store: Store, slot: string | undefined, rules: RulesTable) {
  const { run } = await requireKeptRun(store, slot);
  return { run, ...(await judgeStoredRun(store, run, rules)) };
}

async function judgeStoredRun(store: Store, run: PublishedRun, rules: RulesTable) {
  const facts = await readFacts(store, run);
  return { facts, night: judgeRun(facts, await readPreviousState(store, run), rules) };
}

/** The run of a slot, by default the current one. Throws where there is none. */
export async function requireKeptRun(store: Store, slot?: string): Promise<{ readonly run: PublishedRun }> {
  const current = await readCurrentRun(store);
  const run =
    current && (slot === undefined || slot === current.commit.slot ? current : await findRun(store, current, slot));
  if (run !== undefined) {
    return { run };
  }
  const wanted = slot === undefined ? '' : ` for ${slot}`;
  throw new MusterError('night-unknown', `No run is published${wanted} in ${store.name}.`);
}

/** Undefined where no run of this slot is kept. */
async function findRun(store: Store, current: PublishedRun, slot: string): Promise<PublishedRun | undefined> {
  const { runs } = await readStateHead(store, current);
  const kept = runs.kept.find((run) => run.slot === slot);
  return kept && readKeptRun(store, kept);
}

interface RebuildOptions extends Pick<Publication, 'tables' | 'reports'> {
  readonly target: Store;
  readonly rules: RulesTable;
}

/** Rebuilds the reports; `by` is the version of Muster that does so. */
export async function rebuildRun(
  store: Store,
  slot: string,
  { target, tables, reports = [], rules }: RebuildOptions,
): Promise<{ by: string; files: string[] }> {
  const { facts, night } = await judgeKeptRun(store, slot, rules);
  const files: string[] = [];
  for (const table of tables) {
    const file = `${table.name}.csv`;
    await target.put(file, renderCsv(table, night));
    files.push(file);
  }
  for (const { file, render } of reports) {
    await target.put(file, render(night));
    files.push(file);
  }
  return { by: facts.muster, files };
}
