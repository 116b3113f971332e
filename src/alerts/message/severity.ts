/** The events of a message, and their severity, by which recipients filter them. */
import type { AlertEvent, EventDevice } from '../../core/alerts/alert-event.ts';
import {
  definitionOfKind,
  type EventKind,
  type SectionName,
  type Severity,
  severities,
} from '../../core/alerts/event-kinds.ts';
import { type Reason, reasons } from '../../core/vocabulary.ts';

/** A run's events, the failure of a run, and a test. */
export type DigestEventKind = EventKind | 'run.failed' | 'test';

export interface DigestEvent extends Omit<AlertEvent, 'kind'> {
  readonly kind: DigestEventKind;
}

export function determineSeverity(kind: DigestEventKind, phase: AlertEvent['phase']): Severity {
  if (kind === 'test') {
    return 'info';
  }
  if (kind === 'run.failed') {
    return 'error';
  }
  const { severity, resolvedSeverity = 'info' } = definitionOfKind(kind);
  return phase === 'over' ? resolvedSeverity : severity;
}

/** The heading of an event; undefined for the failure of a run and for a test. */
export function findSection({ kind, phase, device }: DigestEvent): SectionName | undefined {
  if (kind === 'test' || kind === 'run.failed') {
    return undefined;
  }
  const { section, resolvedSection = section } = definitionOfKind(kind);
  if (phase === 'over') {
    return resolvedSection;
  }
  // Only where the platform said so; otherwise nobody knows that the agent is gone.
  if (kind === 'device.lost' && device !== undefined && !isClear(device.reason)) {
    return 'silent';
  }
  return section;
}

function isClear(reason: EventDevice['reason']): boolean {
  return reason in reasons && reasons[reason as Reason].isClear;
}

export function findWorstSeverity(all: readonly Severity[]): Severity {
  return severities.findLast((severity) => all.includes(severity)) ?? 'info';
}
