/** The context of one run: its plan, its settings, and the rules that it keeps. */
import type { LogRules } from './rules.ts';
import type { RunPlan } from './schedule.ts';

export interface RunContext {
  readonly plan: RunPlan;
  /** Names the run in the schedule; its attempts are `<label>-1`, `<label>-2` and so on. */
  readonly label: string;
  readonly isSigned: boolean;
  readonly hasAudit: boolean;
  readonly rules: LogRules;
  /** Counts the attempts whose files the run began to write. */
  readonly attempts: { made: number };
}
