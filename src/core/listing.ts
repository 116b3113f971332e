/** How many devices a source's list seems to lack: those that only the apps' reports name, and the overview's count. */
import { omitUndefined } from '../omit-undefined.ts';
import type { SourceFacts } from './facts.ts';
import type { ListingFigures } from './state.ts';

/** A share that is above the baseline's by more than so many percentage points, and by more than so many devices. */
const toleratedPoints = 20;
const toleratedDevices = 10;

export interface ListingGap {
  readonly lacking: number;
  readonly of: number;
  /** What the baseline's share would be of tonight's devices. */
  readonly expected: number;
}

export interface ListingGaps {
  /** Devices that only the apps' reports name. */
  readonly unlisted?: ListingGap;
  /** What the list is below the platform's own overview. */
  readonly shortfall?: ListingGap;
}

/** The listed devices alone: the receipt also counts those of other systems, where the platform lists them too. */
export function readListingFigures({ devices, receipt }: Pick<SourceFacts, 'devices' | 'receipt'>): ListingFigures {
  const { unlisted, overview } = receipt;
  return { received: devices.length, ...omitUndefined({ unlisted, overview }) };
}

/** Only the gaps that are implausibly above the baseline's. */
export function findListingGaps(tonight: ListingFigures, baseline: ListingFigures | undefined): ListingGaps {
  const unlisted = compareGap(countUnlisted(tonight), baseline && countUnlisted(baseline));
  const shortfall = compareGap(countShortfall(tonight), baseline && countShortfall(baseline));
  return { ...(unlisted && { unlisted }), ...(shortfall && { shortfall }) };
}

type Share = Pick<ListingGap, 'lacking' | 'of'>;

function countUnlisted({ received, unlisted }: ListingFigures): Share | undefined {
  return unlisted === undefined ? undefined : { lacking: unlisted, of: received + unlisted };
}

function countShortfall({ received, overview }: ListingFigures): Share | undefined {
  return overview === undefined ? undefined : { lacking: Math.max(0, overview - received), of: overview };
}

/** Multiplied out, so that nothing is rounded. */
function compareGap(tonight: Share | undefined, before: Share | undefined): ListingGap | undefined {
  if (tonight === undefined || tonight.of === 0) {
    return undefined;
  }
  const { lacking, of } = tonight;
  const expected = before === undefined || before.of === 0 ? 0 : (before.lacking * of) / before.of;
  const isAbove = (lacking - expected) * 100 > toleratedPoints * of && lacking - expected > toleratedDevices;
  return isAbove ? { lacking, of, expected } : undefined;
}
