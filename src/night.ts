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
  // Checks the newest commit once; the run builds on that one alone.
  const head = await readHead(parts);
  const runAgain = { slot: request.slot, run: () => runNight(request, parts) };
  const run = async () => {
    // Finishes an earlier run's housekeeping first. A slot that is published and complete is left as it is.
    const begun = await beginRun(request, head, parts);
    if ('outcome' in begun) {
      return begun.outcome;
    }

    // Asks all sources at once. A missing answer is a fact too, kept beside the source's last whole answer.
    const facts = await gather(parts, begun.runContext, begun);

    // Applies every rule about machines, groups, soundness and alerts, from the facts and the ledger alone. Pure.
    const judged = await judgeFacts(facts, begun, parts);

    // Writes the files, then publishes them with one commit. A run that loses the race changes nothing.
    const published = await publishIfBetter(judged, request, parts);

    // Makes copies for readers, sends messages, audits, applies retention; the next run finishes what is left.
    return finishPublished(published, parts);
  };
  return settleRace(head, parts, run, runAgain);
}
