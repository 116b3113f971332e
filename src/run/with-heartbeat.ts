/** A run that is noticed from outside: a heartbeat around it, and word through every channel when it fails. */

import { type HeartbeatSignal, sendHeartbeat } from '../alerts/delivery/heartbeat.ts';
import { reportFailure } from '../alerts/delivery/report-failure.ts';
import { type ErrorCode, type MusterError, toMusterError } from '../errors.ts';
import type { Parts, RunOutcome } from '../night.ts';

export interface HeartbeatOptions {
  readonly agent: string;
  readonly slot: string;
  /** Milliseconds that may be spent on telling that the run failed. */
  readonly failureNoticeBudget?: () => number;
  /** Told why nobody outside heard: no reason to fail a night. */
  readonly warn?: (error: MusterError) => void;
}

const maximumFailureNoticeBudget = 10_000;
/** A person asked for something that is not to be had, or stopped it: they know. */
const unreportedErrorCodes: ReadonlySet<ErrorCode> = new Set(['slot-refused', 'stopped']);

export async function withHeartbeat(
  run: () => Promise<RunOutcome>,
  { store, alerts }: Pick<Parts, 'store' | 'alerts'>,
  { agent, slot, failureNoticeBudget: farewell, warn }: HeartbeatOptions,
): Promise<RunOutcome> {
  const left = () => Math.min(maximumFailureNoticeBudget, farewell?.() ?? maximumFailureNoticeBudget);
  const pulse = async (what: HeartbeatSignal) => {
    if (alerts?.heartbeat === undefined) {
      return;
    }
    const failure = await sendHeartbeat(alerts.heartbeat, what, left());
    if (failure !== undefined) {
      warn?.(failure);
    }
  };
  await pulse('start');
  let outcome: RunOutcome;
  try {
    outcome = await run();
  } catch (cause) {
    const error = toMusterError(cause, 'The run');
    const patience = left();
    const tell = alerts !== undefined && !unreportedErrorCodes.has(error.code) && patience > 0;
    await Promise.all([pulse('fail'), tell && reportFailure({ agent, slot, error, store, patience }, alerts)]);
    throw cause;
  }
  const what = chooseHeartbeatSignal(outcome);
  if (what !== undefined) {
    await pulse(what);
  }
  return outcome;
}

/** Nothing for a night that somebody else publishes and delivers just now: their run says how that ends. */
function chooseHeartbeatSignal({ did, delivery, unfinished }: RunOutcome): HeartbeatSignal | undefined {
  if (unfinished !== undefined || (delivery !== undefined && delivery.undelivered.length > 0)) {
    return 'fail';
  }
  return did === 'superseded' && delivery === undefined ? undefined : 'success';
}
