/** Watches the clients: which requests came, whose credentials strayed, who asked too often or too early. */

import type { Tokens } from '../platforms/access-tokens.ts';
import type { Secrets } from '../platforms/company.ts';
import { type Answer, type Exchange, header, type OriginName } from '../platforms/request.ts';

export interface RequestRecord {
  readonly origin: OriginName;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly status: number;
  /** What the wire did to the answer, where it did not arrive whole. */
  readonly wire: string;
}

interface Watch {
  readonly requests: RequestRecord[];
  readonly leaks: string[];
  readonly violations: string[];
  /** Looks at a request before it is answered; returns what to call when it is. */
  enter(exchange: Exchange): (answer: Answer) => void;
  /** Whoever was told to wait need not any more: the faults are other ones now. */
  forgetWaits(): void;
}

const largestRecord = 20_000;
const mostConnections = 5;
/** Timers of both sides are only so exact. */
const toleranceMilliseconds = 50;

function bounded<Item>(list: Item[], item: Item): void {
  list.push(item);
  if (list.length > largestRecord) {
    list.splice(0, largestRecord / 2);
  }
}

function everything(exchange: Exchange): string {
  const headers = Object.entries(exchange.headers).map(([name, value]) => `${name}: ${String(value)}`);
  const basic = /^Basic (.+)$/.exec(header(exchange, 'authorization'))?.[1];
  const decoded = basic === undefined ? '' : Buffer.from(basic, 'base64').toString('utf8');
  return [
    exchange.path,
    decodeURIComponent(exchange.query.toString().replaceAll('+', ' ')),
    ...headers,
    decoded,
    exchange.body,
  ].join('\n');
}

function retryAfterMilliseconds(answer: Answer): number | undefined {
  const value = answer.headers['retry-after'];
  if (value === undefined) {
    return undefined;
  }
  return /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
}

export function createWatch(secrets: Secrets, jamfTokens: Tokens, graphTokens: Tokens): Watch {
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

  function searchLeaks(exchange: Exchange): void {
    const sent = everything(exchange);
    const url = `${exchange.path}?${exchange.query}`;
    const where = `${exchange.method} ${exchange.path} at ${exchange.origin}`;
    for (const { what, text, allowed } of secretOf) {
      if (sent.includes(text) && !allowed.includes(exchange.origin)) {
        bounded(leaks, `${what} was sent to ${where}`);
      } else if (url.includes(encodeURIComponent(text))) {
        bounded(leaks, `${what} was in the URL of ${where}`);
      }
    }
    const authorization = header(exchange, 'authorization');
    const bare = exchange.origin === 'login' || exchange.origin === 'downloads' || exchange.origin === 'service';
    if (authorization !== '' && bare) {
      bounded(leaks, `an Authorization header was sent to ${where}`);
    }
    if (authorization.startsWith('Basic ') && exchange.path !== '/api/v1/auth/token') {
      bounded(leaks, `a password was sent to ${where}`);
    }
  }

  return {
    requests,
    leaks,
    violations,
    forgetWaits: () => notBefore.clear(),
    enter(exchange) {
      searchLeaks(exchange);
      const key = `${exchange.origin} ${exchange.method} ${exchange.path}?${exchange.query}`;
      const early = (notBefore.get(key) ?? 0) - Date.now();
      if (early > toleranceMilliseconds) {
        bounded(violations, `${exchange.method} ${exchange.path} came ${early} ms before its Retry-After was over`);
      }
      notBefore.delete(key);
      inFlight += exchange.origin === 'jamf' ? 1 : 0;
      if (inFlight > mostConnections) {
        bounded(violations, `${inFlight} requests at once to the Jamf server, at ${exchange.method} ${exchange.path}`);
      }
      return (answer) => {
        inFlight -= exchange.origin === 'jamf' ? 1 : 0;
        const wait = retryAfterMilliseconds(answer);
        if (wait !== undefined) {
          notBefore.set(key, Date.now() + wait);
        }
        bounded(requests, {
          origin: exchange.origin,
          method: exchange.method,
          path: exchange.path,
          query: exchange.query.toString(),
          status: answer.status,
          wire: typeof answer.wire === 'object' ? 'dropped' : (answer.wire ?? ''),
        });
      };
    },
  };
}
