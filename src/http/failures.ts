/** Describes a request's failure by a code and a sentence without any of the body, and says whether it may pass. */
import type { IncomingHttpHeaders } from 'node:http';
import { type ErrorCode, MusterError } from '../base/errors.ts';
import { readNetworkCode } from './connection-failures.ts';
import type { HttpResponse } from './send-request.ts';

/** Thrown by an attempt whose repetition may succeed. */
export class PassingFailure extends Error {
  /** The error to throw when no repetition succeeds. */
  readonly failure: MusterError;
  readonly details: PassingFailureDetails;

  constructor(failure: MusterError, details: PassingFailureDetails = {}) {
    super(failure.message);
    this.failure = failure;
    this.details = details;
  }
}

interface PassingFailureDetails {
  /** A few words about the failure, for people who watch. */
  readonly reason?: string;
  /** Milliseconds that the server asks to wait. */
  readonly retryAfter?: number | undefined;
  /** True where the address is probably wrong, or the server probably missing. */
  readonly isBrief?: boolean;
}

/** Statuses that a retry may resolve. */
const transientStatuses = new Set([408, 429, 500, 502, 503, 504]);

interface RefusalContext {
  readonly who: string;
  readonly name: string;
  readonly now: Date;
  /** An allow-listed word that the platform's reader took from the body. */
  readonly why: string | undefined;
  /** True where the body is not in the platform's own form of an error. */
  readonly isForeign: boolean;
}

export function createRefusal(
  { status, headers }: HttpResponse,
  { who, name, now, why, isForeign }: RefusalContext,
): MusterError | PassingFailure {
  const own = refusals.get(status) ?? refusals.get(Math.floor(status / 100) * 100) ?? failed;
  const [code, advice] = isForeign ? toForeignRefusal(own) : own;
  const said = why === undefined ? '' : ` (${why})`;
  const subject = isForeign ? `Something in front of ${who.replace(/^The /, 'the ')}${nameServer(headers)}` : who;
  const failure = new MusterError(code, `${subject} answered ${status}${said}: ${name}. ${advice}`);
  if (!transientStatuses.has(status)) {
    return failure;
  }
  // Answers that are unrelated to the rate also say when its window ends.
  const reset = code === 'throttled' ? parseRateLimitReset(headers) : undefined;
  const retryAfter = parseRetryAfter(headers['retry-after'], now) ?? reset;
  return new PassingFailure(failure, { reason: `HTTP ${status}`, retryAfter });
}

/** Turns an intermediary's refusal into one that blames neither account nor request. Outages and missing paths stay. */
function toForeignRefusal(own: Refusal): Refusal {
  return ['request-refused', 'sign-in-refused', 'permission-missing'].includes(own[0])
    ? [
        'intermediary-refused',
        'It is no error of the server itself: ask who runs the firewall, proxy or gateway there to let this machine through.',
      ]
    : own;
}

/** The product and its version that the answer names: RFC 9110, section 10.2.4. */
function nameServer({ server }: IncomingHttpHeaders): string {
  return typeof server === 'string' && /^[\w .,;:/()+-]{1,60}$/.test(server) ? ` (${server})` : '';
}

type Refusal = readonly [code: ErrorCode, advice: string];

const failed = ['request-failed', "See the server's log."] as const;
const timedOut = ['request-timed-out', 'The server timed out; it may be overloaded.'] as const;

/** Refusals by status; 300 and 400 also apply to the other statuses of their hundred. */
const refusals = new Map<number, Refusal>([
  [300, ['redirected', 'Redirects are not followed; put the final address in the settings.']],
  [400, ['request-refused', 'This request is not supported by this server version.']],
  [401, ['sign-in-refused', 'Check that the account or API client is enabled and its secret current.']],
  [403, ['permission-missing', 'Grant the read permission that docs/connect.md names for it.']],
  [404, ['not-found', 'Check the address and the names in the settings.']],
  [407, ['intermediary-refused', 'A proxy asks for a password: put it into the address in HTTPS_PROXY or HTTP_PROXY.']],
  [408, timedOut],
  [429, ['throttled', 'Requests are rate limited; run again later.']],
  [504, timedOut],
]);

/** Whether a failure may be due to the size of the requested answer. Postponements and missing servers are not. */
export function isFailureOfAnswer({ failure, details }: PassingFailure): boolean {
  const isPostponed = details.retryAfter !== undefined || failure.code === 'throttled';
  return !isPostponed && (failure.code === 'answer-unreadable' || details.isBrief !== true);
}

/** Codes of resets and time-outs. Others (ENOTFOUND, ECONNREFUSED, those of TLS) mean a wrong address or no server. */
const passingNetworkCodes = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT']);

/** The failure as a passing one; undefined where no repetition helps. */
export function toPassingFailure(error: unknown): PassingFailure | undefined {
  if (error instanceof PassingFailure) {
    return error;
  }
  if (!(error instanceof MusterError)) {
    return undefined;
  }
  switch (error.code) {
    case 'request-timed-out':
      return new PassingFailure(error, { reason: 'no answer in time' });
    case 'answer-unreadable':
      return new PassingFailure(error, { reason: 'an unreadable answer', isBrief: true });
    case 'request-failed': {
      const code = readNetworkCode(error.cause) ?? 'the connection failed';
      return new PassingFailure(error, { reason: code, isBrief: !passingNetworkCodes.has(code) });
    }
    default:
      return undefined;
  }
}

/**
 * `Retry-After` in milliseconds, or undefined when the header is not usable (absent, not a number or date,
 * zero or in the past). Seconds and HTTP dates: RFC 9110, section 10.2.3.
 */
export function parseRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) {
    return undefined;
  }
  const text = header.trim();
  const milliseconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : parseHttpDate(text) - now.getTime();
  return Number.isFinite(milliseconds) && milliseconds > 0 ? milliseconds : undefined;
}

/**
 * Milliseconds to the end of a rate limit's window, a Unix time in seconds in the header, by the server's own date, so
 * that an error of our clock does not matter:
 * https://developer.jamf.com/platform-api/changelog/platform-api-gateway-rate-limiting
 */
function parseRateLimitReset(headers: IncomingHttpHeaders): number | undefined {
  const milliseconds = Number(headers['x-ratelimit-reset']) * 1000 - parseHttpDate(headers.date ?? '');
  return milliseconds > 0 ? milliseconds : undefined;
}

/** HTTP's date and its two obsolete forms, of which the last has no zone: RFC 9110, section 5.6.7. */
const zonedDate = /^[A-Z][a-z]+, \d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/;
const unzonedDate = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/** Milliseconds since 1970, or NaN. Accepts HTTP's forms alone, since Date.parse finds a date in nearly any text. */
export function parseHttpDate(text: string): number {
  if (unzonedDate.test(text)) {
    return Date.parse(`${text} GMT`);
  }
  return zonedDate.test(text) ? Date.parse(text) : Number.NaN;
}
