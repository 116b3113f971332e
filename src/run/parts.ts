/** What a run is made with, and what somebody asks of it. */

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
  /** Facts of the night besides its sources' answers. */
  readonly readRunContext: () => Promise<Omit<RunContext, 'slot' | 'moment' | 'accepted'>>;
  /** Gather and judge, but write nothing. */
  readonly dryRun?: boolean;
}
