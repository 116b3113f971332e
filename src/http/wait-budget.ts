/**
 * The time in which the requests of one source wait in total for passing failures: the setting's, and at most a minute
 * for answers that the source does not need, or an address that is probably wrong.
 */
import type { Clock } from './clock.ts';
import { PassingFailure } from './failures.ts';

/** A wait, for people who watch. */
export interface Waiting {
  /** A few words about the failure: `HTTP 503`. */
  readonly reason: string;
  /** ISO 8601 UTC; so is `until`. */
  readonly nextTryAt: string;
  /** Time at which Muster gives up, unless the source recovers. */
  readonly until: string;
}

interface WaitBudgetOptions {
  readonly clock: Clock;
  /** Milliseconds. */
  readonly limit: number;
  /** The end of the run, on the clock's `elapsed` scale. */
  readonly deadline?: number | undefined;
  readonly onWait?: ((waiting: Waiting) => void) | undefined;
}

/** Milliseconds of brief waiting, but at most half of the whole budget. */
const briefLimit = 60_000;
/** Milliseconds; a timer can end slightly early. */
const timerPrecision = 10;

export class WaitBudget {
  /** The whole budget, in milliseconds. */
  readonly limit: number;
  readonly #options: WaitBudgetOptions;
  readonly #whole: Allowance;
  readonly #brief: Allowance;
  readonly #postponed = new Map<string, { readonly failure: PassingFailure; readonly notBefore: number }>();
  #announced: { readonly reason: string; readonly nextTry: number } | undefined;

  constructor(options: WaitBudgetOptions) {
    this.limit = options.limit;
    this.#options = options;
    this.#whole = new Allowance(options.limit);
    this.#brief = new Allowance(Math.min(briefLimit, options.limit / 2));
  }

  /**
   * The last moment for another try of a request that first failed at `since`, at most halfway to the end of the run.
   * `isBrief`: the source does not need the answer, or the address is probably wrong.
   */
  findEnd(isBrief: boolean, since: number): number {
    const { clock, deadline = Number.POSITIVE_INFINITY } = this.#options;
    const half = since + Math.max(0, deadline - since) / 2;
    const now = clock.elapsed();
    const end = isBrief ? this.#brief.findEnd(now) : Number.POSITIVE_INFINITY;
    return Math.min(half, this.#whole.findEnd(now), end);
  }

  spend(isBrief: boolean, from: number, to: number): void {
    this.#whole.spend(from, to);
    if (isBrief) {
      this.#brief.spend(from, to);
    } else {
      // When a required request fails too, the whole server is down, which brief budgets do not pay for.
      this.#brief.waive(to);
    }
  }

  /** Remembers a refusal in which the server asked for a pause at this address, for all requests. */
  postpone(address: string, failure: PassingFailure, milliseconds: number): void {
    this.#postponed.set(address, { failure, notBefore: this.#options.clock.elapsed() + milliseconds });
  }

  findPostponement(address: string): PassingFailure | undefined {
    const { failure, notBefore = 0 } = this.#postponed.get(address) ?? {};
    const retryAfter = notBefore - this.#options.clock.elapsed();
    return failure && retryAfter > timerPrecision
      ? new PassingFailure(failure.failure, { ...failure.details, retryAfter })
      : undefined;
  }

  /** Announces a wait once for all requests that wait for the same reason. */
  announce(reason: string, milliseconds: number, until: number): void {
    const { clock, onWait } = this.#options;
    const now = clock.elapsed();
    if (this.#announced?.reason === reason && this.#announced.nextTry > now) {
      return;
    }
    this.#announced = { reason, nextTry: now + milliseconds };
    const toDate = (elapsed: number) => new Date(clock.now().getTime() + elapsed - now).toISOString();
    onWait?.({ reason, nextTryAt: toDate(now + milliseconds), until: toDate(until) });
  }
}

/** A budget of waiting time. Requests that wait at the same time spend it once. */
class Allowance {
  #left: number;
  /** Time until which waiting is paid for. */
  #paidUntil = Number.NEGATIVE_INFINITY;

  constructor(limit: number) {
    this.#left = limit;
  }

  findEnd(now: number): number {
    return Math.max(now, this.#paidUntil) + this.#left;
  }

  spend(from: number, to: number): void {
    this.#left = Math.max(0, this.#left - Math.max(0, to - Math.max(from, this.#paidUntil)));
    this.waive(to);
  }

  /** Makes waiting free until this moment. */
  waive(to: number): void {
    this.#paidUntil = Math.max(this.#paidUntil, to);
  }
}
