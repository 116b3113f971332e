/** `muster rebuild DATE --to DIR`: makes the reports of a kept run again, from its facts alone. */

import { version } from '../base/version.ts';
import { openKeptStores, reports } from '../compose/parts.ts';
import { sourceRules } from '../compose/source-kinds.ts';
import { pluralize } from '../core/text/pluralize.ts';
import { tables } from '../reports/tables.ts';
import { rebuildRun } from '../run/rebuild.ts';
import { createFolderStore } from '../storage/folder/folder-store.ts';
import { type CommandOptions, printLines } from './console/session.ts';

interface RebuildOptions extends CommandOptions {
  readonly slot: string;
  readonly to: string;
}

export async function rebuildReports({ settings, slot, to }: RebuildOptions): Promise<number> {
  const { store } = await openKeptStores(settings, process.env);
  const target = createFolderStore(to);
  await target.probe();
  const { by, files } = await rebuildRun(store, slot, { target, tables, reports, rules: sourceRules });
  const rebuilt = `Rebuilt ${files.length} ${pluralize(files.length, 'report')} of ${slot} in ${to}.`;
  const differs = `Muster ${by} made them first, ${version} made them now: where the two versions judge differently, the reports differ.`;
  return printLines(by === version ? [rebuilt] : [rebuilt, differs]);
}
