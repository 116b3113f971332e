/** Reports a run to the outside: heartbeats around it, and a message through every channel when it fails. */

import { type Heartbeat, type HeartbeatSignal, sendHeartbeat } from '../../alerts/delivery/heartbeat.ts';
import { reportFailure } from '../../alerts/delivery/report-failure.ts';
import { type ErrorCode, type MusterError, toMusterError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { verifyRuns } from '../../storage/verify/verify.ts';
import type { FinishParts } from '../finish-run.ts';
import type { RunOutcome } from '../outcome.ts';
import type { Parts } from '../parts.ts';
import { logVerification } from './log-progress.ts';

export interface HeartbeatOptions {
  readonly agent: string;
  readonly slot: string;
  /** Milliseconds that reporting a failed run may take. */
  readonly failureNoticeBudget?: () => number;
  /** Called with the reason when a heartbeat failed, which does not fail the run. */
  readonly warn?: (error: MusterError) => void;
}

const maximumFailureNoticeBudget = 10_000;
/** Errors that are not reported, because the person who chose the slot or stopped the run sees them. */
const unreportedErrorCodes: ReadonlySet<ErrorCode> = new Set(['slot-refused', 'stopped']);

export async function withHeartbeat(
  run: () => Promise<RunOutcome>,
  { store, alerts }: Pick<Parts, 'store' | 'alerts'>,
  { agent, slot, failureNoticeBudget = () => maximumFailureNoticeBudget, warn }: HeartbeatOptions,
): Promise<RunOutcome> {
  const computeBudget = () => Math.min(maximumFailureNoticeBudget, failureNoticeBudget());
  const ping = async (what: HeartbeatSignal) => {
    if (alerts?.heartbeat === undefined) {
      return;
    }
    const failure = await sendHeartbeat(alerts.heartbeat, what, computeBudget());
    if (failure !== undefined) {
      warn?.(failure);
    }
  };
  await ping('start');
  let outcome: RunOutcome;
  try {
    outcome = await run();
  } catch (cause) {
    const error = toMusterError(cause, 'The run');
    const timeLimit = computeBudget();
    const isReported = alerts !== undefined && !unreportedErrorCodes.has(error.code) && timeLimit > 0;
    await Promise.all([ping('fail'), isReported && reportFailure({ agent, slot, error, store, timeLimit }, alerts)]);
    throw cause;
  }
  const what = chooseHeartbeatSignal(outcome, alerts?.heartbeat?.failsOn);
  if (what !== undefined) {
    await ping(what);
  }
  return outcome;
}

/** Verifies the store of one machine each week: logs the result, and fails the heartbeat if anything is damaged. */
export async function verifyAndReport({ store, audit, alerts, signing }: FinishParts, log: Log): Promise<void> {
  const verification = await verifyRuns(store, { audit, keys: await signing?.readKeys() });
  logVerification(verification, log);
  if (verification.damage.length > 0 && alerts?.heartbeat !== undefined) {
    await sendHeartbeat(alerts.heartbeat, 'fail', maximumFailureNoticeBudget);
  }
}

/** The signal after a run; undefined where another run publishes and delivers this slot and sends its own. */
function chooseHeartbeatSignal(
  { did, delivery, unfinished, isUnsound }: RunOutcome,
  failsOn: Heartbeat['failsOn'] = ['undelivered'],
): HeartbeatSignal | undefined {
  const isUndelivered = delivery !== undefined && delivery.undelivered.length > 0;
  if (
    unfinished !== undefined ||
    (isUndelivered && failsOn.includes('undelivered')) ||
    (isUnsound === true && failsOn.includes('unsound'))
  ) {
    return 'fail';
  }
  return did === 'superseded' && delivery === undefined ? undefined : 'success';
}
