/** Audits the clients: records requests, secrets sent to a wrong origin, and requests that were too many or too early. */
import type { PlatformPace } from '../platforms/options.ts';
import {
  type OriginName,
  originPlatforms,
  type PlatformName,
  platformNames,
  platforms,
} from '../platforms/platforms.ts';
import { type PlatformRequest, readHeader } from '../platforms/request.ts';
import type { PlatformResponse } from '../platforms/response.ts';
import { createTokenPrefix, type Secrets } from '../platforms/secrets.ts';

export interface RequestRecord {
  readonly origin: OriginName;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly status: number;
}

/** A text that only one origin may receive. */
interface ProtectedText {
  readonly name: string;
  readonly text: string;
  readonly origin: OriginName;
}

const maximumEntries = 20_000;
/** Milliseconds; timers of client and simulator are not exact. */
const toleranceMilliseconds = 50;

export class RequestAudit {
  readonly requests: RequestRecord[] = [];
  readonly leaks: string[] = [];
  readonly violations: string[] = [];
  readonly #pace: Readonly<Record<PlatformName, PlatformPace>>;
  readonly #protectedTexts: readonly ProtectedText[];
  /** Time before which a request must not be repeated, where a response named one. */
  readonly #notBefore = new Map<string, number>();
  readonly #inFlight: Record<PlatformName, number> = { jamf: 0, graph: 0 };

  constructor(secrets: Secrets, pace: Readonly<Record<PlatformName, PlatformPace>>) {
    this.#protectedTexts = platformNames.flatMap((platform) => listProtectedTexts(secrets, platform));
    this.#pace = pace;
  }

  /** Checks a request before it is answered; the function it returns records the response. */
  recordRequest(request: PlatformRequest): (response: PlatformResponse) => void {
    for (const leak of findLeaks(request, this.#protectedTexts)) {
      pushBounded(this.leaks, leak);
    }
    const key = `${request.origin} ${request.method} ${request.path}?${request.query}`;
    this.#checkRetryAfter(request, key);
    const platform = findAskedPlatform(request);
    if (platform !== undefined) {
      this.#checkConcurrency(request, platform);
    }
    return (response) => {
      if (platform !== undefined) {
        this.#inFlight[platform] -= 1;
      }
      const wait = readRetryAfter(response);
      if (wait !== undefined) {
        this.#notBefore.set(key, Date.now() + wait);
      }
      const { origin, method, path, query } = request;
      pushBounded(this.requests, { origin, method, path, query: query.toString(), status: response.status });
    };
  }

  /** Forgets the waiting times once other faults are set. */
  forgetRetryAfter(): void {
    this.#notBefore.clear();
  }

  #checkRetryAfter({ method, path }: PlatformRequest, key: string): void {
    const early = (this.#notBefore.get(key) ?? 0) - Date.now();
    this.#notBefore.delete(key);
    if (early > toleranceMilliseconds) {
      pushBounded(this.violations, `${method} ${path} came ${early} ms before its Retry-After was over`);
    }
  }

  #checkConcurrency({ method, path }: PlatformRequest, platform: PlatformName): void {
    this.#inFlight[platform] += 1;
    const count = this.#inFlight[platform];
    if (count > this.#pace[platform].requestsAtOnce) {
      const { title } = platforms[platform];
      pushBounded(this.violations, `${count} requests at once to the ${title} server, at ${method} ${path}`);
    }
  }
}

/** The platform whose own server is asked; signing in elsewhere and downloads are no load on it. */
function findAskedPlatform({ origin }: PlatformRequest): PlatformName | undefined {
  const platform = originPlatforms[origin];
  return platform !== undefined && platforms[platform].takesTokensAt === origin ? platform : undefined;
}

function listProtectedTexts(secrets: Secrets, platform: PlatformName): ProtectedText[] {
  const { title, signsInAt, takesTokensAt } = platforms[platform];
  const credentials = Object.entries(secrets[platform])
    .filter(([, text]: [string, string]) => text.startsWith('canary-'))
    .map(([key, text]: [string, string]) => {
      const words = key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
      return { name: `the ${title} ${words}`, text, origin: signsInAt };
    });
  return [...credentials, { name: `a ${title} token`, text: `${createTokenPrefix(platform)}.`, origin: takesTokensAt }];
}

function pushBounded<Item>(list: Item[], item: Item): void {
  list.push(item);
  if (list.length > maximumEntries) {
    list.splice(0, maximumEntries / 2);
  }
}

function findLeaks(request: PlatformRequest, protectedTexts: readonly ProtectedText[]): string[] {
  const leaks: string[] = [];
  const sent = joinRequestText(request);
  const url = `${request.path}?${request.query}`;
  const where = `${request.method} ${request.path} at ${request.origin}`;
  for (const { name, text, origin } of protectedTexts) {
    if (sent.includes(text) && request.origin !== origin) {
      leaks.push(`${name} was sent to ${where}`);
    } else if (url.includes(encodeURIComponent(text))) {
      leaks.push(`${name} was in the URL of ${where}`);
    }
  }
  const authorization = readHeader(request, 'authorization');
  const takesToken = platformNames.some((platform) => platforms[platform].takesTokensAt === request.origin);
  if (authorization !== '' && !takesToken) {
    leaks.push(`an Authorization header was sent to ${where}`);
  }
  if (authorization.startsWith('Basic ') && request.path !== '/api/v1/auth/token') {
    leaks.push(`a password was sent to ${where}`);
  }
  return leaks;
}

function joinRequestText(request: PlatformRequest): string {
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${String(value)}`);
  const basic = /^Basic (.+)$/.exec(readHeader(request, 'authorization'))?.[1] ?? '';
  return [
    request.path,
    decodeURIComponent(request.query.toString().replaceAll('+', ' ')),
    ...headers,
    Buffer.from(basic, 'base64').toString('utf8'),
    request.body,
  ].join('\n');
}

function readRetryAfter(response: PlatformResponse): number | undefined {
  const value = response.headers['retry-after'];
  if (value === undefined) {
    return undefined;
  }
  return /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
}
