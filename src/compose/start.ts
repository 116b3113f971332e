/** What every way to start a night has in common: its settings, its parts, and the night itself. It decides nothing. */
import { MusterError } from '../errors.ts';
import { systemClock } from '../http/clock.ts';
import { type Outcome, type Parts, runNight } from '../night.ts';
import type { Gathering } from '../run/gather.ts';
import { frameOf } from '../run/run-context.ts';
import { type Noticing, noticed } from '../run/with-heartbeat.ts';
import type { Slot } from '../settings/schedule.ts';
import { type Loaded, loadSettings } from './load-settings.ts';
import { wire } from './parts.ts';
import { secretReader } from './secrets.ts';

export interface Started extends Loaded {
  readonly parts: Parts;
}

interface Starting extends Pick<Gathering, 'signal' | 'watch'> {
  /** The settings that the command line names. */
  readonly given?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** On the clock's `elapsed` scale. */
  readonly deadline: number;
}

export async function start({ given, environment, ...bounds }: Starting): Promise<Started> {
  refuseBlindTrust(environment);
  const loaded = await loadSettings(given, environment, true);
  const { settings, folder } = loaded;
  const parts = await wire(settings, { ...bounds, secret: secretReader(environment), folder, clock: systemClock });
  return { ...loaded, parts };
}

export async function nightOf(
  { settings, folder, parts }: Started,
  slot: Slot,
  options: { readonly began: Date; readonly dryRun: boolean } & Pick<Noticing, 'farewell' | 'warn'>,
): Promise<Outcome> {
  const { began, dryRun, ...noticing } = options;
  const run = () => runNight({ ...slot, began, dryRun, frame: () => frameOf(settings, folder) }, parts);
  if (dryRun) return run();
  const probed = async () => {
    await parts.store.probe();
    return run();
  };
  return noticed(probed, parts, { agent: settings.agent.name, slot: slot.slot, ...noticing });
}

/** Node would then take any certificate for the platforms', and hand them our credentials. */
function refuseBlindTrust(environment: Readonly<Record<string, string | undefined>>): void {
  if (environment.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return;
  throw new MusterError(
    'settings-invalid',
    'NODE_TLS_REJECT_UNAUTHORIZED is 0, so no certificate would be checked. Unset it; use NODE_EXTRA_CA_CERTS for a private authority.',
  );
}
