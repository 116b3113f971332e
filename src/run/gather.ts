/**
 * Gathers facts: asks every source at once, and returns each one's facts, complete or with the reason why not. A source
 * with a passing failure is asked once more when all others have answered.
 */

import { MusterError, toMusterError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Facts, SourceFacts } from '../core/facts/facts.ts';
import type { Problem } from '../core/facts/vocabulary.ts';
import { isSameSource } from '../core/record/references.ts';
import { compareCodePoints, sortDevicesById } from '../core/text/order.ts';
import type { Clock, ServerClocks } from '../http/clock.ts';
import { WaitBudget, type Waiting } from '../http/wait-budget.ts';
import type { LastDevices, PreviousReading, Progress, Source, SourceReading } from '../sources/source.ts';
import type { StateHead } from '../storage/runs/state-files.ts';
import { carryRows, type ReadCarriedRows } from './gathering/carry-rows.ts';
import { compareClocks } from './gathering/compare-clocks.ts';
import { refuseTooManyDevices } from './gathering/memory-limit.ts';
import { type Privacy, redactUsers } from './gathering/redact-users.ts';
import { chooseReading, mayHavePassed } from './gathering/second-reading.ts';

export interface GatherOptions {
  readonly sources: readonly Source[];
  readonly privacy: Privacy;
  readonly clock: Clock;
  /** Aborts with a `stopped` error when somebody stops the run, with any other reason at the deadline. */
  readonly signal: AbortSignal;
  readonly deadline?: number;
  /** Milliseconds in total to wait for passing failures of one source. */
  readonly patience: number;
  /** True where an incomplete source is not asked once more, because a person waits. */
  readonly asksOnce?: boolean;
  /** The servers' clocks, as `clock` has learnt them. */
  readonly serverClocks?: ServerClocks;
  readonly onProgress?: ProgressListener;
  /** MB of heap that Node.js may use; more devices than fit into it end the run. */
  readonly heap?: number;
}

/** A progress step: an incomplete source is asked once more, because of this problem. */
export interface SecondReading {
  readonly after: Problem;
}

export type ProgressStep = Progress | Waiting | SecondReading | SourceFacts;

/** Receives the progress of each source, for people who watch. The last step is the source's facts. */
export type ProgressListener = (source: string, step: ProgressStep) => void;

/** The receipts of all sources, as they grow. */
type Gathering = GatherOptions & { readonly receipts: Map<string, SourceReading['receipt']> };

/** The facts of a run besides its sources' answers. */
export type RunContext = Omit<Facts, 'schema' | 'sources'>;

/** Facts and state of earlier runs; empty before the first run. */
export interface PreviousRun {
  readonly before?: StateHead | undefined;
  /** Facts of sources that were complete in an earlier attempt at this slot; they are not read again. */
  readonly answered?: readonly SourceFacts[];
  readonly readCarriedRows?: ReadCarriedRows;
}

export async function gather(
  gathering: GatherOptions,
  runContext: RunContext,
  previous: PreviousRun = {},
): Promise<Facts> {
  const { answered: keptFacts = [] } = previous;
  const known = new Set(keptFacts.map((source) => source.name));
  const sourcesToRead = gathering.sources.filter((source) => !known.has(source.name));
  const receipts = new Map(keptFacts.map(({ name, receipt }) => [name, receipt]));
  const answers = await gatherSources(sourcesToRead, { ...gathering, receipts }, previous, runContext);
  const sources = [...keptFacts, ...answers].sort((left, right) => compareCodePoints(left.name, right.name));
  const clocks = compareClocks(gathering.serverClocks);
  const facts = redactUsers({ schema: 5, ...runContext, ...clocks, sources }, gathering.privacy, known);
  return carryRows(facts, previous.readCarriedRows ?? (async () => undefined));
}

async function gatherSources(
  sources: readonly Source[],
  gathering: Gathering,
  previous: PreviousRun,
  context: RunContext,
): Promise<SourceFacts[]> {
  const { clock, deadline, patience: limit, onProgress } = gathering;
  const began = clock.elapsed();
  const isTimeLeft = () => deadline === undefined || deadline - clock.elapsed() > (deadline - began) / 2;
  const readings = sources.map((source) => {
    const onWait = (waiting: Waiting) => onProgress?.(source.name, waiting);
    // Both readings of a source share one budget of patience.
    const patience = new WaitBudget({ clock, limit, deadline, onWait });
    const read = () => readSource(source, gathering, patience, previous, context);
    return { source, read, first: read() };
  });
  return Promise.all(
    readings.map(async ({ source, read, first }) => {
      let facts = await first;
      if (gathering.asksOnce !== true && mayHavePassed(facts)) {
        await Promise.all(readings.map((one) => one.first));
        if (isTimeLeft()) {
          onProgress?.(source.name, { after: facts.problem });
          facts = chooseReading(facts, await read());
        }
      }
      onProgress?.(source.name, facts);
      return facts;
    }),
  );
}

async function readSource(
  source: Source,
  { clock, signal, deadline, onProgress, receipts, heap }: Gathering,
  patience: WaitBudget,
  previous: PreviousRun,
  { slot, moment }: RunContext,
): Promise<SourceFacts> {
  const started = clock.now().toISOString();
  const reading: SourceReading = {
    instrument: {},
    findings: [],
    groups: [],
    devices: [],
    receipt: { received: 0, pages: 0, walks: 0, retries: 0 },
  };
  receipts.set(source.name, reading.receipt);
  const context = {
    signal,
    clock,
    patience,
    slot,
    moment: new Date(moment),
    ...omitUndefined({ deadline }),
    remembered: buildPreviousReading(source, previous),
    progress: (step: Progress) => {
      onProgress?.(source.name, step);
      refuseTooManyDevices(receipts.values(), heap);
    },
  };
  const problem = await source.read(context, reading).then(
    () => undefined,
    (error: unknown) => toReadingProblem(error, source, signal),
  );
  // Throws even where the source had everything before the stop.
  throwIfStopped(signal);
  return {
    name: source.name,
    kind: source.kind,
    ...omitUndefined({ address: source.address, population: source.population }),
    reading: problem === undefined ? 'complete' : 'incomplete',
    ...omitUndefined({ problem }),
    receipt: { ...reading.receipt, started, ended: clock.now().toISOString() },
    instrument: reading.instrument,
    findings: reading.findings,
    groups: reading.groups,
    ...(reading.unlisted?.length && { unlisted: reading.unlisted }),
    ...(problem === undefined && reading.repeated?.length && { repeated: reading.repeated }),
    devices: sortDevicesById(reading.devices),
    ...(problem === undefined && reading.unread?.length && { unread: sortDevicesById(reading.unread) }),
  };
}

/** Ends the whole run on a stop; every other failure concerns one source alone. */
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
  if (code === 'memory') {
    throw error;
  }
  return { code, message };
}

function buildPreviousReading(source: Source, { before, readCarriedRows }: PreviousRun): PreviousReading {
  const { baseline } = before?.sources.find((past) => isSameSource(past, source)) ?? {};
  if (baseline === undefined) {
    return {};
  }
  const { instrument, answers, listing, enrolment } = baseline;
  const readLastDevices = enrolment && (() => readLastIds(source, readCarriedRows));
  return omitUndefined({ instrument, answers, listing, enrolment, readLastDevices });
}

async function readLastIds(source: Source, read: PreviousRun['readCarriedRows']): Promise<LastDevices | undefined> {
  const { rows, unlisted = [] } = (await read?.(source)) ?? {};
  return rows && { ids: rows.map(({ facts }) => facts.id), unlisted };
}
