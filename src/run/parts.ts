/** The parts from which a run is made, and the request for one. */

import type { RulesTable } from '../core/facts/rules.ts';
import type { Report } from '../reports/report.ts';
import type { Table } from '../reports/table.ts';
import type { Slot } from '../settings/schedule/schedule.ts';
import type { FinishParts } from './finish-run.ts';
import type { GatherOptions, RunContext } from './gather.ts';

export interface Parts extends GatherOptions, FinishParts {
  readonly tables: readonly Table[];
  readonly reports?: readonly Report[];
  readonly rules: RulesTable;
}

export interface RunRequest extends Slot {
  /** Reads the facts of the run besides its sources' answers. */
  readonly readRunContext: () => Promise<Omit<RunContext, 'slot' | 'moment' | 'accepted'>>;
  /** True to gather and judge without writing anything. */
  readonly dryRun?: boolean;
}
