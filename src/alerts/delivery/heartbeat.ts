/**
 * The heartbeat: somebody outside is told that a night began, is done, or failed, and gives the alarm when they hear
 * nothing. `<url>/start`, `<url>`, `<url>/fail`, as https://healthchecks.io/docs/http_api/ has them. It never fails a
 * run, and nobody waits long for it.
 */
import { type MusterError, toMusterError } from '../../errors.ts';
import type { Clock } from '../../http/clock.ts';
import { type SecretProvider, sendHttpMessage } from '../channels/http-message.ts';

export type HeartbeatSignal = 'start' | 'success' | 'fail';

export interface Heartbeat {
  readonly url: SecretProvider;
  readonly clock: Clock;
}

/** Why nobody outside heard it, or undefined. */
export async function sendHeartbeat(
  { url, clock }: Heartbeat,
  what: HeartbeatSignal,
  patience: number,
): Promise<MusterError | undefined> {
  const signal = AbortSignal.timeout(Math.max(0, Math.round(patience)));
  const address = (base: URL) => {
    const at = new URL(base);
    if (what !== 'success') {
      at.pathname = `${at.pathname.replace(/\/+$/, '')}/${what}`;
    }
    return at;
  };
  const to = { who: 'The heartbeat', url, idle: patience / 2 };
  try {
    await sendHttpMessage(to, { method: 'GET', address }, { clock, signal, deadline: clock.elapsed() + patience });
    return undefined;
  } catch (error) {
    return toMusterError(error, 'The heartbeat');
  }
}
