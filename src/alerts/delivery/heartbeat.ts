/**
 * The heartbeat: Muster pings an outside monitor when a run starts, succeeds or fails; the monitor alerts when no ping
 * comes. It uses `<url>/start`, `<url>` and `<url>/fail`, as documented at https://healthchecks.io/docs/http_api/. It
 * never fails a run, and its time is bounded.
 */
import { type MusterError, toMusterError } from '../../base/errors.ts';
import type { Clock } from '../../http/clock.ts';
import type { SecretProvider } from '../../http/secrets.ts';
import { sendHttpMessage } from '../channels/http-message.ts';

export type HeartbeatSignal = 'start' | 'success' | 'fail';

export interface Heartbeat {
  readonly url: SecretProvider;
  readonly clock: Clock;
  /** Outcomes to report as failures, besides failed runs and unfinished housekeeping. */
  readonly failsOn?: readonly ('unsound' | 'undelivered')[];
}

/** Sends a ping; returns the error if the monitor did not receive it, otherwise undefined. */
export async function sendHeartbeat(
  { url, clock }: Heartbeat,
  what: HeartbeatSignal,
  timeLimit: number,
): Promise<MusterError | undefined> {
  const signal = AbortSignal.timeout(Math.max(0, Math.round(timeLimit)));
  const address = (base: URL) => {
    const at = new URL(base);
    if (what !== 'success') {
      at.pathname = `${at.pathname.replace(/\/+$/, '')}/${what}`;
    }
    return at;
  };
  const to = { who: 'The heartbeat', url, idle: timeLimit / 2 };
  try {
    await sendHttpMessage(to, { method: 'GET', address }, { clock, signal, deadline: clock.elapsed() + timeLimit });
    return undefined;
  } catch (error) {
    return toMusterError(error, 'The heartbeat');
  }
}
