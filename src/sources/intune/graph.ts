/** The three clients of one tenant (sign-in, Graph, downloads), and Graph's way of refusing and paging. */
import { MusterError } from '../../errors.ts';
import { createUnreadableAnswerError, parseJson } from '../../http/body.ts';
import { type Credential, createHttpClient, type HttpClient } from '../../http/client.ts';
import type { Clock } from '../../http/clock.ts';
import type { HttpResponse } from '../../http/send-request.ts';
import type { IntuneSettings } from './settings.ts';
import { createEntraCredential } from './sign-in.ts';

export interface Graph {
  readonly who: string;
  readonly origin: string;
  readonly client: HttpClient;
  /** Has no credential: an exported report's address is a secret of its own. */
  readonly downloads: HttpClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** On the clock's `elapsed` scale. */
  readonly deadline: number;
}

/** A tenant that we are signed in to. */
export interface Tenant extends Graph {
  readonly credential: Credential;
}

interface ConnectOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly deadline?: number;
  /** Longest silence in milliseconds. */
  readonly idle?: number;
  readonly onRetry: () => void;
}

const concurrency = 4;

export function connectGraph(settings: IntuneSettings, connection: ConnectOptions): Tenant {
  const { name, endpoints, tenantId, auth } = settings;
  const { clock, signal } = connection;
  const who = `Microsoft Graph "${name}"`;
  const loginWho = `Microsoft sign-in for "${name}"`;
  const login = createHttpClient({ ...connection, who: loginWho, origin: endpoints.login });
  const credential = createEntraCredential({ who: loginWho, client: login, clock, signal, auth, tenantId, endpoints });
  const origin = endpoints.graph;
  return {
    who,
    origin,
    client: createHttpClient({ ...connection, who, origin, credential, concurrency, explain: readGraphErrorCode }),
    downloads: createHttpClient({ ...connection, who: `Report storage of "${name}"`, origin: endpoints.downloads }),
    credential,
    clock,
    signal,
    deadline: connection.deadline ?? Number.POSITIVE_INFINITY,
  };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function parseObject(answer: HttpResponse, who: string): Record<string, unknown> {
  const body = parseJson(answer, who);
  if (!isRecord(body)) {
    throw createUnreadableAnswerError(who, 'something else than a JSON object');
  }
  return body;
}

/** Graph's own `error.code`; the message beside it holds addresses and ids. */
function readGraphErrorCode(answer: HttpResponse): string | undefined {
  try {
    const body: unknown = JSON.parse(answer.body.toString('utf8'));
    const code = isRecord(body) && isRecord(body.error) ? body.error.code : undefined;
    return typeof code === 'string' && /^[A-Za-z_]{3,60}$/.test(code) ? code : undefined;
  } catch {
    return undefined;
  }
}

interface GraphPage {
  readonly rows: readonly Record<string, unknown>[];
  /** `@odata.count`, where the page says one. */
  readonly count?: number;
  readonly isLast: boolean;
}

/** Far above the largest tenant; a server that never stops naming new links meets it. */
const maximumPages = 5_000;

/**
 * The pages of a collection. Links are opaque and followed as they came, but only under the path of the first:
 * https://learn.microsoft.com/graph/paging. A link that repeats or has expired ends with 'paging-broken'.
 * `shrinks` where the caller answers a time-out of the first page by asking for a smaller one.
 */
export async function* readPages(
  graph: Graph,
  path: string,
  query: string,
  { shrinks = false } = {},
): AsyncGenerator<GraphPage> {
  const seen = new Set<string>();
  let link = `${path}?${query}`;
  for (let pages = 1; ; pages += 1) {
    if (pages > maximumPages) {
      throw createPagingBrokenError(graph.who, path, `names more than ${maximumPages} pages`);
    }
    if (seen.has(link)) {
      throw createPagingBrokenError(graph.who, path, 'names the same next page twice');
    }
    seen.add(link);
    // Only the first page's size can be chosen, so only there is asking for the same again no use.
    const request = { url: link, alsoUnderstood: [410], shrinks: shrinks && pages === 1 };
    const body = await graph.client.send(request, (answer) =>
      answer.status === 410 ? undefined : parseGraphPage(answer, graph.who),
    );
    if (body === undefined) {
      throw createPagingBrokenError(graph.who, path, 'says that a next page has expired (410)');
    }
    const { rows, next, count } = body;
    yield { rows, isLast: next === undefined, ...(count === undefined ? {} : { count }) };
    if (next === undefined) {
      return;
    }
    link = checkNextLink(next, graph, path);
  }
}

function parseGraphPage(answer: HttpResponse, who: string) {
  const body = parseObject(answer, who);
  const { value, '@odata.nextLink': next, '@odata.count': count } = body;
  if (!Array.isArray(value) || !value.every(isRecord)) {
    throw createUnreadableAnswerError(who, 'a page without a list of rows');
  }
  if (next !== undefined && next !== null && typeof next !== 'string') {
    throw createUnreadableAnswerError(who, 'a next link that is none');
  }
  return {
    rows: value,
    next: next === null || next === '' ? undefined : next,
    count: Number.isSafeInteger(count) ? Number(count) : undefined,
  };
}

/** The client refuses other origins; here the same origin must not lead to another collection either. */
function checkNextLink(link: string, graph: Graph, path: string): string {
  const url = URL.parse(link, graph.origin);
  if (url?.pathname.toLowerCase() === path.toLowerCase()) {
    return link;
  }
  throw new MusterError(
    'foreign-link',
    `${graph.who} named a next page outside ${path}; it was not fetched. Somebody may be redirecting requests.`,
  );
}

function createPagingBrokenError(who: string, path: string, what: string): MusterError {
  return new MusterError(
    'paging-broken',
    `${who} ${what}: ${path}. The list cannot be read to its end; try again later.`,
  );
}
