/** Ranges of enrolment dates in which the device list can be read, and the evidence that they hold every device. Pure. */
import type { WhySerially } from '../../../core/facts/facts.ts';
import { isShortfallAbove } from '../../../core/source/listing.ts';
import type { PreviousReading } from '../../source.ts';

/** A range with dates to the second. A device enrolled in the very second of a bound is before it. */
export interface EnrolmentRange {
  readonly after?: string;
  readonly before?: string;
}

/** A fraction that no date has: the service writes whole seconds, and milliseconds would be shorter. */
const boundFraction = '.4999999Z';

/** The error that makes Muster read the list in another way. */
export class RangesObstacle extends Error {
  readonly why: WhySerially;

  constructor(why: WhySerially) {
    super(why);
    this.why = why;
  }
}

/** Dates at which the ranges of the two readings end; the two lists share no date. */
interface Bounds {
  readonly first: readonly string[];
  readonly second: readonly string[];
}

/** Chooses bounds from the last run's dates; throws an obstacle where ranges are impossible, or the list had one page at most. */
export function chooseBounds({ listing, enrolment }: PreviousReading, pageSize: number): Bounds {
  if (listing === undefined || enrolment === undefined) {
    throw new RangesObstacle('first run');
  }
  if (listing.received <= pageSize) {
    throw new RangesObstacle('few devices');
  }
  if (enrolment.unknown > 0) {
    throw new RangesObstacle('dates not known');
  }
  const pick = (rest: number) => enrolment.bounds.filter((_, index) => index % 2 === rest);
  if (enrolment.bounds.length < 2) {
    throw new RangesObstacle('dates alike');
  }
  return { first: pick(1), second: pick(0) };
}

/** Consecutive ranges; the first has no lower bound, the last no upper one. */
export function toRanges(bounds: readonly string[]): EnrolmentRange[] {
  return [undefined, ...bounds].map((after, index) => {
    const before = bounds[index];
    return { ...(after !== undefined && { after }), ...(before !== undefined && { before }) };
  });
}

/** Formats a range as the clauses of a filter. */
export function formatRange({ after, before }: EnrolmentRange): string[] {
  return [
    ...(after === undefined ? [] : [`enrolledDateTime gt ${after}${boundFraction}`]),
    ...(before === undefined ? [] : [`enrolledDateTime lt ${before}${boundFraction}`]),
  ];
}

export function refuseOutside(date: string | undefined, range: EnrolmentRange): void {
  if (date === undefined) {
    throw new RangesObstacle('dates not known');
  }
  if (!isInRange(date, range)) {
    throw new RangesObstacle('outside its range');
  }
}

/** Whether a date is in the range; compares seconds alone, since the service may keep fractions that it does not write. */
function isInRange(date: string, { after, before }: EnrolmentRange): boolean {
  const second = date.slice(0, 'YYYY-MM-DDThh:mm:ss'.length);
  return (after === undefined || second >= after) && (before === undefined || second <= before);
}

/** Compares the number of devices with the service's count, which alone shows devices that are in no range and nowhere else. */
export function checkCount({ listing }: PreviousReading, received: number, overview: number | undefined): void {
  if (overview === undefined) {
    throw new RangesObstacle('no count');
  }
  if (isShortfallAbove({ received, overview }, listing)) {
    throw new RangesObstacle('count above');
  }
}
