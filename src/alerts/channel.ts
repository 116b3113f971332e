/**
 * The contract of a channel, which sends a run's message to one receiver.
 *
 * To add one: a file in `channels/` with its settings and how it is opened (`defineChannel`), and one line in
 * `channel-kinds.ts`. A payload is plain JSON, the same for the same message, and never contains a secret or the
 * address.
 */
import type { Clock } from '../http/clock.ts';
import type { AlertMessage } from './message/digest.ts';
import type { EventSelection } from './message/digest-event.ts';

export interface SendContext {
  /** Idempotency key: the same for every attempt to send the same payload. */
  readonly key: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Time on the clock's `elapsed` scale after which no attempt begins. */
  readonly deadline: number;
  /** Receives the failure of each attempt, also of attempts that are repeated. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
  /** The report to attach, if the channel attaches one and the run has it. */
  readonly attachment?: Buffer | 'too large' | undefined;
}

export interface Channel {
  /** Name from the settings; part of keys, and of the list of channels in each run. */
  readonly name: string;
  /**
   * A hash of the settings that say where it sends. Undelivered messages belong to this name at this address; changing
   * the value of a secret keeps the hash, so that a repaired address receives them.
   */
  readonly address?: string;
  /** Selects its events; undefined for all. */
  readonly only?: EventSelection;
  /** `people` read one message about the changes; `programs` receive each event with its key. */
  readonly audience: 'people' | 'programs';
  /** True where people get one summary a week, and errors at once. */
  readonly isWeekly?: boolean;
  /** The report to attach, unless it is larger than the receiver accepts. */
  readonly attaches?: { readonly file: string; readonly maximumBytes: number };
  /** Renders payloads within the receiver's limits; they say how much was left out. */
  render(message: AlertMessage): readonly unknown[];
  /** Sends one payload; resolves when the receiver has accepted it. */
  send(payload: unknown, sending: SendContext): Promise<void>;
  /** Its server, where no setting holds the address: a proxy may be needed to reach it. */
  readonly server?: URL;
  /** Connects to the receiver and signs in, without sending a message. */
  tryConnection?(sending: ConnectionContext): Promise<void>;
}

export type ConnectionContext = Pick<SendContext, 'clock' | 'signal' | 'deadline'>;

/** Milliseconds in which one message is sent, all attempts included. */
export const sendTimeout = 60_000;
