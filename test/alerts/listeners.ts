/** Channels in this process that note what they are sent, and a company that has them. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Channel } from '../../src/alerts/channel.ts';
import type { AlertContext } from '../../src/alerts/delivery/alert-context.ts';
import { renderPlainText } from '../../src/alerts/message/plain-text.ts';
import { MusterError } from '../../src/base/errors.ts';
import type { Clock } from '../../src/http/clock.ts';
import type { Parts } from '../../src/run/parts.ts';
import type { Store } from '../../src/storage/store.ts';
import type { Company } from '../night/small.ts';

export interface Listener extends Channel {
  /** Keys and texts in the order in which they were taken. */
  readonly taken: { readonly key: string; readonly text: string }[];
  /** Takes nothing while it is true. */
  down: boolean;
}

/** `parts`: one message for each event, instead of one for all. */
export function listener(name: string, parts = false): Listener {
  const made: Listener = {
    name,
    audience: parts ? 'programs' : 'people',
    taken: [],
    down: false,
    render: (message) =>
      parts ? message.events.map(({ kind, key }) => `${kind} ${key}`) : [renderPlainText(message.digest)],
    async send(payload, { key, signal }) {
      signal.throwIfAborted();
      if (made.down) {
        throw new MusterError('channel-refused', `${name} is down.`);
      }
      made.taken.push({ key, text: String(payload) });
      // The answer takes a moment.
      await turn();
    },
  };
  return made;
}

export function alertsWith(channels: readonly Channel[], clock: Clock): AlertContext {
  return { channels, clock, link: (slot) => `/reports/${slot}`, signal: new AbortController().signal };
}

export function partsWith(made: Company, store: Store, channels: readonly Channel[], clock: Clock): Parts {
  return { ...made.parts(store), alerts: alertsWith(channels, clock) };
}

/** How often each key was taken. */
export function counts({ taken }: Listener): Map<string, number> {
  const all = new Map<string, number>();
  for (const { key } of taken) {
    all.set(key, (all.get(key) ?? 0) + 1);
  }
  return all;
}
