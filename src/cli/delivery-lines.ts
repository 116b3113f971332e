/** What channels took of a night, and what they did not, in words for a terminal. Pure. */

import type { Delivery } from '../alerts/delivery/deliver.ts';
import { pluralize } from '../core/pluralize.ts';

/** Nobody is told where no channel is set, and that is said too. */
export function formatDeliveryLines(delivery: Delivery | undefined, channels: number): string[] {
  const { delivered = [], undelivered = [], dropped = [] } = delivery ?? {};
  return [
    ...(channels === 0 ? ['No channel is set: nobody will be told.'] : []),
    ...(delivered.length === 0 ? [] : [`Told: ${delivered.map(formatMessageCount).join(', ')}.`]),
    ...(delivery !== undefined && channels > 0 && delivered.length + undelivered.length === 0
      ? ['Nothing to tell: no message was sent.']
      : []),
    ...undelivered.map(
      ({ channel, since, why }) => `Not told: ${channel}, since ${since}. ${why.message} The next run tries first.`,
    ),
    ...dropped.map(
      (one) => `Given up, as too old or for a channel that is no longer in the settings: ${formatMessageCount(one)}.`,
    ),
  ];
}

function formatMessageCount({ channel, messages }: { readonly channel: string; readonly messages: number }): string {
  return `${channel} (${messages} ${pluralize(messages, 'message')})`;
}
