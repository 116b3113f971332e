/** The one way to try again: a failure that may pass is repeated after a wait, for as long as a budget allows. */
import { MusterError } from '../base/errors.ts';
import type { Clock } from './clock.ts';
import { PassingFailure } from './failures.ts';
import { WaitBudget } from './wait-budget.ts';

interface RetryOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly patience: WaitBudget;
  /** The source can do without the answer. */
  readonly isOptional?: boolean;
  /** Each attempt waits for its turn; that time is not the failure's. */
  readonly limit?: <T>(work: () => Promise<T>) => Promise<T>;
  readonly random?: () => number;
  /** Whether the error at the end says how long was waited. */
  readonly saysHowLong?: boolean;
  readonly maximumTries?: number;
  /** Receives the failure of each attempt, also of those that are repeated. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

/** Milliseconds that are waited where no source has a budget of its own, as for a message. */
export const briefPatience = 30_000;
/** The limit where a clock stands still. */
const mostTries = 200;
const mostBriefTries = 5;
/** Without Retry-After, a wait may be cut to what is left of the budget, but not to less than this. */
const shortestWait = 1_000;
/** The longest single wait without Retry-After. */
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
      // A server that asks for the same short wait again and again is asked less and less often.
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

/** All times are milliseconds. */
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
 * Exponential back-off with jitter: a random wait from half of the current ceiling to all of it. Never nothing, so that
 * a server that fails quickly is not asked without a pause.
 */
export function computeBackoff(failures: number, random: number): number {
  const ceiling = Math.min(longestBackoff, firstBackoff * 2 ** (failures - 1));
  return (ceiling * (1 + random)) / 2;
}
