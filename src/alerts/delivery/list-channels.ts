/** A run's events with the channels of the settings, and the figures for each channel. */
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { Night } from '../../core/facts/judged.ts';
import type { ListedChannel, RunEvents } from '../../storage/runs/events-record.ts';
import type { Channel } from '../channel.ts';
import { hasScope, measureScope } from '../message/channel-scope.ts';

/** Describes the events; `number` is the run's commit, `before` has the channels of the run before. */
export function describeRunEvents(
  night: Night,
  channels: readonly Channel[],
  { number, before }: { readonly number: number; readonly before: readonly ListedChannel[] },
): RunEvents {
  const { agent, slot, events, later, difference } = night;
  return {
    agent,
    slot,
    events,
    channels: channels.map((channel) => {
      const { name, address, only } = channel;
      const from = before.find((one) => isSameChannel(one, channel))?.from ?? number;
      const scope = hasScope(only) ? measureScope(night, only) : undefined;
      return { name, from, ...omitUndefined({ address, scope }) };
    }),
    ...measureScope(night),
    ...(difference && { difference }),
    later,
  };
}

/** Whether name and address are the same: a channel that takes over a name never gets another one's messages. */
export function isSameChannel(one: Pick<ListedChannel, 'name' | 'address'>, { name, address }: Channel): boolean {
  return one.name === name && one.address === address;
}
