/** What is sent: events of a night, and how much each asks of a person, for the filters of those who take them. */

import type { EventKind } from '../../core/alerts/alert-state.ts';
import type { Event } from '../../core/alerts/event.ts';

/** Least first. */
export const severities = ['info', 'warning', 'error'] as const;
export type Severity = (typeof severities)[number];

/** Kinds of what is sent: a night's events, a run that failed before there was a night, and a test. */
export type NewsKind = EventKind | 'run.failed' | 'test';

export interface NewsEvent extends Omit<Event, 'kind'> {
  readonly kind: NewsKind;
}

const errors: ReadonlySet<NewsKind> = new Set(['run.failed', 'source.missing', 'source.untrusted', 'coverage.below']);
const calm: ReadonlySet<NewsKind> = new Set([
  ...(['test', 'baseline', 'device.recovered', 'source.sound-again', 'coverage.restored'] as const),
]);

export function severityOf(kind: NewsKind, phase: 'first' | 'again' | 'over'): Severity {
  if (calm.has(kind) || (phase === 'over' && kind !== 'count.left')) return 'info';
  return errors.has(kind) ? 'error' : 'warning';
}

export function worst(all: readonly Severity[]): Severity {
  return severities.findLast((severity) => all.includes(severity)) ?? 'info';
}
