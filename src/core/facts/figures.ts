/** The figures of a run, which history keeps. Types only. */
import type { OperatingSystem } from './facts.ts';
import type { Soundness } from './vocabulary.ts';

export interface Coverage {
  /** A source's name and platform, or `all` twice. */
  readonly source: string;
  readonly operatingSystem: OperatingSystem;
  readonly soundness: Soundness;
  readonly devices: number;
  readonly counted: number;
  /** Not counted for any reason; `exempt` of them by an exemption. */
  readonly excluded: number;
  readonly exempt: number;
  /** The figures from here on are over counted devices. */
  readonly stale: number;
  readonly installed: number;
  readonly notInstalled: number;
  readonly provenInstalled: number;
  readonly provenNotInstalled: number;
  readonly lost: number;
  readonly recovered: number;
  /** Devices that entered and left the count since the baseline: counted = before + joined − left. */
  readonly joined: number;
  readonly left: number;
}
