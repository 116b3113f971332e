/** Reports of a kept run, made again from its facts and the state that it was compared with. */

import { MusterError } from '../base/errors.ts';
import type { RulesTable } from '../core/facts/rules.ts';
import { renderCsv } from '../reports/csv.ts';
import type { PublishedRun } from '../storage/commits/commit.ts';
import { findRun, readCurrentRun } from '../storage/commits/log.ts';
import type { Publication } from '../storage/runs/publish.ts';
import { readFacts } from '../storage/runs/run-files.ts';
import { readPreviousState } from '../storage/runs/run-state.ts';
import type { Store } from '../storage/store.ts';
import { judgeRun } from './judge-run.ts';

/** A kept run as it was judged: from its facts, and from what it was compared with. */
export async function judgeKeptRun(store: Store, slot: string | undefined, rules: RulesTable) {
  const { run } = await requireKeptRun(store, slot);
  return { run, ...(await judgeStoredRun(store, run, rules)) };
}

export async function judgeStoredRun(store: Store, run: PublishedRun, rules: RulesTable) {
  const facts = await readFacts(store, run);
  return { facts, night: judgeRun(facts, await readPreviousState(store, run), rules) };
}

/** The run of a slot, by default the last one, beside the one that stands. */
export async function requireKeptRun(store: Store, slot?: string) {
  const currentRun = await readCurrentRun(store);
  const run = slot === undefined ? currentRun : await findRun(store, currentRun, slot);
  if (currentRun !== undefined && run !== undefined) {
    return { currentRun, run };
  }
  const wanted = slot === undefined ? '' : ` for ${slot}`;
  throw new MusterError('night-unknown', `No run is published${wanted} in ${store.name}.`);
}

interface RebuildOptions extends Pick<Publication, 'tables' | 'reports'> {
  readonly target: Store;
  readonly rules: RulesTable;
}

/** `by` is the version of Muster that made the night. */
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
