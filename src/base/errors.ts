/**
 * The one error class of Muster and the closed list of its codes.
 *
 * A message says what we did, on what, what came back and what to do; the code is stable, so that people can look it
 * up (README, "When something goes wrong") and programs can switch on it. Neither ever holds a secret.
 */

export const errorCodes = [
  'settings-unreadable',
  'settings-invalid',
  'settings-changed',
  'command-line',
  'slot-refused',
  'clock-wrong',
  'event-invalid',
  'exemptions-unreadable',
  'notes-unreadable',
  'acknowledgements-unreadable',
  'secret-unreadable',
  'sign-in-refused',
  'permission-missing',
  'licence-missing',
  'environment-refused',
  'not-found',
  'request-refused',
  'request-failed',
  'request-timed-out',
  'throttled',
  'deadline',
  'memory',
  'answer-too-large',
  'answer-unreadable',
  'redirected',
  'foreign-link',
  'attribute-missing',
  'attribute-ambiguous',
  'app-missing',
  'app-ambiguous',
  'rows-missing',
  'paging-broken',
  'site-scoped',
  'export-failed',
  'zip-broken',
  'channel-refused',
  'store-unreachable',
  'store-unsuited',
  'log-damaged',
  'store-damaged',
  'store-newer',
  'store-older',
  'signing-failed',
  'key-taken',
  'not-suspect',
  'retract-refused',
  'night-unknown',
  'stopped',
  'unexpected',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** What reading a platform can fail with that may have passed some minutes later, without anybody doing anything. */
export const passingErrorCodes: ReadonlySet<ErrorCode> = new Set([
  'request-failed',
  'request-timed-out',
  'throttled',
  'answer-unreadable',
  'rows-missing',
  'paging-broken',
  'export-failed',
  'zip-broken',
]);

export class MusterError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, sentence: string, options?: { cause?: unknown }) {
    super(sentence, options);
    this.name = 'MusterError';
    this.code = code;
  }
}

/** The error itself when it is ours, otherwise ours around it, so that every failure has a code. */
export function toMusterError(error: unknown, doing: string): MusterError {
  if (error instanceof MusterError) {
    return error;
  }
  const said = error instanceof Error ? error.message : String(error);
  return new MusterError('unexpected', `${doing} failed: ${said}`, { cause: error });
}
