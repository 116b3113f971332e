/** The one way to retry: repeats a failure that may pass after a wait, as long as a budget allows. */
import { MusterError } from '../base/errors.ts';
import type { Clock } from './clock.ts';
import { PassingFailure } from './failures.ts';
import { WaitBudget } from './wait-budget.ts';

interface RetryOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly patience: WaitBudget;
  /** True where the source does not need the answer. */
  readonly isOptional?: boolean;
  /** Delays each attempt until its turn; waiting for that is not charged to the failure. */
  readonly limit?: <T>(work: () => Promise<T>) => Promise<T>;
  readonly random?: () => number;
  /** True where the last error says how long Muster waited. */
  readonly saysHowLong?: boolean;
  readonly maximumTries?: number;
  /** Receives the failure of each attempt, also of those that are repeated. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

/** Milliseconds of waiting where no source has a budget, as for a message. */
export const briefPatience = 30_000;
/** Limits of tries, in case a clock stands still. */
const mostTries = 200;
const mostBriefTries = 5;
/** Milliseconds: without Retry-After, a wait may be shortened to the rest of the budget, but not below this. */
const shortestWait = 1_000;
/** Milliseconds of the longest wait without Retry-After. */
const longestBackoff = 60_000;
const firstBackoff = 2_000;

export function retryBriefly<T>(
  {
    clock,
    signal,
    deadline,
    onFailure,
  }: Pick<RetryOptions, 'clock' | 'signal' | 'onFailure'> & { readonly deadline: number },
  attempt: () => Promise<T>,
): Promise<T> {
  const patience = new WaitBudget({ clock, deadline, limit: briefPatience });
  return retry(attempt, { clock, signal, patience, maximumTries: mostBriefTries, onFailure });
}

export async function retry<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { clock, signal, patience, isOptional = false, random = Math.random } = options;
  const { limit = (work) => work(), saysHowLong = false, maximumTries = mostTries } = options;
  let first: { readonly began: number; readonly failed: number } | undefined;
  for (let failures = 1; ; failures += 1) {
    let began = clock.elapsed();
    try {
      return await limit(() => {
        began = clock.elapsed();
        return attempt();
      });
    } catch (error) {
      options.onFailure?.(error instanceof PassingFailure ? error.failure : error);
      signal.throwIfAborted();
      if (!(error instanceof PassingFailure)) {
        throw error;
      }
      const { failure, details } = error;
      const { reason = failure.code, retryAfter } = details;
      const isBrief = isOptional || details.isBrief === true;
      const now = clock.elapsed();
      first ??= { began, failed: now };
      patience.spend(isBrief, began, now);
      const until = patience.findEnd(isBrief, first.failed);
      const left = Math.max(0, until - now);
      // Lengthens the waits even if a server requests the same short one again and again.
      const wanted = Math.max(retryAfter ?? 0, computeBackoff(failures, random()));
      const wait = wanted > left && retryAfter === undefined && left >= shortestWait ? left : wanted;
      if (wait > left || failures === maximumTries) {
        const waited = failures === 1 ? undefined : now - first.began;
        throw saysHowLong ? addWaitingTime(failure, left, retryAfter, waited) : failure;
      }
      patience.spend(isBrief, now, now + wait);
      patience.announce(reason, wait, until);
      await clock.sleep(wait, signal);
    }
  }
}

/** Adds the waiting time, in seconds, to the failure's sentence; all arguments are milliseconds. */
function addWaitingTime(failure: MusterError, left: number, retryAfter = 0, waited?: number): MusterError {
  const [asked, given] = [retryAfter, left].map((time) => Math.ceil(time / 1000));
  const gaveUp = waited === undefined ? 'Muster did not wait.' : `Muster gave up after ${formatTime(waited)}.`;
  const sentence =
    retryAfter > left ? `Retry-After (${asked} s) is longer than Muster waits now (${given} s).` : gaveUp;
  return new MusterError(failure.code, `${failure.message} ${sentence}`, { cause: failure });
}

function formatTime(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

/**
 * Exponential back-off with jitter, in milliseconds: a random wait between half of the current ceiling and all of it.
 * Never zero, so that a server that fails quickly gets a pause.
 */
export function computeBackoff(failures: number, random: number): number {
  const ceiling = Math.min(longestBackoff, firstBackoff * 2 ** (failures - 1));
  return (ceiling * (1 + random)) / 2;
}
