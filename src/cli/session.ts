/** What every command that runs a night needs: settings, parts, a deadline, and a polite stop. */
import { MusterError } from '../errors.ts';
import type { Watch } from '../gather.ts';
import { systemClock } from '../http/clock.ts';
import type { Parts } from '../night.ts';
import { secretReader } from '../secrets.ts';
import { type Loaded, loadSettings } from '../settings/load.ts';
import { wire } from '../wire.ts';

/** Longest time that the platforms may take on one machine; on Lambda it is what is left of the invocation. */
const patience = 2 * 60 * 60 * 1000;

export interface Session extends Loaded {
  readonly parts: Parts;
  /** Ends the timers and signal handlers. */
  close(): void;
}

export async function openSession(given: string | undefined, watch?: Watch): Promise<Session> {
  refuseBlindTrust();
  const loaded = await loadSettings(given, process.env, true);
  const controller = new AbortController();
  const stop = () => controller.abort(new MusterError('stopped', 'The run was stopped before anything was published.'));
  const timer = setTimeout(
    () => controller.abort(new MusterError('deadline', 'The platforms took too long.')),
    patience,
  );
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const parts = await wire(loaded.settings, {
    secret: secretReader(process.env),
    folder: loaded.folder,
    clock: systemClock,
    signal: controller.signal,
    deadline: systemClock.elapsed() + patience,
    ...(watch === undefined ? {} : { watch }),
  });
  return {
    ...loaded,
    parts,
    close: () => {
      clearTimeout(timer);
      process.off('SIGINT', stop).off('SIGTERM', stop);
    },
  };
}

/** When this process began, by the wall clock. */
export const processBegan = new Date(performance.timeOrigin);

/** Node would then take any certificate for the platforms', and hand them our credentials. */
function refuseBlindTrust(): void {
  if (process.env.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return;
  throw new MusterError(
    'settings-invalid',
    'NODE_TLS_REJECT_UNAUTHORIZED is 0, so no certificate would be checked. Unset it; use NODE_EXTRA_CA_CERTS for a private authority.',
  );
}
