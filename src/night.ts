/**
 * The whole way of a night, once, on one page:
 *
 *   facts = gather(sources)  →  night = judge(facts, ledger)  →  publish(night)  →  finish
 *
 * The ways to start it (CLI, schedule, Lambda) call `runNight` and decide nothing.
 */

import { beginRun } from './run/begin-run.ts';
import { gather } from './run/gather.ts';
import { readHead, settleRace } from './run/head.ts';
import { judgeFacts } from './run/judge-facts.ts';
import type { RunOutcome } from './run/outcome.ts';
import type { Parts, RunRequest } from './run/parts.ts';
import { finishPublished, publishIfBetter } from './run/publish-run.ts';

export async function runNight(request: RunRequest, parts: Parts): Promise<RunOutcome> {
  // The newest commit is checked once; the run builds on that one and no other.
  const head = await readHead(parts);
  const runAgain = { slot: request.slot, run: () => runNight(request, parts) };
  const run = async () => {
    // What an earlier run left undone comes first. A slot that is published and complete is left as it is.
    const begun = await beginRun(request, head, parts);
    if ('outcome' in begun) {
      return begun.outcome;
    }

    // The sources are asked, all at once. What they cannot answer is a fact too, beside their last whole answer.
    const facts = await gather(parts, begun.runContext, begun);

    // Pure: every rule about machines, groups, soundness and alerts, from the facts and the ledger alone.
    const judged = await judgeFacts(facts, begun, parts);

    // The files are written, then one commit publishes them. Whoever does not get there first changes nothing.
    const published = await publishIfBetter(judged, request, parts);

    // Copies for readers, messages, the audit, retention: what is left undone, the next run finishes.
    return finishPublished(published, parts);
  };
  return settleRace(head, parts, run, runAgain);
}
