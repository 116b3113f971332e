/** Writes the progress of a night's sources, and its outcome, as log lines. */

import type { Log } from '../../base/log.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { Waiting } from '../../http/wait-budget.ts';
import type { Verification } from '../../storage/verify/verify.ts';
import type { ProgressListener } from '../gather.ts';
import type { RunOutcome } from '../outcome.ts';

export function logProgress(log: Log): ProgressListener {
  const pages = new Map<string, number>();
  return (source, step) => {
    if ('reading' in step) {
      const { reading, problem, receipt } = step;
      const level = reading === 'complete' ? 'info' : 'warn';
      log(level, 'source.read', { source, reading, ...omitUndefined({ problem }), receipt });
    } else if ('nextTryAt' in step) {
      log('warn', 'source.waiting', { source, ...step, message: `waiting for ${source}: ${formatWaiting(step)}` });
    } else if ('after' in step) {
      log('warn', 'source.again', { source, ...step });
    } else if (step.pages !== pages.get(source)) {
      pages.set(source, step.pages);
      log('info', 'source.progress', { source, ...step });
    }
  };
}

/** Formats a wait: `HTTP 503, next try at 05:16:10Z, until 05:25:00Z`. */
export function formatWaiting({ reason, nextTryAt, until }: Waiting): string {
  const [next, end] = [nextTryAt, until].map((time) => `${time.slice(11, 19)}Z`);
  return `${reason}, next try at ${next}, until ${end}`;
}

export function logOutcome(outcome: RunOutcome, log: Log): void {
  const { did, ...data } = describeOutcome(outcome);
  log(data.exit === 0 ? 'info' : 'warn', `run.${did}`, data);
}

/** The outcome of a run for programs, without its devices. */
export function describeOutcome({ exit, did, night, isRetracted, unfinished, delivery }: RunOutcome) {
  const { slot, coverage, state } = night ?? {};
  const heldBack = state?.runs.heldBack;
  return { did, exit, ...omitUndefined({ slot, coverage, isRetracted, heldBack, delivery, unfinished }) };
}

export function logVerification({ nights, files, damage, retracted }: Verification, log: Log): void {
  for (const { code, message } of damage) {
    log('error', 'verify.damaged', { code, sentence: message });
  }
  log(damage.length === 0 ? 'info' : 'error', 'verify.ended', {
    nights,
    files,
    damaged: damage.length,
    ...(retracted.length === 0 ? {} : { retracted: retracted.map(({ slot }) => slot) }),
  });
}
