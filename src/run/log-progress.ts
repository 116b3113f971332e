/** A night in log lines: how its sources get on, and how it ended. */
import type { SourceFacts } from '../core/facts.ts';
import type { Log } from '../log.ts';
import type { RunOutcome } from '../night.ts';
import { omitUndefined } from '../omit-undefined.ts';
import type { Progress } from '../sources/source.ts';
import type { ProgressListener } from './gather.ts';

export function logProgress(log: Log): ProgressListener {
  const pages = new Map<string, number>();
  return (source, step) => {
    if (isSourceFacts(step)) {
      const { reading, problem, receipt } = step;
      const level = reading === 'complete' ? 'info' : 'warn';
      log(level, 'source.read', { source, reading, ...(problem ? { problem } : {}), receipt });
    } else if (step.pages !== pages.get(source)) {
      pages.set(source, step.pages);
      log('info', 'source.progress', { source, ...step });
    }
  };
}

/** A reading's end rather than a step of it. */
export function isSourceFacts(step: Progress | SourceFacts): step is SourceFacts {
  return 'reading' in step;
}

export function logOutcome({ exit, did, night, unfinished, delivery }: RunOutcome, log: Log): void {
  const data = {
    exit,
    ...(night === undefined ? {} : { slot: night.slot, coverage: night.coverage }),
    ...omitUndefined({ heldBack: night?.state.heldBack }),
    ...(delivery === undefined ? {} : { delivery }),
    ...(unfinished === undefined ? {} : { unfinished }),
  };
  log(exit === 0 ? 'info' : 'warn', `run.${did}`, data);
}
