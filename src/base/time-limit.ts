/** A signal that aborts after a time, with a reason that says what took too long. */

/** Milliseconds for reading the platforms on one machine; on Lambda the time left of the invocation is the limit. */
export const platformTimeLimit = 2 * 60 * 60 * 1000;

/** A started limit; once it is disposed of, the signal never aborts. */
export interface TimeLimit extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * Aborts with `reason` when the time is over. Unlike that of `AbortSignal.timeout`, its timer keeps the process alive:
 * work that waits for nothing else is aborted, instead of ending without an answer.
 */
export function startTimeLimit(milliseconds: number, reason: Error): TimeLimit {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(reason), Math.max(0, milliseconds));
  return { signal: controller.signal, [Symbol.dispose]: () => clearTimeout(timer) };
}
