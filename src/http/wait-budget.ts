/**
 * How long the requests of one source wait in total for failures that pass by themselves: as long as the settings say, and
 * a minute for what the source can do without or for an address that is probably wrong.
 */
import type { Clock } from './clock.ts';
import { PassingFailure } from './failures.ts';

/** One wait, for people who watch. */
export interface Waiting {
  /** What is waited for to pass, in a few words: `HTTP 503`. */
  readonly reason: string;
  /** ISO 8601 UTC, as is `until`. */
  readonly nextTryAt: string;
  /** When Muster gives up, unless the source recovers. */
  readonly until: string;
}

interface WaitBudgetOptions {
  readonly clock: Clock;
  /** In milliseconds. */
  readonly limit: number;
  /** The end of the run, on the clock's `elapsed` scale. */
  readonly deadline?: number | undefined;
  readonly onWait?: ((waiting: Waiting) => void) | undefined;
}

/** Milliseconds, where so much is less than half of the whole. */
const briefLimit = 60_000;
/** Milliseconds; a timer can end a little early. */
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
   * The last moment for another try of a request that first failed at `since`: never more than half of the time that the
   * run had left then. `isBrief`: the source can do without the answer, or the address is probably wrong.
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
      // While something needed fails too, the server is down, and not one resource broken.
      this.#brief.waive(to);
    }
  }

  /** Keeps a refusal in which the server said how long it wants no request to the address, whoever makes it. */
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

  /** One announcement for all requests that wait for the same. */
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
  /** Time up to here is paid for. */
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

  /** Time up to this moment costs nothing. */
  waive(to: number): void {
    this.#paidUntil = Math.max(this.#paidUntil, to);
  }
}
