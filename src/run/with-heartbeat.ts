/** A run that is noticed from outside: a heartbeat around it, and word through every channel when it fails. */

import { type Beat, beat } from '../alerts/delivery/heartbeat.ts';
import { tellFailure } from '../alerts/delivery/report-failure.ts';
import { asMusterError, type ErrorCode, type MusterError } from '../errors.ts';
import type { Outcome, Parts } from '../night.ts';

export interface Noticing {
  readonly agent: string;
  readonly slot: string;
  /** Milliseconds that may be spent on telling that the run failed. */
  readonly farewell?: () => number;
  /** Told why nobody outside heard: no reason to fail a night. */
  readonly warn?: (error: MusterError) => void;
}

const longestFarewell = 10_000;
/** A person asked for something that is not to be had, or stopped it: they know. */
const known: ReadonlySet<ErrorCode> = new Set(['slot-refused', 'stopped']);

export async function noticed(
  run: () => Promise<Outcome>,
  { store, alerts }: Pick<Parts, 'store' | 'alerts'>,
  { agent, slot, farewell, warn }: Noticing,
): Promise<Outcome> {
  const left = () => Math.min(longestFarewell, farewell?.() ?? longestFarewell);
  const pulse = async (what: Beat) => {
    if (alerts?.heartbeat === undefined) return;
    const failure = await beat(alerts.heartbeat, what, left());
    if (failure !== undefined) warn?.(failure);
  };
  await pulse('start');
  let outcome: Outcome;
  try {
    outcome = await run();
  } catch (cause) {
    const error = asMusterError(cause, 'The night');
    const patience = left();
    const tell = alerts !== undefined && !known.has(error.code) && patience > 0;
    await Promise.all([pulse('fail'), tell && tellFailure({ agent, slot, error, store, patience }, alerts)]);
    throw cause;
  }
  const what = verdictOf(outcome);
  if (what !== undefined) await pulse(what);
  return outcome;
}

/** Nothing for a night that somebody else publishes and delivers just now: their run says how that ends. */
function verdictOf({ did, delivery, unfinished }: Outcome): Beat | undefined {
  if (unfinished !== undefined || (delivery !== undefined && delivery.undelivered.length > 0)) return 'fail';
  return did === 'overtaken' && delivery === undefined ? undefined : 'success';
}
