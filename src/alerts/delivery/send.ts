/** Sends one payload, and says whether the receiver may have it in spite of a failure. */
import { MusterError, toMusterError } from '../../base/errors.ts';
import { startTimeLimit } from '../../base/time-limit.ts';
import { readNetworkCode } from '../../http/connection-failures.ts';
import { type Channel, type SendContext, sendTimeout } from '../channel.ts';

export interface SendFailure {
  readonly error: MusterError;
  /** True where the receiver certainly does not have the message. */
  readonly isRefused: boolean;
}

/** Sends a payload; undefined where the receiver has accepted it. */
export async function sendToChannel(
  channel: Channel,
  payload: unknown,
  { key, clock, signal, attachment }: Pick<SendContext, 'key' | 'clock' | 'signal' | 'attachment'>,
  time = sendTimeout,
): Promise<SendFailure | undefined> {
  const late = `${channel.name} did not accept the message within ${time / 1000} s.`;
  using limit = startTimeLimit(time, new MusterError('request-timed-out', late));
  let isRefused = true;
  const onFailure = (error: unknown) => {
    isRefused &&= isRefusal(error);
  };
  try {
    const both = AbortSignal.any([signal, limit.signal]);
    const deadline = clock.elapsed() + time;
    await channel.send(payload, { key, clock, signal: both, deadline, attachment, onFailure });
    return undefined;
  } catch (cause) {
    onFailure(cause);
    return { error: toMusterError(cause, `Sending to ${channel.name}`), isRefused };
  }
}

/** Whether the receiver refused, or was never reached. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof MusterError)) {
    return false;
  }
  const { code, cause } = error;
  if (unknownOutcomes.has(code)) {
    return false;
  }
  // An error about waiting wraps the failure for which Muster waited.
  if (cause instanceof MusterError) {
    return isRefusal(cause);
  }
  return code !== 'request-failed' || cause === undefined || unreached.has(readNetworkCode(cause) ?? '');
}

const unknownOutcomes: ReadonlySet<string> = new Set([
  'request-timed-out',
  'channel-unanswered',
  'answer-unreadable',
  'answer-too-large',
  'deadline',
  'stopped',
  'unexpected',
]);

/** Codes of connections that were never established. */
const unreached: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ERR_PROXY_TUNNEL',
]);
