/** Makes the starts that came due, one after another, each time it is called. */
import type { Log } from '../base/log.ts';
import { findDueStarts } from '../settings/schedule/due-starts.ts';
import type { HealedSchedule } from '../settings/schedule/later-starts.ts';
import type { Slot } from '../settings/schedule/schedule.ts';

interface StartLoopOptions {
  readonly schedule: HealedSchedule;
  readonly now: () => Date;
  readonly log: Log;
  /** Runs the last slot. Resolves to whether a run was made without a failure; never rejects. */
  readonly run: (start: Pick<Slot, 'heals'>) => Promise<boolean>;
  /** Verifies the store; never rejects. */
  readonly verify: () => Promise<unknown>;
}

export class StartLoop {
  readonly #options: StartLoopOptions;
  /** Time up to which all starts are handled. */
  #handledUntil: Date;
  /** End of the last successful run, which also did the work of healing starts before it. */
  #lastRunEnd: Date;
  #isStopping = false;
  /** Undefined while there is nothing to do. */
  #working: Promise<void> | undefined;

  constructor(options: StartLoopOptions) {
    this.#options = options;
    this.#handledUntil = options.now();
    this.#lastRunEnd = this.#handledUntil;
  }

  /** Makes another run first, in the same way as `run`. */
  begin(first: () => Promise<boolean>): Promise<void> {
    return this.#keepBusy(async () => {
      await this.#run(first);
      await this.#startAll();
    });
  }

  /** Makes all due starts; resolves when no more are due. A run that is under way checks again at its end. */
  startDue(): Promise<void> {
    return this.#working ?? this.#keepBusy(() => this.#startAll());
  }

  /** Starts nothing more, and waits for the current work. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#working;
  }

  #keepBusy(work: () => Promise<void>): Promise<void> {
    this.#working = work().finally(() => {
      this.#working = undefined;
    });
    return this.#working;
  }

  async #startAll(): Promise<void> {
    let isAnyDue = true;
    while (isAnyDue && !this.#isStopping) {
      isAnyDue = await this.#startNewest();
    }
  }

  async #startNewest(): Promise<boolean> {
    const { schedule, now, log, run, verify } = this.#options;
    const moment = now();
    this.#forgetFuture(moment);
    const { slot, missed, healings, verification } = findDueStarts(schedule, this.#handledUntil, moment);
    this.#handledUntil = moment;
    if (slot !== undefined) {
      logLate(log, 'run', slot.moment, moment);
      logUnstarted(
        log,
        'slots.missed',
        missed.map(({ slot: date }) => date),
        `${slot.slot} came due too`,
      );
      await this.#run(() => run({}));
    }
    // After a failed run of the slot, the healing start is its second attempt.
    const healing = healings.findLast((due) => due > this.#lastRunEnd);
    logUnstarted(
      log,
      'healing.skipped',
      healings.filter((due) => due !== healing),
      'a later run does their work',
    );
    if (healing !== undefined && !this.#isStopping) {
      logLate(log, 'healing', healing, now());
      await this.#run(() => run({ heals: true }));
    }
    if (verification !== undefined && !this.#isStopping) {
      logLate(log, 'verification', verification, now());
      await verify();
    }
    return (slot ?? healings[0] ?? verification) !== undefined;
  }

  /** Moves remembered times back if the clock was set back; a start that is made twice finds its slot published. */
  #forgetFuture(now: Date): void {
    this.#handledUntil = this.#handledUntil < now ? this.#handledUntil : now;
    this.#lastRunEnd = this.#lastRunEnd < now ? this.#lastRunEnd : now;
  }

  async #run(run: () => Promise<boolean>): Promise<void> {
    if (await run()) {
      this.#lastRunEnd = this.#options.now();
    }
  }
}

/** Slots that a log line names. */
const longestList = 31;

function logUnstarted(log: Log, event: string, due: readonly (string | Date)[], because: string): void {
  if (due.length > 0) {
    const level = event === 'slots.missed' ? 'warn' : 'info';
    log(level, event, { count: due.length, newest: due.slice(-longestList), because });
  }
}

const millisecondsPerMinute = 60_000;

function logLate(log: Log, start: string, due: Date, now: Date): void {
  if (now.getTime() - due.getTime() >= millisecondsPerMinute) {
    log('warn', 'start.late', { start, due, because: 'the process slept, was paused or was busy' });
  }
}
