/** What happened to runs, judged apart from machines: which runs are kept, and alerts about channels, the store and clocks. */
import { omitUndefined } from '../../base/omit-undefined.ts';
import { reconcileAll } from '../../core/alerts/decide-alerts.ts';
import type { Facts } from '../../core/facts/facts.ts';
import type { Night } from '../../core/facts/judged.ts';
import type { State } from '../../core/facts/state.ts';
import type { MachineJudgement } from '../../core/judge.ts';
import { decideKeptRuns } from './kept-runs.ts';
import { decideOperationsAlerts, listFailedRunAlerts } from './operations-alerts.ts';
import { endRetractedAlerts } from './retracted-alerts.ts';

/** The judged night with what happened to runs: their events follow those of machines. */
export function judgeOperations(judged: MachineJudgement, facts: Facts, previous: State | undefined): Night {
  const { state } = judged;
  const { slot, retracts } = facts;
  const runs = decideKeptRuns(facts, facts);
  const conditions = decideOperationsAlerts(facts, runs.heldBack, slot);
  const open = [...(state.told ?? []), ...listFailedRunAlerts(facts)];
  const { events: added, alertStates, reminded } = reconcileAll(conditions, open, facts, previous);
  const lastReminded = reminded === slot ? reminded : state.reminded;
  const decided = { events: [...judged.events, ...added], told: alertStates };
  const { events, told } = retracts === undefined ? decided : endRetractedAlerts(decided, slot, retracts);
  return {
    ...judged,
    muster: facts.muster,
    events,
    state: { ...state, runs, told, ...omitUndefined({ reminded: lastReminded }) },
  };
}
