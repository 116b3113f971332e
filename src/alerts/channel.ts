/**
 * The contract of a channel: where a run's message is sent.
 *
 * To add one: its own file in `channels/` with its settings and how it is opened (`defineChannel`), and one line in
 * `channel-kinds.ts`. A payload is plain JSON and the same for the same message: it never holds a secret, nor the address
 * that it is sent to.
 */
import type { Clock } from '../http/clock.ts';
import type { AlertMessage } from './message/digest.ts';
import type { EventSelection } from './message/digest-event.ts';

export interface SendContext {
  /** The same for every attempt to send the same payload. */
  readonly key: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** On the clock's `elapsed` scale: no attempt begins after it. */
  readonly deadline: number;
  /** Receives the failure of each attempt, also of those that are repeated. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
  /** The report that the channel attaches, where a run has it. */
  readonly attachment?: Buffer | 'too large' | undefined;
}

export interface Channel {
  /** From the settings: part of keys, and of what a run lists it by. */
  readonly name: string;
  /**
   * A hash of what the settings say of where it sends. What it lacks belongs to this name at this address; the value of
   * a secret can change without that, so that a repaired address gets what it missed.
   */
  readonly address?: string;
  /** Without it, all events. */
  readonly only?: EventSelection;
  /** People read of what changed, in one message; programs keep every key, and are told of each. */
  readonly audience: 'people' | 'programs';
  /** People get one summary a week, and errors at once. */
  readonly isWeekly?: boolean;
  /** The report that comes with its messages, where it is not larger than the receiver takes. */
  readonly attaches?: { readonly file: string; readonly maximumBytes: number };
  /** Within the recipient's limits, by construction; the payload says how much was left out. */
  render(message: AlertMessage): readonly unknown[];
  /** Resolves when the recipient has accepted the payload. */
  send(payload: unknown, sending: SendContext): Promise<void>;
  /** The server that it asks, where the channel knows it and no setting holds its address: a proxy may lead there. */
  readonly server?: URL;
  /** Reaches the recipient and signs in, and sends no message. */
  tryConnection?(sending: ConnectionContext): Promise<void>;
}

export type ConnectionContext = Pick<SendContext, 'clock' | 'signal' | 'deadline'>;

/** Longest time to send one message, all attempts included. */
export const sendTimeout = 60_000;
