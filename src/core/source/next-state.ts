/** The state of a source for the next run, without its machines: its baseline moves only in a whole run. */
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { SourceState } from '../facts/state.ts';
import { isWhole } from '../facts/vocabulary.ts';
import { computeEnrolmentDates } from './enrolment-dates.ts';
import type { SourceJudgement } from './judge-source.ts';
import { readListingFigures, rememberListing } from './listing.ts';

export function computeNextSourceState({ source: judged, input }: SourceJudgement, slot: string): SourceState {
  const { source, baseline, instrumentMemory } = input;
  const { name, kind } = source;
  if (!isWhole(judged.soundness)) {
    return { name, kind, ...omitUndefined({ baseline }), instrumentMemory };
  }
  const listing = rememberListing(readListingFigures(source), baseline?.listing);
  const hasGaps = listing.unlisted !== undefined || listing.overview !== undefined;
  return {
    name,
    kind,
    baseline: {
      slot,
      // Keeps the last fingerprint where a part of the instrument could not be read.
      instrument: { ...omitUndefined({ fingerprint: instrumentMemory.last?.fingerprint }), ...source.instrument },
      ...omitUndefined({ answers: source.receipt.answersReceived }),
      ...(hasGaps && { listing }),
      ...(source.receipt.listed !== undefined && { enrolment: computeEnrolmentDates(source.devices) }),
    },
    instrumentMemory,
  };
}
