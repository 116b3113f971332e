/** Reports of a kept night, made again from its facts and what it was compared with. Pure judgement in between. */

import { MusterError } from '../../base/errors.ts';
import type { Facts } from '../../core/facts/facts.ts';
import type { Night } from '../../core/facts/judged.ts';
import type { RulesTable } from '../../core/facts/rules.ts';
import { judge } from '../../core/judge.ts';
import { renderCsv } from '../../reports/csv.ts';
import type { Report } from '../../reports/report.ts';
import type { Table } from '../../reports/table.ts';
import type { CurrentRun, PublishedRun } from '../commits/commit.ts';
import { findRun, readCurrentRun } from '../commits/log.ts';
import type { Store } from '../store.ts';
import { readFacts } from './run-files.ts';
import { readPreviousState } from './run-state.ts';

/** A kept run as it was judged: from its facts, and from what it was compared with. */
export async function judgeKeptNight(
  store: Store,
  slot: string | undefined,
  rules: RulesTable,
): Promise<{ run: PublishedRun; facts: Facts; night: Night }> {
  const { run } = await requireKeptRun(store, slot);
  return { run, ...(await judgeStoredRun(store, run, rules)) };
}

export async function judgeStoredRun(
  store: Store,
  run: PublishedRun,
  rules: RulesTable,
): Promise<{ facts: Facts; night: Night }> {
  const facts = await readFacts(store, run);
  return { facts, night: judge(facts, await readPreviousState(store, run), rules) };
}

/** The run of a slot, by default the last one, beside the one that stands. */
export async function requireKeptRun(
  store: Store,
  slot?: string,
): Promise<{ currentRun: CurrentRun; run: PublishedRun }> {
  const currentRun = await readCurrentRun(store);
  const run = slot === undefined ? currentRun : await findRun(store, currentRun, slot);
  if (currentRun !== undefined && run !== undefined) {
    return { currentRun, run };
  }
  const wanted = slot === undefined ? '' : ` for ${slot}`;
  throw new MusterError('night-unknown', `No run is published${wanted} in ${store.name}.`);
}

interface RebuildOptions {
  readonly target: Store;
  readonly tables: readonly Table[];
  readonly reports?: readonly Report[];
  readonly rules: RulesTable;
}

/** `by` is the version of Muster that made the night. */
export async function rebuildNight(
  store: Store,
  slot: string,
  rebuilding: RebuildOptions,
): Promise<{ by: string; files: string[] }> {
  const { facts, night } = await judgeKeptNight(store, slot, rebuilding.rules);
  const files: string[] = [];
  for (const table of rebuilding.tables) {
    const file = `${table.name}.csv`;
    await rebuilding.target.put(file, renderCsv(table, night));
    files.push(file);
  }
  for (const report of rebuilding.reports ?? []) {
    await rebuilding.target.put(report.file, report.render(night));
    files.push(report.file);
  }
  return { by: facts.muster, files };
}
