/** The figures of a run, which history keeps. */
import type { OperatingSystem } from './facts.ts';
import type { Soundness } from './vocabulary.ts';

export const coverageFigures = [
  'devices',
  'counted',
  // Not counted for any reason; `exempt` of them by an exemption.
  'excluded',
  'exempt',
  // From here on over counted devices.
  'stale',
  'installed',
  'notInstalled',
  'provenInstalled',
  'provenNotInstalled',
  'lost',
  'recovered',
  // Devices that entered and left the count since the baseline: counted = before + joined − left.
  'joined',
  'left',
] as const;

export type CoverageFigures = Readonly<Record<(typeof coverageFigures)[number], number>>;

export interface Coverage extends CoverageFigures {
  /** A source's name and platform, or `all` twice. */
  readonly source: string;
  readonly operatingSystem: OperatingSystem;
  readonly soundness: Soundness;
}
