/** Reports of a kept night, made again from its facts and what it was compared with. Pure judgement in between. */
import { judge } from '../../core/judge.ts';
import type { RulesTable } from '../../core/rules.ts';
import { MusterError } from '../../errors.ts';
import { csv } from '../../reports/csv.ts';
import type { Report } from '../../reports/report.ts';
import type { Table } from '../../reports/table.ts';
import type { Store } from '../store.ts';
import { readBefore, readFacts, readStanding, runOf } from './published-runs.ts';

interface Rebuilding {
  readonly target: Store;
  readonly tables: readonly Table[];
  readonly reports?: readonly Report[];
  readonly rules: RulesTable;
}

/** `by` is the version of Muster that made the night. */
export async function rebuildNight(
  store: Store,
  slot: string,
  rebuilding: Rebuilding,
): Promise<{ by: string; files: string[] }> {
  const run = await runOf(store, await readStanding(store), slot);
  if (run === undefined) throw new MusterError('night-unknown', `No night is published for ${slot} in ${store.name}.`);
  const facts = await readFacts(store, run);
  const night = judge(facts, await readBefore(store, run), rebuilding.rules);
  const files: string[] = [];
  for (const table of rebuilding.tables) {
    const file = `${table.name}.csv`;
    await rebuilding.target.put(file, csv(table, night));
    files.push(file);
  }
  for (const report of rebuilding.reports ?? []) {
    await rebuilding.target.put(report.file, report.render(night));
    files.push(report.file);
  }
  return { by: facts.muster, files };
}
