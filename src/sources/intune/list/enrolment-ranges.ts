/** Ranges of enrolment dates in which the device list can be read, and what shows that they hold every device: pure. */
import type { WhySerially } from '../../../core/facts/facts.ts';
import { isShortfallAbove } from '../../../core/source/listing.ts';
import type { PreviousReading } from '../../source.ts';

/** Dates to the second. A device of the very second of a bound is before it. */
export interface EnrolmentRange {
  readonly after?: string;
  readonly before?: string;
}

/** No date has it: the service writes whole seconds, and a fraction of milliseconds would be shorter. */
const boundFraction = '.4999999Z';

/** Why the list has to be read in another way. */
export class RangesObstacle extends Error {
  readonly why: WhySerially;

  constructor(why: WhySerially) {
    super(why);
    this.why = why;
  }
}

/** The dates at which the ranges of both readings end; none of one is one of the other. */
interface Bounds {
  readonly first: readonly string[];
  readonly second: readonly string[];
}

/** A list that had more than one page of so many rows is read in ranges. */
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

/** Ranges that follow each other; the first has no lower bound, the last no upper one. */
export function toRanges(bounds: readonly string[]): EnrolmentRange[] {
  return [undefined, ...bounds].map((after, index) => {
    const before = bounds[index];
    return { ...(after !== undefined && { after }), ...(before !== undefined && { before }) };
  });
}

/** The clauses of a filter. */
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

/** Compares seconds alone: the service may keep fractions that it does not write. */
function isInRange(date: string, { after, before }: EnrolmentRange): boolean {
  const second = date.slice(0, 'YYYY-MM-DDThh:mm:ss'.length);
  return (after === undefined || second >= after) && (before === undefined || second <= before);
}

/** Devices without a date are in no range, and only the service's count says that there are some which nothing else knows. */
export function checkCount({ listing }: PreviousReading, received: number, overview: number | undefined): void {
  if (overview === undefined) {
    throw new RangesObstacle('no count');
  }
  if (isShortfallAbove({ received, overview }, listing)) {
    throw new RangesObstacle('count above');
  }
}
