/** The channels of the settings with everything that delivery needs. */
import type { Clock } from '../../http/clock.ts';
import type { Channel } from '../channel.ts';
import type { ComposeSettings } from './compose-message.ts';
import type { Heartbeat } from './heartbeat.ts';

export interface AlertContext extends ComposeSettings {
  readonly channels: readonly Channel[];
  readonly clock: Clock;
  /** Aborts all sending. */
  readonly signal: AbortSignal;
  readonly heartbeat?: Heartbeat;
}
