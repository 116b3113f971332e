/**
 * Runs Muster once as an AWS Lambda function, started by EventBridge Scheduler, like `cli/run.ts`.
 *
 * It throws when nothing was published, so that the alarm and the failure queue receive the failure. When another run
 * published the slot in the meantime, it succeeds, and its answer says so.
 */
import { Logger } from '@aws-lambda-powertools/logger';
import type { Context } from 'aws-lambda';
import { MusterError, toMusterError } from './base/errors.ts';
import { escapeUnsafeCharacters, type Log } from './base/log.ts';
import { omitUndefined } from './base/omit-undefined.ts';
import { openKeptStores, readNamedKeys } from './compose/parts.ts';
import { type PreparedRun, prepareRun, runPreparedNight } from './compose/start.ts';
import { systemClock } from './http/clock.ts';
import { prepareNetwork } from './http/prepare-network.ts';
import { createBounds } from './lambda/bounds.ts';
import { correctRuns } from './lambda/corrections.ts';
import { createLambdaEventError, type LambdaRunRequest, parseRunRequest } from './lambda/run-request.ts';
import {
  type InvocationSummary,
  summarizeOutcome,
  summarizeVerification,
  type VerificationSummary,
} from './lambda/summaries.ts';
import type { RunOutcome } from './run/outcome.ts';
import {
  emitMemory,
  emitMetrics,
  emitVerification,
  type MetricsNaming,
  readMetricsNaming,
} from './run/reporting/emit-metrics.ts';
import { logOutcome, logProgress, logVerification } from './run/reporting/log-progress.ts';
import { isLastStart } from './settings/schedule/later-starts.ts';
import { resolveScheduledSlot, resolveSlot } from './settings/schedule/schedule.ts';
import { readTenantsAddress } from './settings/tenants.ts';
import { verifyRuns } from './storage/verify/verify.ts';
import { limitStores } from './storage/with-deadline.ts';

/** The only values kept between invocations; the logger stays to know that the first one was the cold start. */
const metricsNaming = readMetricsNaming(process.env) ?? { namespace: 'Muster', serviceName: 'muster' };
const logger = new Logger({
  serviceName: metricsNaming.serviceName,
  jsonReplacerFn: (_key, value) => (typeof value === 'string' ? escapeUnsafeCharacters(value) : value),
});

export async function handler(event: unknown, context: Context): Promise<InvocationSummary | VerificationSummary> {
  const began = systemClock.now();
  const elapsed = systemClock.elapsed();
  using bounds = createBounds(context.getRemainingTimeInMillis(), elapsed);
  logger.addContext(context);
  let log = createLambdaLog();
  try {
    prepareNetwork(process.env);
    const request = parseRunRequest(event);
    const { tenant } = request;
    log = createLambdaLog(tenant);
    const settingsFile = locateSettings(tenant);
    const naming = { ...metricsNaming, ...omitUndefined({ tenant }) };
    if (request.action === 'verify') {
      return await verifyAndSummarize(request.slot, settingsFile, { signal: bounds.publishing, log, naming });
    }
    const { gathering: signal, deadline } = bounds;
    const started = await prepareRun({
      settingsFile,
      environment: process.env,
      signal,
      deadline,
      onProgress: logProgress(log),
      signalsWrongSettings: true,
    });
    const { alerts } = started.parts;
    const parts = {
      ...limitStores(started.parts, bounds.publishing),
      ...omitUndefined({ alerts: alerts && { ...alerts, signal: bounds.publishing } }),
    };
    const { slot, outcome, isLast, result } = await executeRequest(
      request,
      { ...started, parts },
      { began, context, log },
    );
    logOutcome(outcome, log);
    if (outcome.did !== 'dryRun') {
      emitMetrics(outcome, { milliseconds: systemClock.elapsed() - elapsed, isLastStart: isLast }, naming);
    }
    const summary = summarizeOutcome(slot, outcome, result);
    if (result !== undefined) {
      log('info', 'run.corrected', { ...omitUndefined({ slot }), sentence: summary.said });
    }
    return summary;
  } catch (error) {
    const { code, message, cause } = toMusterError(error, 'The run');
    const stack = code === 'unexpected' && cause instanceof Error ? { stack: cause.stack } : {};
    log('error', 'run.failed', { code, message, ...stack });
    // Throws the sentence alone, without the cause, since Lambda logs and stores it.
    throw new MusterError(code, escapeUnsafeCharacters(`${message} [${code}]`));
  } finally {
    emitMemory(process.resourceUsage().maxRSS * 1024, Number(context.memoryLimitInMB) * 1024 * 1024, metricsNaming);
  }
}

/** The address of a tenant's settings; undefined for the deployment's own, which the environment names. */
function locateSettings(tenant: string | undefined): string | undefined {
  if (tenant === undefined) {
    return undefined;
  }
  const folder = readTenantsAddress(process.env);
  if (folder === undefined) {
    throw createLambdaEventError('it has settings, and this deployment has no tenants (aws.tenants)');
  }
  return `${folder}${tenant}.yaml`;
}

/** Makes log lines as CloudWatch expects them: https://docs.aws.amazon.com/powertools/typescript/latest/features/logger/ */
function createLambdaLog(tenant?: string): Log {
  // Runs of many tenants share one log.
  return (level, event, data) => logger[level](event, { ...omitUndefined({ tenant }), ...data });
}

/** Milliseconds reserved for the log line and the answer after reporting a failure. */
const responseReserve = 1_500;

interface Executed {
  /** Undefined where nothing is published. */
  readonly slot: string | undefined;
  readonly outcome: RunOutcome;
  /** True where no later start heals the slot by itself. */
  readonly isLast: boolean;
  /** A sentence about a person's decision. */
  readonly result?: string;
}

async function executeRequest(
  request: Exclude<LambdaRunRequest, { readonly action: 'verify' }>,
  started: PreparedRun,
  { began, context, log }: { readonly began: Date; readonly context: Context; readonly log: Log },
): Promise<Executed> {
  const { schedule, retention } = started.settings;
  if (request.action !== 'night') {
    // AWS CloudTrail records who made this request.
    const by = `Lambda request ${context.awsRequestId}`;
    const { parts } = started;
    return { ...(await correctRuns(request, { parts, keptNights: retention.nights, by })), isLast: true };
  }
  const slot =
    request.scheduledTime === undefined
      ? resolveSlot(schedule, request.slot, began)
      : resolveScheduledSlot(schedule, request.scheduledTime, began);
  const failureNoticeBudget = () => context.getRemainingTimeInMillis() - responseReserve;
  const warn = ({ code, message }: MusterError) => log('warn', 'heartbeat.failed', { code, message });
  return {
    slot: slot.slot,
    outcome: await runPreparedNight(started, slot, { dryRun: request.dryRun, failureNoticeBudget, warn }),
    isLast: isLastStart(schedule, slot, began),
  };
}

/** Verifies the store alone, without secrets and platforms. */
async function verifyAndSummarize(
  slot: string | undefined,
  settingsFile: string | undefined,
  { signal, log, naming }: { readonly signal: AbortSignal; readonly log: Log; readonly naming: MetricsNaming },
): Promise<VerificationSummary> {
  const { store, audit, settings, folder } = limitStores(await openKeptStores(settingsFile, process.env), signal);
  const verification = await verifyRuns(store, { slot, audit, keys: await readNamedKeys(settings, folder) });
  logVerification(verification, log);
  emitVerification(verification.damage.length, naming);
  return summarizeVerification(verification);
}
