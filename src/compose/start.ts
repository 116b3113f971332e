/** Starts a night for every caller: its settings, its parts, and the night itself. It decides nothing. */
import { sendHeartbeat } from '../alerts/delivery/heartbeat.ts';
import { MusterError } from '../base/errors.ts';
import { systemClock } from '../http/clock.ts';
import { runNight } from '../night.ts';
import type { GatherOptions } from '../run/gather.ts';
import { readHeapLimit } from '../run/gathering/memory-limit.ts';
import type { RunOutcome } from '../run/outcome.ts';
import type { Parts } from '../run/parts.ts';
import { type HeartbeatOptions, withHeartbeat } from '../run/reporting/with-heartbeat.ts';
import type { Slot } from '../settings/schedule/schedule.ts';
import type { Environment } from '../settings/tenants.ts';
import { type LoadedSettings, loadSettings, type NeededSecrets, readHeartbeatReference } from './load-settings.ts';
import { type ComposeContext, composeParts } from './parts.ts';
import { readRunContext } from './run-context.ts';
import { createSecretReader } from './secrets.ts';

export interface PreparedRun extends LoadedSettings {
  readonly parts: Parts;
}

export interface PrepareRunOptions
  extends Pick<GatherOptions, 'signal' | 'onProgress'>,
    Pick<ComposeContext, 'patience' | 'asksOnce' | 'idle'> {
  /** The settings file of the command line. */
  readonly settingsFile?: string | undefined;
  readonly environment: Environment;
  /** Time on the clock's `elapsed` scale. */
  readonly deadline: number;
  /** True to report wrong settings through the heartbeat, because a run was meant to begin. */
  readonly signalsWrongSettings?: boolean | undefined;
  /** Needed secrets; `all` by default. */
  readonly secrets?: NeededSecrets;
}

export function prepareRun({ signalsWrongSettings, ...options }: PrepareRunOptions): Promise<PreparedRun> {
  const prepared = prepareParts(options);
  return signalsWrongSettings ? withSettingsSignal(prepared, options) : prepared;
}

async function prepareParts({
  settingsFile,
  environment,
  secrets = 'all',
  ...bounds
}: PrepareRunOptions): Promise<PreparedRun> {
  const loaded = await loadSettings(settingsFile, environment, secrets);
  const { settings, folder } = loaded;
  const parts = await composeParts(settings, {
    ...bounds,
    secret: createSecretReader(environment),
    folder,
    clock: systemClock,
    heap: readHeapLimit([...(environment.NODE_OPTIONS ?? '').split(' '), ...process.execArgv]),
  });
  return { ...loaded, parts };
}

const heartbeatTimeLimit = 10_000;

/** Reports wrong settings through the heartbeat, if its address can still be read, and rethrows. */
export function withSettingsSignal<Result>(
  starting: Promise<Result>,
  { settingsFile, environment }: Pick<PrepareRunOptions, 'settingsFile' | 'environment'>,
): Promise<Result> {
  return starting.catch(async (error: unknown) => {
    const isWrong = error instanceof MusterError && error.code === 'settings-invalid';
    const reference = isWrong && (await readHeartbeatReference(settingsFile, environment).catch(() => undefined));
    if (reference) {
      const secret = createSecretReader(environment);
      await sendHeartbeat({ url: secret(reference), clock: systemClock }, 'fail', heartbeatTimeLimit);
    }
    throw error;
  });
}

export async function runPreparedNight(
  { settings, folder, parts }: Omit<PreparedRun, 'file'>,
  slot: Slot,
  options: { readonly dryRun: boolean } & Pick<HeartbeatOptions, 'failureNoticeBudget' | 'warn'>,
): Promise<RunOutcome> {
  const { dryRun, ...noticing } = options;
  const run = async (): Promise<RunOutcome> => {
    if (!dryRun) {
      await parts.store.probe();
    }
    const readContext = () => readRunContext(settings, folder, parts.clock.now());
    const outcome = await runNight({ ...slot, dryRun, readRunContext: readContext }, parts);
    // Another run of the slot is under way or was faster, so that a healing start has nothing left to do.
    return slot.heals && outcome.did === 'superseded' ? { ...outcome, exit: 0 } : outcome;
  };
  return dryRun ? run() : withHeartbeat(run, parts, { agent: settings.agent.name, slot: slot.slot, ...noticing });
}
