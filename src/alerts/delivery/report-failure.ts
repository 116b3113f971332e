/**
 * A run that failed has published nothing that a message could belong to, so its failure is reported at once, without
 * a guarantee; the CloudWatch alarm and the heartbeat are the reliable signals. It is reported once for each slot, as
 * far as the store can record that.
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
  /** Longest time for all of it, in milliseconds. */
  readonly timeLimit: number;
}

/** Names of the channels that accepted the message. */
export async function reportFailure(
  { agent, slot, error, store, timeLimit }: FailedRun,
  alerts: AlertContext,
): Promise<string[]> {
  const failure = buildFailureMessage(agent, slot, error);
  const reported = await Promise.all(
    alerts.channels.map(async (channel) => {
      const marker = `runs/${slot}/failed/${channel.name}.json`;
      if (await store.read(marker).catch(() => undefined)) {
        return [];
      }
      for (const [index, payload] of channel.render(failure).entries()) {
        const message = { payload, key: `muster/${slot}/failed/${channel.name}-${index + 1}` };
        if (await sendToChannel(channel, message, { ...alerts, signal: AbortSignal.timeout(timeLimit) }, timeLimit)) {
          return [];
        }
      }
      await createIfAbsent(store, marker, { schema: 1, at: alerts.clock.now().toISOString() }).catch(() => undefined);
      return [channel.name];
    }),
  );
  return reported.flat();
}

export function buildFailureMessage(agent: string, slot: string, error: unknown): AlertMessage {
  const { code, message } = toMusterError(error, 'The run');
  // An unexpected error may contain anything, so its text is only in the log.
  const text = code === 'unexpected' ? 'An unexpected error; see the log.' : toSafeText(message, 600);
  const kind = 'run.failed';
  const section = { title: 'What went wrong', ask: 'See the log, fix the cause and run the slot again.' };
  return {
    digest: {
      about: 'failure',
      agent: toSafeText(agent, 60),
      slot,
      kinds: [kind],
      severity: 'error',
      further: 0,
      title: `The run of ${slot} failed; nothing is published for it`,
      sections: [{ ...section, count: 1, lines: [`${text} [${code}]`], more: 0 }],
    },
    events: [{ kind, key: `run:${slot}`, phase: 'first', slot, since: slot, text: `${text} [${code}]` }],
  };
}
