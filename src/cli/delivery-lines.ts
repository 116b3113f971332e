/** The messages that the channels accepted, and those that they did not, as lines for a terminal. Pure. */

import type { Delivery } from '../alerts/delivery/deliver.ts';
import { pluralize } from '../core/pluralize.ts';

/** Says also that no channel is set. */
export function formatDeliveryLines(delivery: Delivery | undefined, channels: number): string[] {
  const { delivered = [], undelivered = [], dropped = [] } = delivery ?? {};
  return [
    ...(channels === 0 ? ['No channel is set: nothing will be reported.'] : []),
    ...(delivered.length === 0 ? [] : [`Delivered: ${delivered.map(formatMessageCount).join(', ')}.`]),
    ...(delivery !== undefined && channels > 0 && delivered.length + undelivered.length === 0
      ? ['Nothing to report: no message was sent.']
      : []),
    ...undelivered.map(
      ({ channel, since, why }) =>
        `Not delivered: ${channel}, since ${since}. ${why.message} Retried first by the next run.`,
    ),
    ...dropped.map(
      (one) => `Dropped, since it is too old or its channel is no longer in the settings: ${formatDroppedCount(one)}.`,
    ),
  ];
}

function formatMessageCount({ channel, messages }: { readonly channel: string; readonly messages: number }): string {
  return `${channel} (${messages} ${pluralize(messages, 'message')})`;
}

function formatDroppedCount({ channel, messages, heldEvents = 0 }: NonNullable<Delivery['dropped']>[number]): string {
  const parts = [
    ...(messages === 0 ? [] : [`${messages} ${pluralize(messages, 'message')}`]),
    ...(heldEvents === 0 ? [] : [`${heldEvents} ${pluralize(heldEvents, 'event')} held for its weekly summary`]),
  ];
  return `${channel} (${parts.join(', ')})`;
}
