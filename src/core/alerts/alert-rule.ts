/** The contract of a rule of alerts: which alerts hold in a run, and which are unknown in it. */

import type { AlertDetails } from '../facts/alert-event.ts';
import type { EventKind } from '../facts/event-kinds.ts';
import type { AlertState } from '../facts/remembered.ts';

/** Alerts that were opened and have not ended, by key. */
export type OpenAlerts = ReadonlyMap<string, AlertState>;

export interface FiringAlert {
  readonly key: string;
  readonly kind: EventKind;
  readonly details: AlertDetails;
  /** Cause or word that the alert is about; another one makes a new alert. */
  readonly about?: string | undefined;
  /** The slot in which it began, if before this run. */
  readonly since?: string | undefined;
  /** The content of an event in every run while the alert is open. Without it, only the week's reminders repeat the alert. */
  readonly repeated?: AlertDetails;
  /** The notice of a first run counts it, so it opens without an event. */
  readonly isCounted?: true | undefined;
}

/** The end of an alert: under its own kind, unless the event has one of its own. */
export interface AlertEnd {
  readonly kind?: EventKind;
  readonly details: AlertDetails;
}

/**
 * The two sets of a rule. An open alert of the rule that neither fires nor is unknown has ended, so that missing data
 * must be named here to hold an alert open, and an alert that was sent as open is always sent as ended.
 */
export interface RuleVerdict {
  /** Beginning of the keys for which the rule speaks. */
  readonly prefix: string;
  /** Ordered as their events are. */
  readonly firing: readonly FiringAlert[];
  readonly isUnknown: (key: string) => boolean;
  /** The end of an alert; where this is missing, the sentence in the table of kinds says it. */
  readonly describeEnd?: (alert: AlertState) => AlertEnd;
}

/** News that is sent once: it opens nothing, and nothing ends it. */
export interface Notice {
  readonly key: string;
  readonly kind: EventKind;
  readonly details: AlertDetails;
}

/** The verdicts of all rules on a run, and its notices. */
export interface AlertVerdicts {
  readonly rules: readonly RuleVerdict[];
  readonly notices: readonly Notice[];
}
