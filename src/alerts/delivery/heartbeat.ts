/**
 * The heartbeat: a monitor outside is pinged when a run starts, succeeds or fails, and alerts when no ping comes.
 * `<url>/start`, `<url>`, `<url>/fail`, as https://healthchecks.io/docs/http_api/ documents them. It never fails a run,
 * and its time is bounded.
 */
import { type MusterError, toMusterError } from '../../base/errors.ts';
import type { Clock } from '../../http/clock.ts';
import type { SecretProvider } from '../../http/secrets.ts';
import { sendHttpMessage } from '../channels/http-message.ts';

export type HeartbeatSignal = 'start' | 'success' | 'fail';

export interface Heartbeat {
  readonly url: SecretProvider;
  readonly clock: Clock;
  /** What it reports as a failure, besides a run that failed and housekeeping that is not finished. */
  readonly failsOn?: readonly ('unsound' | 'undelivered')[];
}

/** Why the ping was not received, or undefined. */
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
