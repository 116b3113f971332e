/** Why the figures of two runs differ. */
import type { ShareKind } from './vocabulary.ts';

/** How far the coverage and its bounds moved, with two decimals. */
export type Points = Readonly<Record<'coverage' | 'low' | 'high', number>>;

export interface Share extends Points {
  readonly kind: ShareKind;
  /** Missing in what no device explains. */
  readonly devices?: number;
}

export interface Difference extends Points {
  /** Slots. */
  readonly from: string;
  readonly to: string;
  /** They add up to the points of the whole, largest first. */
  readonly shares: readonly Share[];
}
