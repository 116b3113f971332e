/**
 * The contract of a source: one connection to one platform, asked once a night.
 *
 * To add a platform: `sources/<name>/{client,parse,rules}.ts`, its settings schema, its test (which calls the shared
 * suite in `test/contracts/source.ts`) and one line in `wire.ts`. A source talks and parses; it never judges.
 */
import type { Finding, GroupFacts, Instrument, Platform, SourceFacts } from '../core/facts.ts';
import type { DeviceFacts, Receipt } from '../core/facts.ts';
import type { Clock } from '../http/clock.ts';

/** Everything a night wants of a source. */
export interface Ask {
  /** Aborts when the run's deadline has come or someone stops it. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** What the source's last good night knew; only to compare and to explain, never to measure. */
  readonly remembered: Remembered;
  /** Called as rows come in, for people who watch. */
  readonly progress: (step: Progress) => void;
  /** Filled in on the way, so that a source that fails half-way still shows what it had received. */
  readonly receipt: Draft<Receipt>;
}

export interface Remembered {
  readonly instrument?: Instrument;
  /** Windows: how many rows the apps' reports had. */
  readonly answers?: number;
  readonly devices?: number;
}

export interface Progress {
  readonly pages: number;
  readonly rows: number;
  readonly retries: number;
  /** What is being done now, in three words. */
  readonly doing: string;
}

/** What a complete reading gives. An incomplete one is a thrown MusterError, which becomes the source's problem. */
export interface Reading {
  readonly instrument: Instrument;
  readonly findings: readonly Finding[];
  readonly groups: readonly GroupFacts[];
  readonly devices: readonly DeviceFacts[];
}

export interface Source {
  readonly name: string;
  readonly platform: Platform;
  readonly population?: SourceFacts['population'];
  read(ask: Ask): Promise<Reading>;
}

export type Draft<T> = { -readonly [K in keyof T]: T[K] };
