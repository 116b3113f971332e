/**
 * The one HTTP client: every request of every source goes through `send`, which bounds time and size, retries
 * where that can help, renews a token once for all waiting requests, and never sends a credential to another origin.
 */
import { MusterError } from '../errors.ts';
import { omitUndefined } from '../omit-undefined.ts';
import type { Clock } from './clock.ts';
import { isAtOrigin, stripQuery } from './origin.ts';
import { createPatience, type Patience, type Trouble } from './patience.ts';
import { createRefusalError, isTransient } from './refusal.ts';
import { createRequestLimit, type RequestLimit } from './request-limit.ts';
import { computeBackoff, parseRetryAfter } from './retry.ts';
import { type HttpResponse, isPassingNetworkError, readNetworkCode, sendRequest } from './send-request.ts';

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
  /** The caller asks for less after a failure that took long (`SlowAnswerError`): the client does not repeat the request. */
  readonly shrinks?: boolean;
  /** The source can do without the answer, so it is waited for only briefly. */
  readonly isOptional?: boolean;
}

/**
 * A failure that took long, of a request that `shrinks`: the same request would take as long again. What fails at once
 * comes from a load balancer in front of the server, and has nothing to do with how much was asked for.
 */
export class SlowAnswerError extends MusterError {}

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
  /** How long failures that pass are waited for; shared by all clients of one source. */
  readonly patience?: Patience;
  readonly credential?: Credential;
  /** The path itself is a secret, as a webhook's is: messages name the origin alone. */
  readonly hidesPath?: boolean;
  /** How many requests may be under way at once; shared by all clients of one server. */
  readonly limit?: RequestLimit;
  /** At most this many requests under way at once, where there is no `limit`. */
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
  | ({ readonly is: 'transient' } & TransientFailure)
  | { readonly is: 'final'; readonly failure: MusterError };

interface TransientFailure {
  readonly failure: MusterError;
  /** In a few words. */
  readonly reason: string;
  readonly retryAfter?: number | undefined;
  readonly isBrief?: boolean;
}

const defaultIdle = 30_000;
const defaultMaximumBytes = 64 * 1024 * 1024;
/** Milliseconds that a client waits in total which no source has given its patience. */
const defaultPatience = 30_000;
const maximumRenewals = 2;
/** The limit where a clock stands still. */
const maximumTries = 200;
/** Milliseconds. */
const signInPause = 5_000;
/** Without Retry-After, a wait may be cut to what is left of the patience, but not to less than this. */
const shortestWait = 1_000;
/** A failure that took this share of the idle timeout (3 s of 60) is slow. */
const slowShare = 1 / 20;

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { clock, deadline } = options;
  const limit = options.limit ?? createRequestLimit(options.concurrency ?? 5);
  const patience = options.patience ?? createPatience({ clock, deadline, limit: defaultPatience });
  const random = options.random ?? Math.random;
  let failedSignIn: { readonly error: unknown; readonly at: number } | undefined;

  async function send<T>(request: HttpRequest, understand: (answer: HttpResponse) => T): Promise<T> {
    const trouble = patience.open(request.isOptional === true);
    try {
      return await sendPatiently(request, understand, trouble);
    } finally {
      trouble.end();
    }
  }

  async function sendPatiently<T>(
    request: HttpRequest,
    understand: (answer: HttpResponse) => T,
    trouble: Trouble,
  ): Promise<T> {
    const url = resolveTarget(request.url, options);
    const address = `${request.method ?? 'GET'} ${stripQuery(url)}`;
    let refused: string | undefined;
    let failures = 0;
    let firstBegan: number | undefined;
    let renewals = 0;
    for (;;) {
      let began = clock.elapsed();
      const postponement = patience.findPostponement(address);
      // Signing in happens inside the limit, in the slot of the request that waits for it: there are never more
      // connections than allowed, and no short-lived token expires in the queue.
      const outcome: AttemptOutcome<T> = postponement
        ? { is: 'transient', ...postponement, retryAfter: postponement.notBefore - began }
        : await limit(() => {
            began = clock.elapsed();
            return attempt(url, request, understand, refused);
          });
      refused = undefined;
      if (outcome.is === 'understood') {
        return outcome.value;
      }
      if (outcome.is === 'final') {
        throw outcome.failure;
      }
      if (outcome.is === 'unauthorized') {
        renewals += 1;
        if (renewals > maximumRenewals) {
          throw outcome.failure;
        }
        refused = outcome.refused;
        options.onRetry?.();
        continue;
      }
      failures += 1;
      firstBegan ??= began;
      const { failure, reason, retryAfter } = outcome;
      if (retryAfter !== undefined) {
        patience.postpone(address, { failure, reason, notBefore: clock.elapsed() + retryAfter });
      }
      const until = trouble.onFailure({ began, isBrief: outcome.isBrief === true });
      const wait = chooseWait(outcome, { failures, began: firstBegan, until });
      trouble.onWait(reason, wait, until);
      if (postponement === undefined) {
        options.onRetry?.();
      }
      await clock.sleep(wait, options.signal);
    }
  }

  async function attempt<T>(
    url: URL,
    request: HttpRequest,
    understand: (answer: HttpResponse) => T,
    refused: string | undefined,
  ): Promise<AttemptOutcome<T>> {
    const name = `${request.method ?? 'GET'} ${options.hidesPath ? url.origin : stripQuery(url)}`;
    const idle = request.idle ?? options.idle ?? defaultIdle;
    // Signing in has its own retries, so its failure is final here.
    const authorization = await readAuthorization(refused);
    // Real time, as that of the idle timeout is.
    const began = performance.now();
    const judgeTransient = (transient: TransientFailure): AttemptOutcome<T> => {
      const seconds = (performance.now() - began) / 1000;
      if (request.shrinks && transient.retryAfter === undefined && seconds * 1000 >= idle * slowShare) {
        return { is: 'final', failure: createSlowAnswerError(transient.failure, seconds) };
      }
      return { is: 'transient', ...transient };
    };
    try {
      const answer = await sendRequest({
        url,
        name,
        who: options.who,
        idle,
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
      if (!isTransient(answer.status)) {
        return { is: 'final', failure };
      }
      const retryAfter = parseRetryAfter(answer.headers.get('retry-after'), clock.now());
      const transient = { failure, retryAfter, reason: `HTTP ${answer.status}` };
      return answer.status === 429 ? { is: 'transient', ...transient } : judgeTransient(transient);
    } catch (error) {
      if (options.signal.aborted) {
        throw options.signal.reason;
      }
      if (!(error instanceof MusterError)) {
        throw error;
      }
      const transient = describeTransient(error, idle);
      return transient === undefined ? { is: 'final', failure: error } : judgeTransient(transient);
    }
  }

  /** A sign-in that has just failed is not repeated by every request that is made without the answer of another. */
  async function readAuthorization(refused: string | undefined): Promise<string | undefined> {
    if (failedSignIn !== undefined && clock.elapsed() - failedSignIn.at < signInPause) {
      throw failedSignIn.error;
    }
    try {
      return await options.credential?.header(refused);
    } catch (error) {
      failedSignIn = { error, at: clock.elapsed() };
      throw error;
    }
  }

  /** Milliseconds to the next try; throws the failure when there is no patience for one. */
  function chooseWait(
    { failure, retryAfter }: TransientFailure,
    { failures, began, until }: { readonly failures: number; readonly began: number; readonly until: number },
  ): number {
    const left = Math.max(0, until - clock.elapsed());
    // A server that asks for the same short wait again and again is asked less and less often.
    const wait = Math.max(retryAfter ?? 0, computeBackoff(failures, random()));
    if (failures < maximumTries && wait <= left) {
      return wait;
    }
    if (failures < maximumTries && retryAfter === undefined && left >= shortestWait) {
      return left;
    }
    if (retryAfter !== undefined && retryAfter > left) {
      const [asked, given] = [retryAfter, left].map((time) => Math.ceil(time / 1000));
      throw appendToMessage(failure, `Retry-After (${asked} s) is longer than Muster waits now (${given} s).`);
    }
    const waited = clock.elapsed() - began;
    throw appendToMessage(
      failure,
      failures === 1 ? 'Muster did not wait.' : `Muster gave up after ${formatTime(waited)}.`,
    );
  }

  return { send };
}

/** Undefined for a failure that no repetition changes. */
function describeTransient(failure: MusterError, idle: number): TransientFailure | undefined {
  switch (failure.code) {
    case 'request-timed-out':
      return { failure, reason: `no answer for ${idle / 1000} s` };
    case 'answer-unreadable':
      return { failure, reason: 'an unreadable answer', isBrief: true };
    case 'request-failed': {
      const code = readNetworkCode(failure.cause);
      return { failure, reason: code ?? 'the connection failed', isBrief: !isPassingNetworkError(code) };
    }
    default:
      return undefined;
  }
}

function createSlowAnswerError(failure: MusterError, seconds: number): SlowAnswerError {
  const sentence = `${failure.message} That took ${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s.`;
  return new SlowAnswerError('request-timed-out', sentence, { cause: failure });
}

function formatTime(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
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
