/**
 * How long one source waits for failures that pass by themselves (5xx, 429, time-outs, resets). All its requests share
 * one budget of time, in which an hour counts once however many requests wait during it.
 */
import type { MusterError } from '../errors.ts';
import type { Clock } from './clock.ts';

/** One wait, for people who watch. */
export interface Waiting {
  /** What is waited for to pass, in a few words: `HTTP 503`. */
  readonly reason: string;
  /** ISO 8601 UTC, as is `until`. */
  readonly nextTryAt: string;
  /** When Muster gives up, unless the source recovers. */
  readonly until: string;
}

/** A failed attempt of a request. */
export interface FailedAttempt {
  /** When it began, on the clock's `elapsed` scale. */
  readonly began: number;
  /** It concerns an address that is probably wrong, or a server that is probably not there. */
  readonly isBrief: boolean;
}

/** One request, from its first failed attempt to its end. */
export interface Trouble {
  /** Returns the last moment for another attempt, on the clock's `elapsed` scale. */
  onFailure(attempt: FailedAttempt): number;
  onWait(reason: string, milliseconds: number, until: number): void;
  end(): void;
}

/** A refusal in which the server said when it wants to be asked again. */
export interface Postponement {
  readonly failure: MusterError;
  readonly reason: string;
  /** On the clock's `elapsed` scale. */
  readonly notBefore: number;
}

export interface Patience {
  /** The whole budget, in milliseconds. */
  readonly limit: number;
  /** `isOptional`: the source can do without the answer. */
  open(isOptional: boolean): Trouble;
  /** Keeps what a server said about one address, for every request to it, also after the first one was given up. */
  postpone(address: string, postponement: Postponement): void;
  findPostponement(address: string): Postponement | undefined;
}

interface PatienceOptions {
  readonly clock: Clock;
  /** In milliseconds. */
  readonly limit: number;
  /** The end of the run, on the clock's `elapsed` scale. */
  readonly deadline?: number | undefined;
  readonly onWait?: ((waiting: Waiting) => void) | undefined;
}

/**
 * The longest total wait, in milliseconds, for a name that does not resolve, a refused connection or an answer that
 * makes no sense; and for what the source can do without.
 */
const briefLimit = 60_000;
/** Milliseconds; a timer can end a little early. */
const timerPrecision = 10;

export function createPatience({ clock, limit, deadline, onWait }: PatienceOptions): Patience {
  const limits = { all: limit, brief: Math.min(briefLimit, limit), optional: Math.min(briefLimit, limit / 2) };
  const spent = { all: 0, brief: 0, optional: 0 };
  const inTrouble = new Set<{ readonly isOptional: boolean; isBrief: boolean }>();
  /** Time up to here is charged. */
  let charged = Number.NEGATIVE_INFINITY;
  /** Never more than half of the time that the run has left when the trouble begins. */
  let latest = Number.POSITIVE_INFINITY;
  const postponed = new Map<string, Postponement>();
  let announced: { readonly reason: string; readonly nextTry: number } | undefined;

  const some = (test: (request: { isOptional: boolean; isBrief: boolean }) => boolean) => [...inTrouble].some(test);
  const isNeededInTrouble = () => some(({ isOptional }) => !isOptional);

  function charge(since: number): void {
    const now = clock.elapsed();
    const time = Math.max(0, now - Math.max(since, charged));
    charged = now;
    spent.all += time;
    if (some(({ isBrief }) => isBrief)) {
      spent.brief += time;
    }
    // While something needed is in trouble too, the server is down, and not one resource broken.
    if (!isNeededInTrouble()) {
      spent.optional += time;
    }
  }

  function findEnd(request: { readonly isOptional: boolean; readonly isBrief: boolean }): number {
    const left = [limits.all - spent.all];
    if (request.isBrief) {
      left.push(limits.brief - spent.brief);
    }
    if (request.isOptional && !isNeededInTrouble()) {
      left.push(limits.optional - spent.optional);
    }
    return Math.min(latest, clock.elapsed() + Math.min(...left));
  }

  return {
    limit,
    postpone: (address, postponement) => void postponed.set(address, postponement),
    findPostponement(address) {
      const found = postponed.get(address);
      return found !== undefined && found.notBefore - clock.elapsed() > timerPrecision ? found : undefined;
    },
    open(isOptional) {
      const request = { isOptional, isBrief: false };
      return {
        onFailure({ began, isBrief }) {
          if (inTrouble.size > 0) {
            charge(charged);
          }
          const isFirst = inTrouble.size === 0;
          request.isBrief = isBrief;
          inTrouble.add(request);
          if (isFirst) {
            charge(began);
            const now = clock.elapsed();
            latest = deadline === undefined ? Number.POSITIVE_INFINITY : now + Math.max(0, deadline - now) / 2;
          }
          return findEnd(request);
        },
        onWait(reason, milliseconds, until) {
          const now = clock.elapsed();
          if (announced?.reason === reason && announced.nextTry > now) {
            return;
          }
          announced = { reason, nextTry: now + milliseconds };
          const toDate = (elapsed: number) => new Date(clock.now().getTime() + elapsed - now).toISOString();
          onWait?.({ reason, nextTryAt: toDate(now + milliseconds), until: toDate(until) });
        },
        end() {
          if (inTrouble.has(request)) {
            charge(charged);
            inTrouble.delete(request);
          }
        },
      };
    },
  };
}
