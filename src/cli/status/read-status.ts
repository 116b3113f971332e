/** Reads the status after the last run, from the store alone. */
import { listWaiting } from '../../alerts/delivery/deliver.ts';
import type { WaitingMessages } from '../../alerts/delivery/deliver-to-channel.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { composeAlerts } from '../../compose/channels.ts';
import { openKeptStores, readNamedKeys } from '../../compose/parts.ts';
import type { Settings } from '../../compose/read-settings.ts';
import { createSecretReader } from '../../compose/secrets.ts';
import type { AlertState } from '../../core/facts/remembered.ts';
import type { Coverage, State } from '../../core/facts/state.ts';
import type { UnprovenCause } from '../../core/source/certainty.ts';
import { systemClock } from '../../http/clock.ts';
import { findLastSlot, findNextMoment, type Slot } from '../../settings/schedule/schedule.ts';
import type { PublishedRun } from '../../storage/commits/commit.ts';
import { readCurrentRun } from '../../storage/commits/log.ts';
import { readRunEvents } from '../../storage/runs/events-record.ts';
import { readStateHead } from '../../storage/runs/run-state.ts';
import { listSentAlerts } from '../alerts.ts';

export interface PublishedStatus {
  readonly run: PublishedRun;
  readonly coverage: readonly Coverage[];
  /** Why counted devices are not proven. */
  readonly unproven: readonly UnprovenCause[];
  readonly unsound: readonly UnsoundSource[];
  readonly alerts: readonly AlertState[];
  readonly undelivered: readonly WaitingMessages[];
}

export interface UnsoundSource extends Pick<Coverage, 'source' | 'soundness'> {
  /** The reason, from the open alert about the source. */
  readonly message?: string;
}

export interface Status {
  readonly settings: Settings;
  readonly store: string;
  /** Undefined before the first run. */
  readonly published: PublishedStatus | undefined;
  /** The last scheduled run. */
  readonly due: Slot;
  readonly next: Date | undefined;
}

export async function readStatus(settingsFile: string | undefined, now: Date): Promise<Status> {
  const { settings, folder, store, audit } = await openKeptStores(settingsFile, process.env);
  const run = await readCurrentRun(store);
  const readPublished = async (current: PublishedRun): Promise<PublishedStatus> => {
    const state = await readStateHead(store, current);
    const alerts = composeAlerts(settings, { secret: createSecretReader({}), folder, clock: systemClock });
    const readTrust = async () => ({ audit, keys: await readNamedKeys(settings, folder) });
    const { coverage = [] } = state.history.at(-1) ?? {};
    return {
      run: current,
      coverage,
      unproven: (await readRunEvents(store, current)).figures.unproven ?? [],
      unsound: listUnsoundSources(coverage, state),
      alerts: listSentAlerts(state),
      undelivered: await listWaiting(current, alerts, { store, readTrust }),
    };
  };
  return {
    settings,
    store: store.name,
    published: run && (await readPublished(run)),
    due: findLastSlot(settings.schedule, now),
    next: findNextMoment(settings.schedule, now),
  };
}

function listUnsoundSources(
  coverage: readonly Coverage[],
  { openAlerts = [] }: Pick<State, 'openAlerts'>,
): UnsoundSource[] {
  return coverage
    .filter(({ source, soundness }) => source !== 'all' && soundness !== 'complete')
    .map(({ source, soundness }) => {
      const alert = openAlerts.find(({ kind, details }) => kind === `source.${soundness}` && details.source === source);
      return { source, soundness, ...omitUndefined({ message: alert?.details.text }) };
    });
}

export function isPublished({ due, published }: Status): boolean {
  return published !== undefined && published.run.commit.slot >= due.slot;
}

export function isHealthy(status: Status): boolean {
  const { unsound = [], undelivered = [] } = status.published ?? {};
  return isPublished(status) && unsound.length + undelivered.length === 0;
}
