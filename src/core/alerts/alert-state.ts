/** The memory of what was alerted on. Types only. */
import type { EventKind } from './event-kinds.ts';

/** A matter that was told and is not over. Part of the state: it decides what is told next. */
export interface AlertState {
  readonly key: string;
  /** The kind under which it was told last; a device of a first night is told by its `baseline`. */
  readonly kind: EventKind;
  readonly since: string;
  /** The slot on which it was told last. */
  readonly last: string;
  /** The device's overdue reminder was told last on this slot. */
  readonly overdue?: string;
  /** What exactly was told, where telling something else is news: a fingerprint, a word. */
  readonly about?: string;
}
