/**
 * The one HTTP client: every request of every source goes through `send`, which bounds time and size, retries
 * where that can help, renews a token once for all waiting requests, and never sends a credential to another origin.
 */
import pLimit from 'p-limit';
import { MusterError } from '../errors.ts';
import { omitUndefined } from '../omit-undefined.ts';
import type { Clock } from './clock.ts';
import { isAtOrigin, stripQuery } from './origin.ts';
import { createRefusalError, isTransient } from './refusal.ts';
import { computeBackoff, maximumBackoffTries, maximumTotalTries, parseRetryAfter } from './retry.ts';
import { type HttpResponse, sendRequest } from './send-request.ts';

export interface HttpRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST';
  /** A path with its query at the client's origin, or a whole link that must lie at that origin. */
  readonly url: string;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | URLSearchParams;
  /** Statuses besides 2xx that `understand` handles itself, such as 404 when the request asks whether a thing exists. */
  readonly alsoUnderstood?: readonly number[];
  /** Idle timeout in milliseconds: before the answer begins, and between two pieces of it. */
  readonly idle?: number;
  /** Largest body, in bytes after decompression. */
  readonly maximumBytes?: number;
  /** Reading stops after so many bytes of the body. */
  readonly firstBytes?: number;
  /** True where the caller asks for less after a time-out, so the client does not repeat the same request. */
  readonly shrinks?: boolean;
}

/** Authenticates requests, and renews itself when the platform refuses its last value. */
export interface Credential {
  /** The Authorization header's value. `refused` is the value that the platform has just refused, if any. */
  header(refused?: string): Promise<string>;
}

export interface HttpClientOptions {
  /** The server's name in messages: `Jamf Pro "macs"`. */
  readonly who: string;
  /** The only origin this client talks to; may begin with a wildcard label. */
  readonly origin: string;
  readonly clock: Clock;
  /** Aborts at the deadline of the whole run. */
  readonly signal: AbortSignal;
  /** The deadline on the clock's `elapsed` scale: a wait that would pass it fails at once. */
  readonly deadline?: number;
  readonly credential?: Credential;
  /** The path itself is a secret, as a webhook's is: messages name the origin alone. */
  readonly hidesPath?: boolean;
  /** At most this many requests under way at once. */
  readonly concurrency?: number;
  /** Idle timeout in milliseconds of a request that does not set one. */
  readonly idle?: number;
  readonly random?: () => number;
  readonly onRetry?: () => void;
  /** Reads the reason of a refusal from its body: an allow-listed word, never the body itself. */
  readonly explain?: (answer: HttpResponse) => string | undefined;
}

export interface HttpClient {
  /**
   * Sends a request and passes its answer to `understand`. An answer that `understand` cannot read
   * (`answer-unreadable`) is retried like any transient failure.
   */
  send<T>(request: HttpRequest, understand: (answer: HttpResponse) => T): Promise<T>;
}

type AttemptOutcome<T> =
  | { readonly is: 'understood'; readonly value: T }
  | { readonly is: 'unauthorized'; readonly failure: MusterError; readonly refused: string }
  | { readonly is: 'transient'; readonly failure: MusterError; readonly retryAfter: number | undefined }
  | { readonly is: 'final'; readonly failure: MusterError };

const defaultIdle = 30_000;
const defaultMaximumBytes = 64 * 1024 * 1024;
/** A request that timed out twice is not repeated. */
const maximumTimeouts = 2;
const maximumRenewals = 2;

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const limit = pLimit(options.concurrency ?? 5);
  const random = options.random ?? Math.random;

  async function send<T>(request: HttpRequest, understand: (answer: HttpResponse) => T): Promise<T> {
    let refused: string | undefined;
    const spent = { failures: 0, waits: 0, timeouts: 0, renewals: 0 };
    for (;;) {
      // Signing in happens inside the limit, in the slot of the request that waits for it: there are never more
      // connections than allowed, and no short-lived token expires in the queue.
      const outcome = await limit(() => attempt(request, understand, refused));
      refused = undefined;
      if (outcome.is === 'understood') {
        return outcome.value;
      }
      if (outcome.is === 'final') {
        throw outcome.failure;
      }
      if (outcome.is === 'unauthorized') {
        spent.renewals += 1;
        if (spent.renewals > maximumRenewals) {
          throw outcome.failure;
        }
        refused = outcome.refused;
        options.onRetry?.();
        continue;
      }
      if (outcome.retryAfter === undefined) {
        spent.failures += 1;
      } else {
        spent.waits += 1;
      }
      if (outcome.failure.code === 'request-timed-out') {
        spent.timeouts += 1;
      }
      await pause(outcome.failure, outcome.retryAfter, spent);
    }
  }

  async function attempt<T>(
    request: HttpRequest,
    understand: (answer: HttpResponse) => T,
    refused: string | undefined,
  ): Promise<AttemptOutcome<T>> {
    const url = resolveTarget(request.url, options);
    const name = `${request.method ?? 'GET'} ${options.hidesPath ? url.origin : stripQuery(url)}`;
    // Signing in has its own retries, so its failure is final here.
    const authorization = await options.credential?.header(refused);
    try {
      const answer = await sendRequest({
        url,
        name,
        who: options.who,
        idle: request.idle ?? options.idle ?? defaultIdle,
        maximumBytes: request.maximumBytes ?? defaultMaximumBytes,
        firstBytes: request.firstBytes,
        signal: options.signal,
        init: {
          method: request.method ?? 'GET',
          headers: {
            accept: request.accept ?? 'application/json',
            ...request.headers,
            ...omitUndefined({ authorization }),
          },
          body: request.body ?? null,
        },
      });
      options.clock.onServerDate?.(options.who, answer.headers.get('date'));
      if (isExpectedStatus(answer.status, request)) {
        return { is: 'understood', value: understand(answer) };
      }
      const failure = createRefusalError(answer.status, options.who, name, options.explain?.(answer));
      if (answer.status === 401 && authorization !== undefined) {
        return { is: 'unauthorized', failure, refused: authorization };
      }
      if (!isTransient(answer.status) || (request.shrinks && answer.status === 504)) {
        return { is: 'final', failure };
      }
      return {
        is: 'transient',
        failure,
        retryAfter: parseRetryAfter(answer.headers.get('retry-after'), options.clock.now()),
      };
    } catch (error) {
      if (options.signal.aborted) {
        throw options.signal.reason;
      }
      if (!(error instanceof MusterError)) {
        throw error;
      }
      const hasTimedOut = error.code === 'request-timed-out';
      const mayRetry =
        error.code === 'request-failed' || error.code === 'answer-unreadable' || (hasTimedOut && !request.shrinks);
      return mayRetry ? { is: 'transient', failure: error, retryAfter: undefined } : { is: 'final', failure: error };
    }
  }

  async function pause(
    failure: MusterError,
    retryAfter: number | undefined,
    spent: { failures: number; waits: number; timeouts: number },
  ): Promise<void> {
    const tries = spent.failures + spent.waits;
    if (spent.failures >= maximumBackoffTries || tries >= maximumTotalTries || spent.timeouts >= maximumTimeouts) {
      throw appendToMessage(failure, `Muster gave up after ${tries} tries.`);
    }
    const wait = retryAfter ?? computeBackoff(spent.failures, random());
    if (options.deadline !== undefined && options.clock.elapsed() + wait > options.deadline) {
      const delay = `${retryAfter === undefined ? 'The next try' : 'Retry-After'} (${Math.ceil(wait / 1000)} s)`;
      throw appendToMessage(failure, `${delay} exceeds this run's deadline.`);
    }
    options.onRetry?.();
    await options.clock.sleep(wait, options.signal);
  }

  return { send };
}

function isExpectedStatus(status: number, request: HttpRequest): boolean {
  return (status >= 200 && status < 300) || (request.alsoUnderstood ?? []).includes(status);
}

function resolveTarget(link: string, options: HttpClientOptions): URL {
  const url = URL.parse(link, options.origin.includes('*') ? undefined : options.origin);
  if (url !== null && isAtOrigin(url, options.origin)) {
    return url;
  }
  throw new MusterError(
    'foreign-link',
    `${options.who} returned a link outside ${options.origin}; Muster did not follow it. Check whether something redirects requests.`,
  );
}

function appendToMessage(failure: MusterError, addition: string): MusterError {
  return new MusterError(failure.code, `${failure.message} ${addition}`, { cause: failure });
}
