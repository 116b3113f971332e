/** The events of a message, and their severity, by which recipients filter them. */
import type { AlertEvent, EventDevice } from '../../core/facts/alert-event.ts';
import {
  type EventKind,
  eventKinds,
  type Phase,
  type SectionName,
  type Severity,
  severities,
} from '../../core/facts/event-kinds.ts';
import { type Reason, reasons } from '../../core/facts/vocabulary.ts';

/** A message that no run belongs to. */
export const otherKinds = {
  test: { meaning: 'A test of the channel; nothing happened.', severity: 'info' },
} as const satisfies Readonly<Record<string, { readonly meaning: string; readonly severity: Severity }>>;

/** A run's events, and the other messages. */
export type DigestEventKind = EventKind | keyof typeof otherKinds;

export interface DigestEvent extends Omit<AlertEvent, 'kind'> {
  readonly kind: DigestEventKind;
}

export function determineSeverity(kind: DigestEventKind, phase: Phase): Severity {
  if (isOtherKind(kind)) {
    return otherKinds[kind].severity;
  }
  const { severity, resolvedSeverity = 'info' } = eventKinds[kind];
  return phase === 'over' ? resolvedSeverity : severity;
}

/** The heading of an event; undefined for a test. */
export function findSection({ kind, phase, device }: DigestEvent): SectionName | undefined {
  if (isOtherKind(kind)) {
    return undefined;
  }
  const { section, resolvedSection = 'resolved' } = eventKinds[kind];
  if (phase === 'over') {
    return resolvedSection;
  }
  // Only where the platform said so; otherwise nobody knows that the agent is gone.
  if (kind === 'device.lost' && device !== undefined && !isClear(device.reason)) {
    return 'silent';
  }
  return section;
}

function isOtherKind(kind: DigestEventKind): kind is keyof typeof otherKinds {
  return kind in otherKinds;
}

function isClear(reason: EventDevice['reason']): boolean {
  return reason in reasons && reasons[reason as Reason].isClear;
}

export function findWorstSeverity(all: readonly Severity[]): Severity {
  return severities.findLast((severity) => all.includes(severity)) ?? 'info';
}
