/** A server of a few fixed answers, and everything that is needed to ask it. */
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { HttpClient } from '../../../src/http/client.ts';
import { JamfClient, readJamfErrorCode } from '../../../src/sources/jamf/client.ts';
import { locateServer } from '../../../src/sources/jamf/server.ts';
import type { Progress, ReadContext } from '../../../src/sources/source.ts';
import { type FakeClock, fakeClock, type Loopback, loopback } from '../../http/loopback.ts';
import { who } from './builders.ts';

export interface Reply {
  readonly status?: number;
  /** An object becomes JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Question {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
}

/** By method and path; whatever is not there is answered 404 with a web page, as the Classic API does. */
export type Routes = Record<string, Reply | ((question: Question) => Reply)>;

/** Serves until the test ends. */
export async function serve(routes: Routes): Promise<Loopback> {
  const server = await loopback(async (request, response) => {
    const body = await text(request);
    const url = new URL(request.url ?? '/', 'http://server.test');
    const method = request.method ?? 'GET';
    const question = { method, path: url.pathname, query: url.searchParams, body, headers: request.headers };
    const route = routes[`${method} ${url.pathname}`] ?? { status: 404, body: '<html><p>Not Found</p></html>' };
    const reply = typeof route === 'function' ? route(question) : route;
    const answer = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? {});
    response.writeHead(reply.status ?? 200, reply.headers ?? {}).end(answer);
  });
  onTestFinished(() => server.close());
  return server;
}

export const forbidden: Reply = {
  status: 403,
  body: { httpStatus: 403, errors: [{ code: 'INVALID_PRIVILEGE', description: 'canary', id: '0', field: null }] },
};

const signal = new AbortController().signal;

export function clientOf(server: Loopback, clock: FakeClock = fakeClock()) {
  return new HttpClient({ who, origin: server.origin, clock, signal, explain: readJamfErrorCode, random: () => 1 });
}

export async function jamfWith(routes: Routes): Promise<{ readonly jamf: JamfClient; readonly server: Loopback }> {
  const server = await serve(routes);
  return { server, jamf: new JamfClient(clientOf(server), locateServer({ url: server.origin }), who) };
}

/** A JSON list that pays heed to page and page-size. */
export function paged(entries: readonly unknown[], cap = 2000) {
  return ({ query }: Question): Reply => {
    const size = Math.min(Number(query.get('page-size')), cap);
    const from = Number(query.get('page')) * size;
    return { body: { totalCount: entries.length, results: entries.slice(from, from + size) } };
  };
}

export function createReadContext(changes: Partial<ReadContext> = {}): ReadContext & { readonly steps: Progress[] } {
  const steps: Progress[] = [];
  const progress = (step: Progress) => void steps.push(step);
  const clock = changes.clock ?? fakeClock();
  const at = { slot: '2026-10-07', moment: clock.now() };
  return { ...at, signal, clock, remembered: {}, progress, steps, ...changes };
}
