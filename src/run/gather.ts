/** Gathering: every source is asked at once; what comes back is facts, complete or with the reason why not. */
import type { Facts, SourceFacts } from '../core/facts.ts';
import { compareCodePoints, sortDevicesById } from '../core/order.ts';
import type { State } from '../core/state.ts';
import { MusterError, toMusterError } from '../errors.ts';
import type { Clock } from '../http/clock.ts';
import type { ServerClocks } from '../http/server-clocks.ts';
import type { PreviousReading, Progress, Source, SourceReading } from '../sources/source.ts';
import { compareClocks } from './compare-clocks.ts';
import { type Privacy, redactUsers } from './redact-users.ts';

export interface GatherOptions {
  readonly sources: readonly Source[];
  readonly privacy: Privacy;
  readonly clock: Clock;
  /** Aborts with a `stopped` error when somebody stops the run, with any other reason at the deadline. */
  readonly signal: AbortSignal;
  readonly deadline?: number;
  /** What `clock` was told of the servers' clocks. */
  readonly serverClocks?: ServerClocks;
  readonly onProgress?: ProgressListener;
}

/** Told what the sources are doing, for people who watch. */
export type ProgressListener = (source: string, step: Progress | SourceFacts) => void;

/** What a night needs besides its sources' answers. */
export type RunContext = Omit<Facts, 'schema' | 'sources'>;

/** `answered` holds facts of sources that were complete in an earlier attempt at this slot; they are not asked again. */
export async function gather(
  gathering: GatherOptions,
  frame: RunContext,
  previous: State | undefined,
  answered: readonly SourceFacts[] = [],
): Promise<Facts> {
  const kept = answered.filter((source) => !needsUsers(source, frame, gathering.privacy));
  const known = new Set(kept.map((source) => source.name));
  const asked = gathering.sources.filter((source) => !known.has(source.name));
  const answers = await Promise.all(asked.map((source) => gatherSource(source, gathering, previous, frame)));
  const sources = [...kept, ...answers].sort((left, right) => compareCodePoints(left.name, right.name));
  const clocks = compareClocks(gathering.serverClocks);
  return redactUsers({ schema: 2, ...frame, ...clocks, sources }, gathering.privacy, known);
}

/** An exemption by user needs the users, which facts no longer hold where they are left out. */
function needsUsers({ name }: SourceFacts, { exemptions }: RunContext, { users }: Privacy): boolean {
  return users === 'omit' && exemptions.some(({ match, source }) => match === 'user' && source === name);
}

async function gatherSource(
  source: Source,
  gathering: GatherOptions,
  previous: State | undefined,
  { slot, moment }: RunContext,
): Promise<SourceFacts> {
  const { clock, signal, deadline, onProgress: watch } = gathering;
  const started = clock.now().toISOString();
  const sheet: SourceReading = {
    instrument: {},
    findings: [],
    groups: [],
    devices: [],
    receipt: { received: 0, pages: 0, walks: 0, retries: 0 },
  };
  const problem = await source
    .read(
      {
        signal,
        clock,
        slot,
        moment: new Date(moment),
        ...(deadline === undefined ? {} : { deadline }),
        remembered: buildPreviousReading(source, previous),
        progress: (step) => watch?.(source.name, step),
      },
      sheet,
    )
    .then(
      () => undefined,
      (error: unknown) => toReadingProblem(error, source, signal),
    );
  // Also where the source had all it needed before it was stopped.
  throwIfStopped(signal);
  const facts: SourceFacts = {
    name: source.name,
    kind: source.kind,
    ...(source.population === undefined ? {} : { population: source.population }),
    reading: problem === undefined ? 'complete' : 'incomplete',
    ...(problem === undefined ? {} : { problem }),
    receipt: { ...sheet.receipt, started, ended: clock.now().toISOString() },
    instrument: sheet.instrument,
    findings: sheet.findings,
    groups: sheet.groups,
    devices: sortDevicesById(sheet.devices),
  };
  watch?.(source.name, facts);
  return facts;
}

/** A stop ends the whole run; everything else is one source's problem alone. */
function throwIfStopped(signal: AbortSignal): void {
  if (signal.aborted && signal.reason instanceof MusterError && signal.reason.code === 'stopped') {
    throw signal.reason;
  }
}

function toReadingProblem(error: unknown, source: Source, signal: AbortSignal): SourceFacts['problem'] {
  if (signal.aborted) {
    return {
      code: 'deadline',
      message: `Reading ${source.name} exceeded this run's deadline. The next run reads it again.`,
    };
  }
  const { code, message } = toMusterError(error, `Reading ${source.name}`);
  return { code, message };
}

function buildPreviousReading(source: Source, previous: State | undefined): PreviousReading {
  const state = previous?.sources.find(({ name, kind }) => name === source.name && kind === source.kind);
  const { baseline } = state ?? {};
  if (baseline === undefined) {
    return {};
  }
  return {
    instrument: baseline.instrument,
    devices: baseline.devices.length,
    ...(baseline.answers === undefined ? {} : { answers: baseline.answers }),
  };
}
