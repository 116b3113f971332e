/** A signal that aborts when a time is over, with a reason that says what took too long. */

/** Once it is disposed of, the signal never aborts. */
export interface TimeLimit extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * Aborts with `reason` when the time is over. Unlike that of `AbortSignal.timeout`, its timer keeps the process alive:
 * what waits for nothing else is told that its time is over, instead of being left without an answer.
 */
export function startTimeLimit(milliseconds: number, reason: Error): TimeLimit {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(reason), Math.max(0, milliseconds));
  return { signal: controller.signal, [Symbol.dispose]: () => clearTimeout(timer) };
}
