/** Judges what happened to runs, apart from machines: the runs to keep, and alerts about channels, the store and clocks. */

import { omitUndefined } from '../../base/omit-undefined.ts';
import { reconcileAlerts } from '../../core/alerts/reconcile.ts';
import type { Facts } from '../../core/facts/facts.ts';
import type { Night } from '../../core/facts/judged.ts';
import type { State } from '../../core/facts/state.ts';
import type { MachineJudgement } from '../../core/judge.ts';
import { decideKeptRuns } from './kept-runs.ts';
import { decideOperationsAlerts, listFailedRunAlerts } from './operations-alerts.ts';
import { listOperationsNotices } from './operations-notices.ts';

/** Completes the judged night with the facts about runs; their events follow those of machines. */
export function judgeOperations(
  { verdicts, ...judged }: MachineJudgement,
  facts: Facts,
  previous: State | undefined,
): Night {
  const { state } = judged;
  const { slot, retracts } = facts;
  const runs = decideKeptRuns(facts, facts);
  const news = listOperationsNotices(facts, runs.heldBack);
  const rules = [...verdicts.rules, ...decideOperationsAlerts(facts)];
  // A republished run does not send again the notices of its first publication.
  const isRepeated = retracts !== undefined;
  const notices = isRepeated ? news : [...verdicts.notices, ...news];
  const noticed = isRepeated ? verdicts.notices.map(({ key }) => key) : (facts.noticed ?? []);
  const { events, open, ...after } = reconcileAlerts(
    { rules, notices },
    {
      slot,
      number: (facts.runsBefore?.kept.at(-1)?.number ?? 0) + 1,
      open: [...(facts.openAlerts ?? previous?.openAlerts ?? []), ...listFailedRunAlerts(facts)],
      noticed,
      reminded: previous?.reminded,
      retracts,
    },
  );
  const sent = after.noticed.length > 0 && { noticed: after.noticed };
  const memory = { openAlerts: open, ...sent, ...omitUndefined({ reminded: after.reminded }) };
  return { ...judged, muster: facts.muster, events, state: { ...state, runs, ...memory } };
}
