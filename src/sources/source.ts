/**
 * The contract of a source: one connection to one platform, read once in each run.
 *
 * To add a platform: `sources/<name>/{source,parse,rules,kind}.ts`, its test (which calls the shared suite in
 * `test/contracts/source.ts`) and one line in `compose/source-kinds.ts`. A source requests and parses; it never judges.
 */
import type {
  CheckResult,
  DeviceFacts,
  GroupFacts,
  Instrument,
  Receipt,
  SourceFacts,
  SourceKindName,
} from '../core/facts/facts.ts';
import type { EnrolmentDates, ListingFigures } from '../core/facts/state.ts';
import type { Clock } from '../http/clock.ts';
import type { WaitBudget } from '../http/wait-budget.ts';

/** Everything that a run gives to a source. */
export interface ReadContext {
  /** Aborts at the run's deadline, or when the run is stopped. */
  readonly signal: AbortSignal;
  /** The deadline on the clock's `elapsed` scale. */
  readonly deadline?: number;
  readonly clock: Clock;
  /** Time to wait for passing failures, in all requests together; half a minute for each client where it is missing. */
  readonly patience?: WaitBudget;
  /** The slot's date, YYYY-MM-DD, and its scheduled time, against which the age of an attestation is judged. */
  readonly slot: string;
  readonly moment: Date;
  /** Facts of the source's last good run, for comparing and explaining, never for measuring. */
  readonly remembered: PreviousReading;
  /** Called as rows arrive, to show progress. */
  readonly progress: (step: Progress) => void;
}

export interface PreviousReading {
  readonly instrument?: Instrument;
  /** The number of rows in the apps' reports. */
  readonly answers?: number;
  readonly listing?: ListingFigures;
  readonly enrolment?: EnrolmentDates;
  /** Reads the last whole run's devices; undefined where they are not kept. */
  readonly readLastDevices?: () => Promise<LastDevices | undefined>;
}

/** Devices of a source's last whole run, and those that only its apps' reports named. */
export interface LastDevices {
  readonly ids: readonly string[];
  readonly unlisted: readonly string[];
}

export interface Progress {
  readonly pages: number;
  readonly rows: number;
  readonly retries: number;
  /** The current step, in a few words. */
  readonly doing: string;
}

/**
 * The results of a source, recorded as they arrive, so that a source that fails still shows what it received and which
 * checks it could make.
 */
export interface SourceReading {
  instrument: Instrument;
  findings: CheckResult[];
  groups: GroupFacts[];
  devices: readonly DeviceFacts[];
  /** Devices that the platform lists and could not return. */
  unread?: NonNullable<SourceFacts['unread']>;
  unlisted?: NonNullable<SourceFacts['unlisted']>;
  repeated?: NonNullable<SourceFacts['repeated']>;
  receipt: Omit<Mutable<Receipt>, 'started' | 'ended'>;
}

export interface Source {
  readonly name: string;
  readonly kind: SourceKindName;
  /** The origin at which people work with the platform. */
  readonly address?: string;
  readonly population?: NonNullable<SourceFacts['population']>;
  /** Resolves when the reading is proved complete; otherwise throws a MusterError that gives the reason. */
  read(context: ReadContext, reading: SourceReading): Promise<void>;
}

export type Mutable<T> = { -readonly [K in keyof T]: T[K] };
