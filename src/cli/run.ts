/** `muster run`: one run, with its progress. */

import { command } from '../base/command.ts';
import { MusterError } from '../base/errors.ts';
import { createJsonLog } from '../base/log.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { type PreparedRun, runPreparedNight } from '../compose/start.ts';
import { systemClock } from '../http/clock.ts';
import { toFigures } from '../reports/document/trend.ts';
import { describeUnfinished } from '../run/finish-run.ts';
import { describeHeldBack } from '../run/operations/kept-runs.ts';
import { describeResult, type RunOutcome } from '../run/outcome.ts';
import type { MetricsNaming } from '../run/reporting/emit-metrics.ts';
import { describeOutcome, logOutcome, logProgress } from '../run/reporting/log-progress.ts';
import { isLastStart } from '../settings/schedule/later-starts.ts';
import { resolveScheduledSlot, resolveSlot } from '../settings/schedule/schedule.ts';
import { parseScheduledTime } from '../settings/schedule/scheduled-time.ts';
import { findTenant } from '../settings/tenants.ts';
import { readCurrentRun } from '../storage/commits/log.ts';
import { readRunEvents } from '../storage/runs/events-record.ts';
import { readStateHead } from '../storage/runs/run-state.ts';
import type { Store } from '../storage/store.ts';
import { toExitCode } from './console/failure.ts';
import { createProgressView } from './console/progress.ts';
import { inSession, type JsonOptions, printJson, printLines } from './console/session.ts';
import { describeEmptyExemptions, formatDeliveryLines, formatHeadline, formatSummary } from './console/summary.ts';
import { toTerminalText } from './console/terminal-text.ts';
import { describePlan, formatPlan, planRun } from './plan-run.ts';

export interface RunOptions extends JsonOptions {
  readonly slot?: string;
  readonly dryRun?: boolean;
}

export async function runSlot({
  settings: settingsFile,
  slot: requested,
  dryRun = false,
  json,
}: RunOptions): Promise<number> {
  const isTerminal = process.stdout.isTTY && !json;
  const log = createJsonLog((line) => (json ? process.stderr : process.stdout).write(line), systemClock.now);
  const view = isTerminal ? createProgressView(process.stdout, systemClock.elapsed) : undefined;
  const session = { onProgress: view?.watch ?? logProgress(log), signalsWrongSettings: !dryRun };
  return inSession(settingsFile, session, async (prepared) => {
    try {
      const now = systemClock.now();
      const { schedule } = prepared.settings;
      const scheduledTime = requested === undefined ? process.env.MUSTER_SCHEDULED_TIME : undefined;
      const slot = scheduledTime
        ? resolveScheduledSlot(schedule, parseScheduledTime(scheduledTime, refuseTaskTime), now)
        : resolveSlot(schedule, requested, now);
      const warn = ({ code, message }: MusterError) =>
        isTerminal
          ? process.stderr.write(`${toTerminalText(message)}\n`)
          : log('warn', 'heartbeat.failed', { code, message });
      const outcome = await runPreparedNight(prepared, slot, { dryRun, warn });
      view?.close();
      const planned = dryRun && (isTerminal || json) ? outcome.night : undefined;
      const plan = planned && (await planRun(planned, prepared.parts));
      if (isTerminal) {
        const current = outcome.night === undefined ? await readCurrentLines(prepared.parts.store) : [];
        const planLines = planned && plan ? ['', ...formatPlan(planned, plan, prepared.parts.store.name)] : [];
        printLines(['', ...formatOutcome(outcome, prepared), ...planLines, ...current]);
      } else {
        logOutcome(outcome, log);
      }
      if (json) {
        const coverage = outcome.night?.coverage.map(toFigures);
        const described = planned && plan ? { plan: describePlan(planned, plan) } : {};
        printJson({ ...describeOutcome(outcome), coverage, ...described });
      }
      if (!dryRun) {
        const facts = { milliseconds: performance.now(), isLastStart: isLastStart(schedule, slot, now) };
        await emitTaskMetrics(settingsFile, ({ emitMetrics }, naming) => emitMetrics(outcome, facts, naming));
      }
      return outcome.exit;
    } catch (error) {
      if (!isTerminal) {
        const code = error instanceof MusterError ? error.code : 'unexpected';
        const message = error instanceof Error ? error.message : String(error);
        log('error', 'run.failed', { code, message, exit: toExitCode(error) });
      }
      throw error;
    }
  });
}

/** Throws about the time for which a scheduler started the command as a container task. */
function refuseTaskTime(why: string): never {
  throw new MusterError('command-line', `MUSTER_SCHEDULED_TIME was rejected: ${why}.`);
}

export function formatOutcome(
  outcome: RunOutcome,
  { settings, parts }: Pick<PreparedRun, 'settings' | 'parts'>,
): string[] {
  const { night, did, unfinished = [], delivery } = outcome;
  const deliveryLines = formatDeliveryLines(delivery, settings.alerts.channels.length);
  const unfinishedLines = unfinished.map(describeUnfinished);
  if (night === undefined) {
    const hasMessages = delivery !== undefined && delivery.delivered.length + delivery.undelivered.length > 0;
    return [describeResult(outcome), ...unfinishedLines, ...(hasMessages ? deliveryLines : [])];
  }
  const { heldBack } = night.state.runs;
  const heldBackLines = heldBack === undefined ? [] : [describeHeldBack(heldBack)];
  const remarks = [...describeEmptyExemptions(settings, night), ...heldBackLines];
  if (did === 'dryRun') {
    return [...formatSummary(night), '', describeResult(outcome), ...remarks];
  }
  const where = `Reports: ${parts.store.name}/latest/   (the page: ${command} open)`;
  return [...formatSummary(night), '', where, ...remarks, ...unfinishedLines, ...deliveryLines];
}

/** Lines with the figures of the current run, for a person who starts a run again. */
export async function readCurrentLines(store: Store): Promise<string[]> {
  const currentRun = await readCurrentRun(store);
  const last = currentRun && (await readStateHead(store, currentRun)).history.at(-1);
  const all = last?.coverage.at(-1);
  if (currentRun === undefined || all === undefined) {
    return [];
  }
  const { unproven = [] } = (await readRunEvents(store, currentRun)).figures;
  const page = `Page: ${store.name}/latest/index.html   (${command} open)`;
  return ['', `Run of ${last?.slot}:`, ...formatHeadline(all, unproven), page];
}

/** Emits metrics of a command that the stack starts as a container task; otherwise does and loads nothing. */
export async function emitTaskMetrics(
  settingsFile: string | undefined,
  emit: (emitters: typeof import('../run/reporting/emit-metrics.ts'), naming: MetricsNaming) => void,
): Promise<void> {
  if (!process.env.POWERTOOLS_METRICS_NAMESPACE) {
    return;
  }
  const emitters = await import('../run/reporting/emit-metrics.ts');
  const naming = emitters.readMetricsNaming(process.env);
  if (naming === undefined) {
    return;
  }
  const tenant = findTenant(settingsFile ?? '', process.env);
  emit(emitters, { ...naming, ...omitUndefined({ tenant }) });
  emitters.emitMemory(process.resourceUsage().maxRSS * 1024, process.constrainedMemory(), naming);
}
