/**
 * The one HTTP client: every request of every source goes through `ask`, which bounds time and size, tries again
 * where that can help, renews a token once for all who wait, and never lets a credential leave its origin.
 */
import pLimit from 'p-limit';
import { MusterError } from '../errors.ts';
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
  /** Statuses besides 2xx that `understand` wants to see itself, such as 404 when asking whether a thing exists. */
  readonly alsoUnderstood?: readonly number[];
  /** Longest silence in milliseconds: before the answer begins, and between two pieces of it. */
  readonly idle?: number;
  /** Largest body, in bytes after decompression. */
  readonly maximumBytes?: number;
  /** Reading ends after so many bytes of the body, however many follow. */
  readonly firstBytes?: number;
  /** True where the caller answers a time-out by asking for less, so that asking for the same again is no use. */
  readonly shrinks?: boolean;
}

/** Something that can say who we are, and say it anew when the platform no longer believes it. */
export interface Credential {
  /** The Authorization header's value. `refused` is the value that the platform has just refused, if any. */
  header(refused?: string): Promise<string>;
}

export interface HttpClientOptions {
  /** How sentences call the other side: `Jamf Pro "macs"`. */
  readonly who: string;
  /** The only origin this client talks to; may begin with a wildcard label. */
  readonly origin: string;
  readonly clock: Clock;
  /** Aborts at the deadline of the whole run. */
  readonly signal: AbortSignal;
  /** The deadline on the clock's `elapsed` scale: a wait that would pass it fails at once. */
  readonly deadline?: number;
  readonly credential?: Credential;
  /** The path itself is a secret, as a webhook's is: only the origin is ever named. */
  readonly hidesPath?: boolean;
  /** At most this many requests under way at once. */
  readonly concurrency?: number;
  /** Longest silence in milliseconds where a request does not say. */
  readonly idle?: number;
  readonly random?: () => number;
  readonly onRetry?: () => void;
  /** Reads a refusal's reason out of its body: an allow-listed word, never the body itself. */
  readonly explain?: (answer: HttpResponse) => string | undefined;
}

export interface HttpClient {
  /**
   * Sends a request and hands its answer to `understand`. A body that `understand` calls unreadable
   * (`answer-unreadable`) is asked for again like any passing failure.
   */
  send<T>(request: HttpRequest, understand: (answer: HttpResponse) => T): Promise<T>;
}

type AttemptOutcome<T> =
  | { readonly is: 'understood'; readonly value: T }
  | { readonly is: 'unauthorized'; readonly failure: MusterError; readonly refused: string }
  | { readonly is: 'passing'; readonly failure: MusterError; readonly retryAfter: number | undefined }
  | { readonly is: 'final'; readonly failure: MusterError };

const defaultIdle = 30_000;
const defaultMaximumBytes = 64 * 1024 * 1024;
/** A request that was met with silence twice has had its chance. */
const maximumSilences = 2;
const maximumRenewals = 2;

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const limit = pLimit(options.concurrency ?? 5);
  const random = options.random ?? Math.random;

  async function ask<T>(request: HttpRequest, understand: (answer: HttpResponse) => T): Promise<T> {
    let refused: string | undefined;
    const spent = { failures: 0, patient: 0, silences: 0, renewals: 0 };
    for (;;) {
      // Signing in happens inside the limit: it takes the place of the request that waits for it, so that there are
      // never more connections than allowed, and no short-lived token grows old in the queue.
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
        spent.patient += 1;
      }
      if (outcome.failure.code === 'request-timed-out') {
        spent.silences += 1;
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
    // Signing in has tries of its own: its failure is final here.
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
            ...(authorization === undefined ? {} : { authorization }),
          },
          body: request.body ?? null,
        },
      });
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
        is: 'passing',
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
      const silent = error.code === 'request-timed-out';
      const again =
        error.code === 'request-failed' || error.code === 'answer-unreadable' || (silent && !request.shrinks);
      return again ? { is: 'passing', failure: error, retryAfter: undefined } : { is: 'final', failure: error };
    }
  }

  async function pause(
    failure: MusterError,
    told: number | undefined,
    spent: { failures: number; patient: number; silences: number },
  ): Promise<void> {
    const tries = spent.failures + spent.patient;
    if (spent.failures >= maximumBackoffTries || tries >= maximumTotalTries || spent.silences >= maximumSilences) {
      throw appendToMessage(failure, `Given up after ${tries} tries.`);
    }
    const wait = told ?? computeBackoff(spent.failures, random());
    if (options.deadline !== undefined && options.clock.elapsed() + wait > options.deadline) {
      throw appendToMessage(failure, `It asks to wait ${Math.ceil(wait / 1000)} s, longer than this run may take.`);
    }
    options.onRetry?.();
    await options.clock.sleep(wait, options.signal);
  }

  return { send: ask };
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
    `${options.who} named a link outside ${options.origin}; it was not fetched. Somebody may be redirecting requests.`,
  );
}

function appendToMessage(failure: MusterError, addition: string): MusterError {
  return new MusterError(failure.code, `${failure.message} ${addition}`, { cause: failure });
}
