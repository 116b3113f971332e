/** Sending one payload, and whether the receiver may have it although it did not say so. */
import { MusterError, toMusterError } from '../../base/errors.ts';
import { startTimeLimit } from '../../base/time-limit.ts';
import { readNetworkCode } from '../../http/connection-failures.ts';
import { type Channel, type SendContext, sendTimeout } from '../channel.ts';

export interface SendFailure {
  readonly error: MusterError;
  /** The receiver certainly does not have the message. */
  readonly isRefused: boolean;
}

/** Undefined where the receiver has accepted the payload. */
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

/** The receiver answered no, or was never reached. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof MusterError)) {
    return false;
  }
  const { code, cause } = error;
  if (unknownOutcomes.has(code)) {
    return false;
  }
  // A sentence about waiting wraps the failure that was waited for.
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

/** The connection was never there. */
const unreached: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ERR_PROXY_TUNNEL',
]);
