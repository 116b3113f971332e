/** Carries out a person's decision about published runs from an event; `cli/corrections.ts` does so for a command line. */
import {
  acceptRun,
  describeHeldBackSlots,
  describeNothingHeldBack,
  findHeldBackRuns,
  pruneRuns,
} from '../run/corrections/republish.ts';
import { retractRun } from '../run/corrections/retract.ts';
import { createUnchangedOutcome, type RunOutcome } from '../run/outcome.ts';
import type { Parts } from '../run/parts.ts';
import type { RequestedCorrection } from './run-request.ts';

interface CorrectionContext {
  readonly parts: Parts;
  /** The setting `retention.nights`. */
  readonly keptNights: number;
  /** The person who decided. */
  readonly by: string;
}

interface Correction {
  /** Undefined where nothing is published. */
  readonly slot: string | undefined;
  readonly outcome: RunOutcome;
  /** A sentence that is true unless another run was published in the meantime. */
  readonly result: string;
}

export function correctRuns(request: RequestedCorrection, context: CorrectionContext): Promise<Correction> {
  switch (request.action) {
    case 'accept':
      return acceptSlot(request.slot, context);
    case 'retract':
      return retractSlot(request, context);
    case 'prune':
      return pruneStore(context);
  }
}

async function acceptSlot(slot: string, { parts, by }: CorrectionContext): Promise<Correction> {
  return { slot, outcome: await acceptRun(slot, by, parts), result: `The run of ${slot} is accepted and published.` };
}

async function retractSlot(
  { slot, why }: Extract<RequestedCorrection, { readonly action: 'retract' }>,
  { parts, by }: CorrectionContext,
): Promise<Correction> {
  const outcome = await retractRun({ slot, by, why }, parts);
  const { slot: current } = outcome.night ?? {};
  return { slot, outcome, result: `The run of ${slot} is retracted; the run of ${current} is the current run again.` };
}

async function pruneStore({ parts, keptNights, by }: CorrectionContext): Promise<Correction> {
  const found = await findHeldBackRuns(parts, keptNights);
  const slot = found?.head.run.commit.slot;
  const runs = describeHeldBackSlots(found);
  if (found === undefined || runs === undefined) {
    return {
      slot,
      outcome: found ? createUnchangedOutcome(found.head.run) : { exit: 0, did: 'unchanged', night: undefined },
      result: describeNothingHeldBack(parts.store, keptNights),
    };
  }
  return { slot, outcome: await pruneRuns(found, keptNights, by, parts), result: `No longer kept: ${runs}.` };
}
