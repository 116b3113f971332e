/**
 * One night as an AWS Lambda function, started by EventBridge Scheduler. A thin twin of `cli/run.ts`.
 *
 * It throws when nothing was published, so that the alarm and the failure queue see it. That another run published
 * this slot meanwhile is a success, and the answer says so.
 */
import type { Context } from 'aws-lambda';
import { nightOf, type Started, start } from './compose/start.ts';
import { intervalOf } from './core/coverage.ts';
import { asMusterError, MusterError } from './errors.ts';
import { systemClock } from './http/clock.ts';
import { boundsOf } from './lambda/bounds.ts';
import { readEvent, type Wish } from './lambda/event.ts';
import { lambdaLog, makeLogger } from './lambda/log.ts';
import { emitMetrics } from './lambda/metrics.ts';
import { hurried } from './lambda/with-deadline.ts';
import { harmless, type Log } from './log.ts';
import { acceptNight, type Outcome, type Parts } from './night.ts';
import { loggedProgress, logOutcome } from './run/log-progress.ts';
import { scheduledSlot, slotOf } from './settings/schedule.ts';

/** A small answer for whoever asks by hand; everything else is in the reports and the log. */
export interface Summary {
  readonly exit: Outcome['exit'];
  readonly did: Outcome['did'];
  readonly slot: string;
  readonly said: string;
  /** Percent, over all sources: certainly, headline, at most. Missing where nothing was judged. */
  readonly coverage?: { readonly low: string; readonly coverage: string; readonly high: string };
}

/** All that outlives an invocation. */
const naming = {
  namespace: process.env.POWERTOOLS_METRICS_NAMESPACE || 'Muster',
  serviceName: process.env.POWERTOOLS_SERVICE_NAME || 'muster',
};
const logger = makeLogger(naming.serviceName);

export async function handler(event: unknown, context: Context): Promise<Summary> {
  const began = systemClock.now();
  const elapsed = systemClock.elapsed();
  const bounds = boundsOf(context.getRemainingTimeInMillis(), elapsed);
  const log = lambdaLog(logger, context);
  try {
    const wish = readEvent(event);
    const { gathering: signal, deadline } = bounds;
    const started = await start({ environment: process.env, signal, deadline, watch: loggedProgress(log) });
    const parts = inTime(started.parts, bounds.publishing);
    const { slot, outcome } = await fulfil(wish, { ...started, parts }, { began, context, log });
    logOutcome(outcome, log);
    if (outcome.did !== 'looked') emitMetrics(outcome, systemClock.elapsed() - elapsed, naming);
    return summaryOf(slot, outcome);
  } catch (error) {
    const { code, message, cause } = asMusterError(error, 'The night');
    const stack = code === 'unexpected' && cause instanceof Error ? { stack: cause.stack } : {};
    log('error', 'run.failed', { code, message, ...stack });
    // Lambda logs and keeps what is thrown, so it holds the sentence and nothing that caused it.
    throw new MusterError(code, harmless(`${message} [${code}]`));
  } finally {
    bounds.close();
  }
}

function inTime({ store, audit, alerts, ...parts }: Parts, signal: AbortSignal): Parts {
  return {
    ...{ ...parts, store: hurried(store, signal) },
    ...(audit ? { audit: hurried(audit, signal) } : {}),
    ...(alerts ? { alerts: { ...alerts, signal } } : {}),
  };
}

interface Invocation {
  readonly began: Date;
  readonly context: Context;
  readonly log: Log;
}

/** What is left for the log line and the answer once a failure was told. */
const lastWords = 1_500;

async function fulfil(
  wish: Wish,
  started: Started,
  { began, context, log }: Invocation,
): Promise<{ readonly slot: string; readonly outcome: Outcome }> {
  if (wish.is === 'accept') {
    // AWS's own trail says who made this request.
    const by = `Lambda request ${context.awsRequestId}`;
    return { slot: wish.slot, outcome: await acceptNight(wish.slot, by, started.parts) };
  }
  const { schedule } = started.settings;
  const slot =
    wish.scheduledTime === undefined
      ? slotOf(schedule, wish.slot, began)
      : scheduledSlot(schedule, wish.scheduledTime, began);
  const farewell = () => context.getRemainingTimeInMillis() - lastWords;
  const warn = ({ code, message }: MusterError) => log('warn', 'heartbeat.unheard', { code, message });
  return { slot: slot.slot, outcome: await nightOf(started, slot, { began, dryRun: wish.dryRun, farewell, warn }) };
}

const sentences: Readonly<Record<Outcome['did'], string>> = {
  published: 'The night is published.',
  stood: 'The night was published already, and nothing better was to be had; nothing was changed.',
  overtaken: 'Another run published this night meanwhile; this one changed nothing.',
  looked: 'Dry run: nothing was written.',
};

function summaryOf(slot: string, { exit, did, night, unfinished, delivery }: Outcome): Summary {
  const silent = (delivery?.undelivered ?? []).map(({ channel }) => channel);
  const told = silent.length === 0 ? sentences[did] : `${sentences[did]} Not delivered: ${silent.join(', ')}.`;
  const said = unfinished === undefined ? told : `${told} Not finished: ${unfinished.message}`;
  const all = night?.coverage.at(-1);
  return { ...{ exit, did, slot, said }, ...(all === undefined ? {} : { coverage: intervalOf(all) }) };
}
