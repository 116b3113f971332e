/** A run's events for whom they may concern: the channels of the settings, and the figures that each of them shows. */
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { Night } from '../../core/facts/judged.ts';
import type { ListedChannel, RunEvents } from '../../storage/runs/events-record.ts';
import type { Channel } from '../channel.ts';
import { hasScope, measureScope } from '../message/channel-scope.ts';

/** `number` is that of the run's own commit, `before` the channels of the run before it. */
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

/** Name and address decide: a channel that took the name of another gets nothing that was meant for that one. */
export function isSameChannel(one: Pick<ListedChannel, 'name' | 'address'>, { name, address }: Channel): boolean {
  return one.name === name && one.address === address;
}
