/**
 * A run that failed has no night to belong to, so it is told at once and as well as can be; the alarm and the
 * heartbeat are what can be relied on. It is told once a slot where the store can say so.
 */
import { type MusterError, toMusterError } from '../../errors.ts';
import { createIfAbsent } from '../../storage/runs/outbox.ts';
import type { Store } from '../../storage/store.ts';
import type { AlertMessage } from '../message/digest.ts';
import { toSafeText } from '../message/safe-text.ts';
import type { AlertContext } from './compose-messages.ts';
import { sendToChannel } from './deliver.ts';

interface FailedRun {
  readonly agent: string;
  readonly slot: string;
  readonly error: MusterError;
  readonly store: Store;
  /** Longest that all of it may take, in milliseconds. */
  readonly patience: number;
}

/** Names of the channels that took it. */
export async function reportFailure(
  { agent, slot, error, store, patience }: FailedRun,
  alerts: AlertContext,
): Promise<string[]> {
  const news = buildFailureMessage(agent, slot, error);
  const told = await Promise.all(
    alerts.channels.map(async (channel) => {
      const marker = `runs/${slot}/failed/${channel.name}.json`;
      if (await store.read(marker).catch(() => undefined)) {
        return [];
      }
      for (const [index, payload] of channel.render(news).entries()) {
        const message = { payload, key: `muster/${slot}/failed/${channel.name}-${index + 1}` };
        if (await sendToChannel(channel, message, { ...alerts, signal: AbortSignal.timeout(patience) }, patience)) {
          return [];
        }
      }
      await createIfAbsent(store, marker, { schema: 1, at: alerts.clock.now().toISOString() }).catch(() => undefined);
      return [channel.name];
    }),
  );
  return told.flat();
}

export function buildFailureMessage(agent: string, slot: string, error: unknown): AlertMessage {
  const { code, message } = toMusterError(error, 'The night');
  // What nobody expected may say anything: its words are for the log alone.
  const text = code === 'unexpected' ? 'An error that nobody expected; the log has it.' : toSafeText(message, 600);
  const kind = 'run.failed';
  const section = { title: 'What went wrong', ask: 'See the log, mend it, and run the night again.' };
  return {
    digest: {
      ...{ about: 'failure', agent: toSafeText(agent, 60), slot, kinds: [kind], severity: 'error', further: 0 },
      title: `The night of ${slot} failed; nothing is published for it`,
      sections: [{ ...section, count: 1, lines: [`${text} [${code}]`], more: 0 }],
    },
    events: [{ kind, key: `run:${slot}`, phase: 'first', slot, since: slot, text: `${text} [${code}]` }],
  };
}
