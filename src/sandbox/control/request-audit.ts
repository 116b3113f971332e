/** Audits the clients: which requests came, which secrets went to a wrong origin, which requests were too many or too early. */
import type { AccessTokens } from '../platforms/access-tokens.ts';
import { type OriginName, type PlatformRequest, readHeader } from '../platforms/request.ts';
import type { PlatformResponse } from '../platforms/response.ts';
import type { Secrets } from '../platforms/secrets.ts';

export interface RequestRecord {
  readonly origin: OriginName;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly status: number;
  /** How the connection broke, where the response did not arrive whole. */
  readonly wire: string;
}

export interface RequestAudit {
  readonly requests: RequestRecord[];
  readonly leaks: string[];
  readonly violations: string[];
  /** Checks a request before it is answered; the function it returns records the response. */
  recordRequest(request: PlatformRequest): (response: PlatformResponse) => void;
  /** For when other faults are set: a client need not wait any more. */
  forgetRetryAfter(): void;
}

/** A text that only some origins may receive. */
interface ProtectedText {
  readonly name: string;
  readonly text: string;
  readonly origin: OriginName;
}

const maximumEntries = 20_000;
/** The timers of client and sandbox are not exact. */
const toleranceMilliseconds = 50;

export function createRequestAudit(
  secrets: Secrets,
  jamfTokens: AccessTokens,
  graphTokens: AccessTokens,
  jamfRequestsAtOnce: number,
): RequestAudit {
  const requests: RequestRecord[] = [];
  const leaks: string[] = [];
  const violations: string[] = [];
  const notBefore = new Map<string, number>();
  const protectedTexts: readonly ProtectedText[] = [
    { name: 'the Jamf password', text: secrets.jamfPassword, origin: 'jamf' },
    { name: 'the Jamf client secret', text: secrets.jamfClientSecret, origin: 'jamf' },
    { name: 'a Jamf token', text: `${jamfTokens.prefix}.`, origin: 'jamf' },
    { name: 'the Graph client secret', text: secrets.graphClientSecret, origin: 'login' },
    { name: 'a Graph token', text: `${graphTokens.prefix}.`, origin: 'graph' },
  ];
  let concurrentRequests = 0;

  function checkRetryAfter(request: PlatformRequest, key: string): void {
    const early = (notBefore.get(key) ?? 0) - Date.now();
    notBefore.delete(key);
    if (early > toleranceMilliseconds) {
      pushBounded(violations, `${request.method} ${request.path} came ${early} ms before its Retry-After was over`);
    }
  }

  function checkConcurrency({ method, path }: PlatformRequest): void {
    if (concurrentRequests > jamfRequestsAtOnce) {
      pushBounded(violations, `${concurrentRequests} requests at once to the Jamf server, at ${method} ${path}`);
    }
  }

  return {
    requests,
    leaks,
    violations,
    forgetRetryAfter: () => notBefore.clear(),
    recordRequest(request) {
      for (const leak of findLeaks(request, protectedTexts)) {
        pushBounded(leaks, leak);
      }
      const key = `${request.origin} ${request.method} ${request.path}?${request.query}`;
      checkRetryAfter(request, key);
      concurrentRequests += request.origin === 'jamf' ? 1 : 0;
      checkConcurrency(request);
      return (response) => {
        concurrentRequests -= request.origin === 'jamf' ? 1 : 0;
        const wait = readRetryAfter(response);
        if (wait !== undefined) {
          notBefore.set(key, Date.now() + wait);
        }
        pushBounded(requests, toRequestRecord(request, response));
      };
    },
  };
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
  const needsToken = request.origin === 'jamf' || request.origin === 'graph';
  if (authorization !== '' && !needsToken) {
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

function toRequestRecord(request: PlatformRequest, response: PlatformResponse): RequestRecord {
  return {
    origin: request.origin,
    method: request.method,
    path: request.path,
    query: request.query.toString(),
    status: response.status,
    wire: typeof response.wire === 'object' ? 'dropped' : (response.wire ?? ''),
  };
}
