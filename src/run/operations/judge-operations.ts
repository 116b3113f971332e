/** What happened to runs, judged apart from machines: which runs are kept, and alerts about channels, the store and clocks. */
import { omitUndefined } from '../../base/omit-undefined.ts';
import { reconcileAll } from '../../core/alerts/decide-alerts.ts';
import type { Facts } from '../../core/facts/facts.ts';
import type { Night } from '../../core/facts/judged.ts';
import type { State } from '../../core/facts/state.ts';
import type { MachineJudgement } from '../../core/judge.ts';
import { decideKeptRuns } from './kept-runs.ts';
import { decideOperationsAlerts, listFailedRunAlerts } from './operations-alerts.ts';

/** The judged night with what happened to runs: their events follow those of machines. */
export function judgeOperations(judged: MachineJudgement, facts: Facts, previous: State | undefined): Night {
  const { state, events } = judged;
  const keptRuns = decideKeptRuns(previous, facts, facts);
  const conditions = decideOperationsAlerts(facts, keptRuns.heldBack, facts.slot);
  const open = [...(state.told ?? []), ...listFailedRunAlerts(facts)];
  const { events: added, alertStates, reminded } = reconcileAll(conditions, open, facts, previous);
  const lastReminded = reminded === facts.slot ? reminded : state.reminded;
  return {
    ...judged,
    muster: facts.muster,
    events: [...events, ...added],
    state: { ...state, ...keptRuns, told: alertStates, ...omitUndefined({ reminded: lastReminded }) },
  };
}
