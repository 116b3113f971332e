/** What is sent: events of a run, and how much each asks of a person, for the filters of those who take them. */
import type { Event, EventDevice } from '../../core/alerts/event.ts';
import {
  definitionOfKind,
  type EventKind,
  type SectionName,
  type Severity,
  severities,
} from '../../core/alerts/event-kinds.ts';
import { type Reason, reasons } from '../../core/vocabulary.ts';

/** Kinds of what is sent: a run's events, a run that failed before there was anything to judge, and a test. */
export type NewsKind = EventKind | 'run.failed' | 'test';

export interface NewsEvent extends Omit<Event, 'kind'> {
  readonly kind: NewsKind;
}

export function severityOf(kind: NewsKind, phase: Event['phase']): Severity {
  if (kind === 'test') return 'info';
  if (kind === 'run.failed') return 'error';
  const { severity, resolvedSeverity = 'info' } = definitionOfKind(kind);
  return phase === 'over' ? resolvedSeverity : severity;
}

/** The heading under which an event stands; undefined for what is no event of a run. */
export function sectionOf({ kind, phase, device }: NewsEvent): SectionName | undefined {
  if (kind === 'test' || kind === 'run.failed') return undefined;
  if (phase === 'over' && kind === 'deployment.drift') return 'resolved';
  // Only where the platform said so; otherwise nobody knows that the agent is gone.
  if (kind === 'device.lost' && device !== undefined && !isClear(device.reason)) return 'silent';
  return definitionOfKind(kind).section;
}

function isClear(reason: EventDevice['reason']): boolean {
  return reason in reasons && reasons[reason as Reason].isClear;
}

export function worst(all: readonly Severity[]): Severity {
  return severities.findLast((severity) => all.includes(severity)) ?? 'info';
}
