/**
 * One night as an AWS Lambda function, started by EventBridge Scheduler. A thin twin of `cli/run.ts`.
 *
 * It throws when nothing was published, so that the alarm and the failure queue see it. That another run published
 * this slot meanwhile is a success, and the answer says so.
 */
import type { Context } from 'aws-lambda';
import { type PreparedRun, prepareRun, runPreparedNight } from './compose/start.ts';
import { computeInterval } from './core/coverage.ts';
import { MusterError, toMusterError } from './errors.ts';
import { systemClock } from './http/clock.ts';
import { createBounds } from './lambda/bounds.ts';
import { createLambdaLog, createLogger } from './lambda/log.ts';
import { emitMetrics } from './lambda/metrics.ts';
import { type LambdaRunRequest, parseRunRequest } from './lambda/run-request.ts';
import { withDeadline } from './lambda/with-deadline.ts';
import { escapeUnsafeCharacters, type Log } from './log.ts';
import { acceptNight, type Parts, type RunOutcome } from './night.ts';
import { logOutcome, logProgress } from './run/log-progress.ts';
import { resolveScheduledSlot, resolveSlot } from './settings/schedule.ts';

/** A small answer for whoever asks by hand; everything else is in the reports and the log. */
export interface InvocationSummary {
  readonly exit: RunOutcome['exit'];
  readonly did: RunOutcome['did'];
  readonly slot: string;
  readonly said: string;
  /** Percent, over all sources: certainly, headline, at most. Missing where nothing was judged. */
  readonly coverage?: { readonly low: string; readonly coverage: string; readonly high: string };
}

/** All that outlives an invocation. */
const metricsNaming = {
  namespace: process.env.POWERTOOLS_METRICS_NAMESPACE || 'Muster',
  serviceName: process.env.POWERTOOLS_SERVICE_NAME || 'muster',
};
const logger = createLogger(metricsNaming.serviceName);

export async function handler(event: unknown, context: Context): Promise<InvocationSummary> {
  const began = systemClock.now();
  const elapsed = systemClock.elapsed();
  const bounds = createBounds(context.getRemainingTimeInMillis(), elapsed);
  const log = createLambdaLog(logger, context);
  try {
    const wish = parseRunRequest(event);
    const { gathering: signal, deadline } = bounds;
    const started = await prepareRun({ environment: process.env, signal, deadline, onProgress: logProgress(log) });
    const parts = applyDeadline(started.parts, bounds.publishing);
    const { slot, outcome } = await executeRequest(wish, { ...started, parts }, { began, context, log });
    logOutcome(outcome, log);
    if (outcome.did !== 'dryRun') {
      emitMetrics(outcome, systemClock.elapsed() - elapsed, metricsNaming);
    }
    return summarizeOutcome(slot, outcome);
  } catch (error) {
    const { code, message, cause } = toMusterError(error, 'The night');
    const stack = code === 'unexpected' && cause instanceof Error ? { stack: cause.stack } : {};
    log('error', 'run.failed', { code, message, ...stack });
    // Lambda logs and keeps what is thrown, so it holds the sentence and nothing that caused it.
    throw new MusterError(code, escapeUnsafeCharacters(`${message} [${code}]`));
  } finally {
    bounds.close();
  }
}

function applyDeadline({ store, audit, alerts, ...parts }: Parts, signal: AbortSignal): Parts {
  return {
    ...{ ...parts, store: withDeadline(store, signal) },
    ...(audit ? { audit: withDeadline(audit, signal) } : {}),
    ...(alerts ? { alerts: { ...alerts, signal } } : {}),
  };
}

interface Invocation {
  readonly began: Date;
  readonly context: Context;
  readonly log: Log;
}

/** What is left for the log line and the answer once a failure was told. */
const responseReserve = 1_500;

async function executeRequest(
  wish: LambdaRunRequest,
  started: PreparedRun,
  { began, context, log }: Invocation,
): Promise<{ readonly slot: string; readonly outcome: RunOutcome }> {
  if (wish.is === 'accept') {
    // AWS's own trail says who made this request.
    const by = `Lambda request ${context.awsRequestId}`;
    return { slot: wish.slot, outcome: await acceptNight(wish.slot, by, started.parts) };
  }
  const { schedule } = started.settings;
  const slot =
    wish.scheduledTime === undefined
      ? resolveSlot(schedule, wish.slot, began)
      : resolveScheduledSlot(schedule, wish.scheduledTime, began);
  const farewell = () => context.getRemainingTimeInMillis() - responseReserve;
  const warn = ({ code, message }: MusterError) => log('warn', 'heartbeat.unheard', { code, message });
  return {
    slot: slot.slot,
    outcome: await runPreparedNight(started, slot, { began, dryRun: wish.dryRun, failureNoticeBudget: farewell, warn }),
  };
}

const outcomeSentences: Readonly<Record<RunOutcome['did'], string>> = {
  published: 'The night is published.',
  unchanged: 'The night was published already, and nothing better was to be had; nothing was changed.',
  superseded: 'Another run published this night meanwhile; this one changed nothing.',
  dryRun: 'Dry run: nothing was written.',
};

function summarizeOutcome(slot: string, { exit, did, night, unfinished, delivery }: RunOutcome): InvocationSummary {
  const silent = (delivery?.undelivered ?? []).map(({ channel }) => channel);
  const told =
    silent.length === 0 ? outcomeSentences[did] : `${outcomeSentences[did]} Not delivered: ${silent.join(', ')}.`;
  const said = unfinished === undefined ? told : `${told} Not finished: ${unfinished.message}`;
  const all = night?.coverage.at(-1);
  return { ...{ exit, did, slot, said }, ...(all === undefined ? {} : { coverage: computeInterval(all) }) };
}
