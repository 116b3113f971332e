/** Watches the clients: which requests came, whose credentials strayed, who asked too often or too early. */
import type { AccessTokens } from '../platforms/access-tokens.ts';
import type { Secrets } from '../platforms/company.ts';
import { type OriginName, type PlatformRequest, type PlatformResponse, readHeader } from '../platforms/request.ts';

export interface RequestRecord {
  readonly origin: OriginName;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly status: number;
  /** What the wire did to the answer, where it did not arrive whole. */
  readonly wire: string;
}

interface RequestAudit {
  readonly requests: RequestRecord[];
  readonly leaks: string[];
  readonly violations: string[];
  /** Looks at a request before it is answered; returns what to call when it is. */
  recordRequest(request: PlatformRequest): (response: PlatformResponse) => void;
  /** Whoever was told to wait need not any more: the faults are other ones now. */
  forgetRetryAfter(): void;
}

const maximumEntries = 20_000;
const maximumConcurrentRequests = 5;
/** Timers of both sides are only so exact. */
const toleranceMilliseconds = 50;

export function createRequestAudit(
  secrets: Secrets,
  jamfTokens: AccessTokens,
  graphTokens: AccessTokens,
): RequestAudit {
  const requests: RequestRecord[] = [];
  const leaks: string[] = [];
  const violations: string[] = [];
  const notBefore = new Map<string, number>();
  let inFlight = 0;

  const secretOf: readonly { readonly what: string; readonly text: string; readonly allowed: readonly OriginName[] }[] =
    [
      { what: 'the Jamf password', text: secrets.jamfPassword, allowed: ['jamf'] },
      { what: 'the Jamf client secret', text: secrets.jamfClientSecret, allowed: ['jamf'] },
      { what: 'a Jamf token', text: `${jamfTokens.prefix}.`, allowed: ['jamf'] },
      { what: 'the Graph client secret', text: secrets.graphClientSecret, allowed: ['login'] },
      { what: 'a Graph token', text: `${graphTokens.prefix}.`, allowed: ['graph'] },
    ];

  function searchLeaks(request: PlatformRequest): void {
    const sent = joinRequestText(request);
    const url = `${request.path}?${request.query}`;
    const where = `${request.method} ${request.path} at ${request.origin}`;
    for (const { what, text, allowed } of secretOf) {
      if (sent.includes(text) && !allowed.includes(request.origin)) {
        pushBounded(leaks, `${what} was sent to ${where}`);
      } else if (url.includes(encodeURIComponent(text))) {
        pushBounded(leaks, `${what} was in the URL of ${where}`);
      }
    }
    const authorization = readHeader(request, 'authorization');
    const bare = request.origin === 'login' || request.origin === 'downloads' || request.origin === 'service';
    if (authorization !== '' && bare) {
      pushBounded(leaks, `an Authorization header was sent to ${where}`);
    }
    if (authorization.startsWith('Basic ') && request.path !== '/api/v1/auth/token') {
      pushBounded(leaks, `a password was sent to ${where}`);
    }
  }

  return {
    requests,
    leaks,
    violations,
    forgetRetryAfter: () => notBefore.clear(),
    recordRequest(request) {
      searchLeaks(request);
      const key = `${request.origin} ${request.method} ${request.path}?${request.query}`;
      const early = (notBefore.get(key) ?? 0) - Date.now();
      if (early > toleranceMilliseconds) {
        pushBounded(violations, `${request.method} ${request.path} came ${early} ms before its Retry-After was over`);
      }
      notBefore.delete(key);
      inFlight += request.origin === 'jamf' ? 1 : 0;
      if (inFlight > maximumConcurrentRequests) {
        pushBounded(
          violations,
          `${inFlight} requests at once to the Jamf server, at ${request.method} ${request.path}`,
        );
      }
      return (response) => {
        inFlight -= request.origin === 'jamf' ? 1 : 0;
        const wait = readRetryAfter(response);
        if (wait !== undefined) {
          notBefore.set(key, Date.now() + wait);
        }
        pushBounded(requests, {
          origin: request.origin,
          method: request.method,
          path: request.path,
          query: request.query.toString(),
          status: response.status,
          wire: typeof response.wire === 'object' ? 'dropped' : (response.wire ?? ''),
        });
      };
    },
  };
}

function joinRequestText(request: PlatformRequest): string {
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${String(value)}`);
  const basic = /^Basic (.+)$/.exec(readHeader(request, 'authorization'))?.[1];
  const decoded = basic === undefined ? '' : Buffer.from(basic, 'base64').toString('utf8');
  return [
    request.path,
    decodeURIComponent(request.query.toString().replaceAll('+', ' ')),
    ...headers,
    decoded,
    request.body,
  ].join('\n');
}

function pushBounded<Item>(list: Item[], item: Item): void {
  list.push(item);
  if (list.length > maximumEntries) {
    list.splice(0, maximumEntries / 2);
  }
}

function readRetryAfter(response: PlatformResponse): number | undefined {
  const value = response.headers['retry-after'];
  if (value === undefined) {
    return undefined;
  }
  return /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
}
