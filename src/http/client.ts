/**
 * The one HTTP client: every request of every source goes through `send`, which bounds time and size, retries where
 * that can help, renews a token once for all waiting requests, and never sends a credential to another origin.
 */
import pLimit, { type LimitFunction } from 'p-limit';
import { MusterError } from '../base/errors.ts';
import type { Clock } from './clock.ts';
import { createRefusal, isFailureOfAnswer, PassingFailure, toPassingFailure } from './failures.ts';
import { briefPatience, retry } from './retry.ts';
import { type HttpRequest, type HttpResponse, sendRequest } from './send-request.ts';
import { WaitBudget } from './wait-budget.ts';

/** Authenticates requests, and renews itself when the platform refuses its last value. */
export interface Credential {
  /** The Authorization header's value. `refused` is the value that the platform has just refused, if any. */
  header(refused?: string): Promise<string>;
}

export interface HttpClientOptions {
  /** The server's name in messages: `Jamf Pro "macs"`. */
  readonly who: string;
  /** The only origin that this client contacts; may begin with a wildcard label. */
  readonly origin: string;
  /** The only path of the origin below which this client sends requests, such as `/context`; other software may be beside it. */
  readonly contextPath?: string;
  readonly clock: Clock;
  /** Aborts at the deadline of the whole run. */
  readonly signal: AbortSignal;
  /** The deadline on the clock's `elapsed` scale: a wait that would pass it fails at once. */
  readonly deadline?: number;
  /** The budget of waiting for passing failures, shared by all clients of one source. */
  readonly patience?: WaitBudget;
  /** True where the source does not need the answers, so that they are waited for only briefly. */
  readonly isOptional?: boolean;
  readonly credential?: Credential;
  /** True where the path itself is secret, like a webhook's: messages name the origin alone. */
  readonly hidesPath?: boolean;
  /** The limit of requests at once (5 by default), shared by all clients of one server. */
  readonly limit?: LimitFunction;
  /** Milliseconds of the idle timeout for requests without their own. */
  readonly idle?: number;
  readonly random?: () => number;
  readonly onRetry?: () => void;
  /** Receives the failure of each attempt, also of those that are repeated. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
  /** Reads the reason of a refusal from its body: an allow-listed word, never the body itself. */
  readonly explain?: (answer: HttpResponse) => string | undefined;
  /** Whether an error has the server's own form; any other came from an intermediary. */
  readonly isOwnError?: (answer: HttpResponse) => boolean;
}

const defaultIdle = 30_000;
const defaultLimit = 5;
const maximumRenewals = 2;
/** Share of the idle timeout (3 s of 60) from which a failure is slow. */
const slowShare = 1 / 20;

export class HttpClient {
  readonly #options: HttpClientOptions & Required<Pick<HttpClientOptions, 'limit' | 'patience'>>;

  constructor(options: HttpClientOptions) {
    const { clock, deadline } = options;
    const { limit = pLimit(defaultLimit) } = options;
    const { patience = new WaitBudget({ clock, deadline, limit: briefPatience }) } = options;
    this.#options = { ...options, limit, patience };
  }

  /** The same client for answers that the source does not need. */
  optional(): HttpClient {
    return new HttpClient({ ...this.#options, isOptional: true });
  }

  /**
   * Sends a request and passes its answer to `understand`. An answer that `understand` cannot read
   * (`answer-unreadable`) is retried like any passing failure.
   */
  send<T>(request: HttpRequest, understand: (answer: HttpResponse) => T): Promise<T> {
    let sent = 0;
    const onSend = () => {
      sent += 1;
      if (sent > 1) {
        this.#options.onRetry?.();
      }
    };
    // Signing in happens inside the limit, in the slot of the waiting request: there are never more connections than
    // allowed, and no short-lived token expires in the queue.
    let failures = 0;
    const attempt = () =>
      this.#attempt(request, understand, onSend).catch((error: unknown) => {
        if (!(error instanceof PassingFailure)) {
          throw error;
        }
        failures += Number(isFailureOfAnswer(error));
        throw failures === request.tries ? error.failure : error;
      });
    return retry(attempt, { ...this.#options, saysHowLong: true });
  }

  /** Throws a `PassingFailure` where a repetition may succeed. A refused token is renewed at once. */
  async #attempt<T>(request: HttpRequest, understand: (answer: HttpResponse) => T, onSend: () => void): Promise<T> {
    const { credential, signal, patience } = this.#options;
    const url = resolveTarget(request.url, this.#options);
    const address = `${request.method ?? 'GET'} ${stripQuery(url)}`;
    const postponed = patience.findPostponement(address);
    if (postponed !== undefined) {
      throw postponed;
    }
    let refused: string | undefined;
    for (let renewals = 0; ; renewals += 1) {
      // Signing in has its own retries, so its failure is final here.
      const authorization = await credential?.header(refused);
      onSend();
      // Measures real time, as the idle timeout does.
      const began = performance.now();
      try {
        const answer = await this.#sendOnce(url, request, authorization);
        if (answer.status !== 401 || authorization === undefined || renewals === maximumRenewals) {
          return this.#readAnswer(answer, url, request, understand);
        }
        refused = authorization;
      } catch (error) {
        signal.throwIfAborted();
        throw this.#judgeFailure(error, request, address, performance.now() - began);
      }
    }
  }

  async #sendOnce(url: URL, request: HttpRequest, authorization: string | undefined): Promise<HttpResponse> {
    const { who, signal, clock } = this.#options;
    const [name, idle] = [this.#describe(url, request), this.#findIdle(request)];
    const answer = await sendRequest({ url, request, authorization, who, name, idle, signal });
    clock.onServerDate?.(who, answer.headers.date);
    return answer;
  }

  #readAnswer<T>(answer: HttpResponse, url: URL, request: HttpRequest, understand: (answer: HttpResponse) => T): T {
    const { who, clock, explain, isOwnError } = this.#options;
    const { status, body } = answer;
    const isForeign = status >= 400 && body.length > 0 && isOwnError?.(answer) === false;
    if ((status >= 200 && status < 300) || (!isForeign && (request.alsoUnderstood ?? []).includes(status))) {
      return understand(answer);
    }
    const why = explain?.(answer);
    throw createRefusal(answer, { who, name: this.#describe(url, request), now: clock.now(), why, isForeign });
  }

  #judgeFailure(error: unknown, request: HttpRequest, address: string, milliseconds: number): unknown {
    const passing = toPassingFailure(error);
    if (passing === undefined) {
      return error;
    }
    const { failure, details } = passing;
    if (details.retryAfter !== undefined) {
      this.#options.patience.postpone(address, passing, details.retryAfter);
    }
    const isSlow = milliseconds >= this.#findIdle(request) * slowShare;
    // Repeating the request would take as long again.
    return request.tries !== undefined && isSlow && isFailureOfAnswer(passing) ? failure : passing;
  }

  /** The request's name in messages. */
  #describe(url: URL, { method = 'GET' }: HttpRequest): string {
    return `${method} ${this.#options.hidesPath ? url.origin : stripQuery(url)}`;
  }

  #findIdle(request: HttpRequest): number {
    return request.idle ?? this.#options.idle ?? defaultIdle;
  }
}

function resolveTarget(link: string, { origin, contextPath = '', who }: HttpClientOptions): URL {
  const url = URL.parse(link, origin.includes('*') ? undefined : origin);
  if (url !== null && isAtOrigin(url, origin) && isBelowPath(url, contextPath)) {
    return url;
  }
  throw new MusterError(
    'foreign-link',
    `${who} returned a link outside ${origin}${contextPath}; Muster did not follow it. Check whether something redirects requests.`,
  );
}

/**
 * Whether `url` is at the allowed origin. A leading `*.` in the allowed host matches one or more labels (Microsoft's
 * download hosts differ by region). Neither may contain a user name or password:
 * `https://graph.microsoft.com:443@evil.test/` is a request to evil.test.
 */
export function isAtOrigin(url: URL, allowed: string): boolean {
  if (url.username !== '' || url.password !== '' || allowed.includes('@')) {
    return false;
  }
  const wildcard = /^(https?:\/\/)\*\.([^/]+)\/?$/.exec(allowed);
  if (!wildcard) {
    return url.origin === new URL(allowed).origin;
  }
  const parent = new URL(`${wildcard[1]}${wildcard[2]}`);
  return url.protocol === parent.protocol && url.port === parent.port && url.hostname.endsWith(`.${parent.hostname}`);
}

/** Whether a path is below another. Refuses encoded slashes and `..;`, which some servers, unlike URLs, read as path steps. */
function isBelowPath({ pathname }: URL, path: string): boolean {
  return path === '' || (pathname.startsWith(`${path}/`) && !/%2f|%5c|;/i.test(pathname));
}

/** A URL for logs and errors: without its query, where secrets travel. */
export function stripQuery(url: URL): string {
  return `${url.origin}${url.pathname}`;
}
