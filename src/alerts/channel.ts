/**
 * The contract of a channel: where a night's message goes.
 *
 * To add one: its own file that returns this object, its settings' schema, its test (the shared suite in
 * `test/contracts/channel.ts`) and one line in `wire-alerts.ts`. A payload is plain JSON, kept in the store before
 * anything is sent: it never holds a secret, nor the address that it goes to.
 */
import type { Clock } from '../http/clock.ts';
import type { AlertMessage } from './message/digest.ts';

export interface SendContext {
  /** The same for every try at the same payload. */
  readonly key: string;
  readonly clock: Clock;
  /** Ends the sending. */
  readonly signal: AbortSignal;
  /** On the clock's `elapsed` scale: no try begins after it. */
  readonly deadline: number;
}

export interface Channel {
  /** Its type, and `-2`, `-3` for further ones of a type: part of keys, so it must not change. */
  readonly name: string;
  /** Within the limits of whoever takes it, by construction; what was left out is counted in it. */
  render(news: AlertMessage): readonly unknown[];
  /** Done means that the other side took it. */
  send(payload: unknown, sending: SendContext): Promise<void>;
}

/** Longest that one message may take, tries and all. */
export const sendTimeout = 60_000;
