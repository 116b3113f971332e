/** The certainty of the number: what widens its interval, and what ends that. One text for every place. */

import type { JudgedDevice, Night } from '../facts/judged.ts';
import { type UnprovenBecause, unprovenReasons } from '../facts/vocabulary.ts';
import { findUnchangedProvenFrom } from '../record/proof.ts';
import { formatCount } from '../text/format-count.ts';
import { compareCodePoints } from '../text/order.ts';
import { pluralize } from '../text/pluralize.ts';
import type { CountedFigures } from './coverage.ts';

/** Counted devices that are not proven for the same reason with the same end. */
export interface UnprovenCause {
  readonly because: UnprovenBecause;
  readonly devices: number;
  /** The date of the repair that their answers are older than. */
  readonly repairedOn?: string;
  /** The event that ends it, where the words of the reason do not say it. */
  readonly until?: string;
}

/** Causes, the largest first. Each of their devices widens the interval by its share of the counted ones. */
export function listUnprovenCauses(devices: readonly JudgedDevice[], run: Pick<Night, 'state' | 'policy'>) {
  const counts = new Map<string, { readonly cause: Omit<UnprovenCause, 'devices'>; count: number }>();
  for (const device of devices) {
    const { counted, unprovenBecause } = device.judgement;
    if (counted && unprovenBecause !== undefined) {
      const cause = { because: unprovenBecause, ...describeEnd(device, unprovenBecause, run) };
      const key = Object.values(cause).join();
      const known = counts.get(key) ?? { cause, count: 0 };
      known.count += 1;
      counts.set(key, known);
    }
  }
  return [...counts]
    .sort(([one, left], [other, right]) => right.count - left.count || compareCodePoints(one, other))
    .map(([, { cause, count }]): UnprovenCause => ({ ...cause, devices: count }));
}

function describeEnd(
  { source, judgement: { rules } }: JudgedDevice,
  because: UnprovenBecause,
  { state, policy }: Pick<Night, 'state' | 'policy'>,
): Pick<UnprovenCause, 'repairedOn' | 'until'> {
  if (because === 'old-answer') {
    return { until: rules.nextAnswer };
  }
  const repairedAt = state.sources.find(({ name }) => name === source)?.instrumentMemory.repairedAt;
  if (because !== 'before-repair' || repairedAt === undefined) {
    return {};
  }
  const unchanged = findUnchangedProvenFrom(repairedAt, rules, policy);
  const contact =
    unchanged === undefined ? '' : `, or a contact on ${toDay(new Date(unchanged).toISOString())} or later`;
  return { repairedOn: toDay(repairedAt), until: `${rules.nextAnswer}${contact}` };
}

function toDay(time: string): string {
  return time.slice(0, 10);
}

type ProvenFigures = Pick<CountedFigures, 'counted' | 'provenInstalled' | 'provenNotInstalled'>;

/** Percent of the counted devices. */
const widestNarrow = 10;

/** Whether so few devices are unproven that the number needs no warning. */
export function isNarrow({ counted, provenInstalled, provenNotInstalled }: ProvenFigures): boolean {
  return (counted - provenInstalled - provenNotInstalled) * 100 <= counted * widestNarrow;
}

const mostCauses = 2;

/** Explains the interval in one sentence; undefined where every counted device is proven. */
export function explainInterval(
  causes: readonly UnprovenCause[],
  { counted }: Pick<CountedFigures, 'counted'>,
): string | undefined {
  const [first, ...others] = causes;
  if (first === undefined) {
    return undefined;
  }
  const all = causes.reduce((sum, { devices }) => sum + devices, 0);
  const of = `${formatCount(all)} of ${formatCount(counted)} counted ${pluralize(counted, 'device')}`;
  if (others.length === 0) {
    return `${of} ${formatCause(first)}, and ${pluralize(all, 'is', 'are')} not proven until ${formatEnd(first)}.`;
  }
  const named = causes.slice(0, mostCauses);
  const parts = named.map((cause) => `${formatCount(cause.devices)} ${formatCause(cause)}, until ${formatEnd(cause)}`);
  const rest = causes.slice(mostCauses).reduce((sum, { devices }) => sum + devices, 0);
  const more = rest === 0 ? [] : [`${formatCount(rest)} for other reasons`];
  return `${of} are not proven: ${[...parts, ...more].join('; ')}.`;
}

function formatCause({ because, devices, repairedOn }: UnprovenCause): string {
  const [one, many] = unprovenReasons[because].ofDevices;
  return `${pluralize(devices, one, many)}${repairedOn === undefined ? '' : ` of ${repairedOn}`}`;
}

function formatEnd({ because, until }: UnprovenCause): string {
  return until ?? unprovenReasons[because].until;
}
