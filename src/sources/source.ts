/**
 * The contract of a source: one connection to one platform, asked once a night.
 *
 * To add a platform: `sources/<name>/{client,parse,rules}.ts`, its settings schema, its test (which calls the shared
 * suite in `test/contracts/source.ts`) and one line in `wire.ts`. A source talks and parses; it never judges.
 */
import type {
  DeviceFacts,
  Finding,
  GroupFacts,
  Instrument,
  Receipt,
  SourceFacts,
  SourceKindName,
} from '../core/facts.ts';
import type { Clock } from '../http/clock.ts';

/** What a night wants of a source. */
export interface ReadContext {
  /** Aborts when the run's deadline has come or someone stops it. */
  readonly signal: AbortSignal;
  /** The deadline on the clock's `elapsed` scale. */
  readonly deadline?: number;
  readonly clock: Clock;
  /** The slot's date, YYYY-MM-DD, and its moment, at which the age of an attestation is judged. */
  readonly slot: string;
  readonly moment: Date;
  /** What the source's last good night knew: only to compare and to explain, never to measure. */
  readonly remembered: PreviousReading;
  /** Called as rows come in, for people who watch. */
  readonly progress: (step: Progress) => void;
}

export interface PreviousReading {
  readonly instrument?: Instrument;
  readonly devices?: number;
  /** Windows: how many rows the apps' reports had. */
  readonly answers?: number;
}

export interface Progress {
  readonly pages: number;
  readonly rows: number;
  readonly retries: number;
  /** What is being done now, in a few words. */
  readonly doing: string;
}

/**
 * Where a source writes down what it learns, as it learns it: a source that fails half-way still shows what it had
 * received, and which checks it could make.
 */
export interface SourceReading {
  instrument: Instrument;
  findings: Finding[];
  groups: GroupFacts[];
  devices: DeviceFacts[];
  receipt: Omit<Mutable<Receipt>, 'started' | 'ended'>;
}

export interface Source {
  readonly name: string;
  readonly kind: SourceKindName;
  readonly population?: NonNullable<SourceFacts['population']>;
  /** Resolves when the reading is proved complete; otherwise throws a MusterError that says why it is not. */
  read(context: ReadContext, reading: SourceReading): Promise<void>;
}

export type Mutable<T> = { -readonly [K in keyof T]: T[K] };
