/** The three clients of one tenant (sign-in, Graph, downloads), with Graph's errors and pages. */
import pLimit from 'p-limit';
import { MusterError } from '../../base/errors.ts';
import { isRecord } from '../../base/is-record.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { createUnreadableAnswerError, parseJson } from '../../http/body.ts';
import { type Credential, HttpClient } from '../../http/client.ts';
import type { Clock } from '../../http/clock.ts';
import type { HttpResponse } from '../../http/send-request.ts';
import { isServiceError, readServiceError } from '../../microsoft/service-error.ts';
import { createEntraCredential, isSignInError } from '../../microsoft/sign-in.ts';
import type { ReadContext } from '../source.ts';
import type { IntuneSettings } from './settings.ts';

export interface Graph {
  readonly who: string;
  readonly origin: string;
  readonly client: HttpClient;
  /** Sends no credential: the address of an exported report is itself a secret. */
  readonly downloads: HttpClient;
  readonly credential: Credential;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Time on the clock's `elapsed` scale. */
  readonly deadline: number;
}

const requestsAtOnce = 4;

export function connectGraph(
  settings: Pick<IntuneSettings, 'name' | 'tenantId' | 'auth' | 'endpoints'>,
  { clock, signal, deadline, patience }: Pick<ReadContext, 'clock' | 'signal' | 'deadline' | 'patience'>,
  { idle }: { readonly idle?: number | undefined },
  onRetry: () => void,
): Graph {
  const { name, endpoints } = settings;
  const common = { clock, signal, onRetry, ...omitUndefined({ deadline, patience, idle }) };
  const who = `Microsoft Graph "${name}"`;
  const loginWho = `Microsoft sign-in for "${name}"`;
  const login = new HttpClient({ ...common, who: loginWho, origin: endpoints.login, isOwnError: isSignInError });
  const credential = createEntraCredential(settings, { who: loginWho, client: login, clock, signal });
  const limit = pLimit(requestsAtOnce);
  const explain = (answer: HttpResponse) => explainRefusal(answer, who);
  return {
    who,
    origin: endpoints.graph,
    client: new HttpClient({
      ...common,
      who,
      origin: endpoints.graph,
      credential,
      explain,
      isOwnError: isServiceError,
      limit,
    }),
    downloads: new HttpClient({
      ...common,
      who: `Report storage of "${name}"`,
      origin: endpoints.downloads,
      isOwnError: isStorageError,
    }),
    credential,
    clock,
    signal,
    deadline: deadline ?? Number.POSITIVE_INFINITY,
  };
}

/** The same tenant, for optional requests: failures are waited for only briefly. */
export function toOptionalGraph(graph: Graph): Graph {
  return { ...graph, client: graph.client.optional(), downloads: graph.downloads.optional() };
}

export function parseObject(answer: HttpResponse, who: string): Record<string, unknown> {
  const body = parseJson(answer, who);
  if (!isRecord(body)) {
    throw createUnreadableAnswerError(who, 'something other than a JSON object');
  }
  return body;
}

/** The beginning of Intune's message (HTTP 400) in a tenant that has no licence for it. */
const unlicensedMessage = 'Request not applicable to target tenant';

/** Graph's own `error.code`; its message contains addresses and ids. Throws `licence-missing` if that is the reason. */
function explainRefusal(answer: HttpResponse, who: string): string | undefined {
  const { code, message } = readServiceError(answer);
  if (answer.status === 400 && message?.startsWith(unlicensedMessage)) {
    throw new MusterError(
      'licence-missing',
      `${who} answered 400 ("${unlicensedMessage}"): the tenant has no active Microsoft Intune licence. ` +
        'Assign one in the Microsoft 365 admin centre, or correct tenantId in the settings.',
    );
  }
  return code;
}

/** Whether an error is the storage service's: https://learn.microsoft.com/rest/api/storageservices/status-and-error-codes2 */
function isStorageError({ headers, body }: HttpResponse): boolean {
  return headers['x-ms-error-code'] !== undefined || /<Error><Code>/.test(body.toString('latin1'));
}

export interface GraphPage {
  readonly rows: readonly Record<string, unknown>[];
  /** `@odata.count`, where the page has one. */
  readonly count: number | undefined;
  /** The link to the next page; undefined on the last. */
  readonly next: string | undefined;
}

/** Pages of the longest list; far more than the largest tenant needs, so that a list without end stops. */
const maximumPages = 5_000;

/**
 * Reads the pages of a collection. Links are opaque and followed unchanged, but only under the path of the first:
 * https://learn.microsoft.com/graph/paging. A link that repeats or has expired ends with 'paging-broken'.
 */
export async function* readPages(graph: Graph, path: string, query: string, tries?: number): AsyncGenerator<GraphPage> {
  const seen = new Set<string>();
  let link = `${path}?${query}`;
  for (let pages = 1; ; pages += 1) {
    if (pages > maximumPages) {
      throw createPagingBrokenError(graph.who, path, `links more than ${maximumPages} pages`);
    }
    if (seen.has(link)) {
      throw createPagingBrokenError(graph.who, path, 'returned the same next link twice');
    }
    seen.add(link);
    const page = await graph.client.send({ url: link, alsoUnderstood: [410], tries }, (answer) => {
      if (answer.status === 410) {
        throw createPagingBrokenError(graph.who, path, 'reports that a next link has expired (HTTP 410)');
      }
      return parseGraphPage(answer, graph.who);
    });
    yield page;
    if (page.next === undefined) {
      return;
    }
    link = checkNextLink(page.next, graph, path);
  }
}

/** Reads the rows of all pages of a short collection. */
export async function readAllRows(graph: Graph, path: string, query: string): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  for await (const page of readPages(graph, path, query)) {
    rows.push(...page.rows);
  }
  return rows;
}

function parseGraphPage(answer: HttpResponse, who: string): GraphPage {
  const body = parseObject(answer, who);
  const { value, '@odata.nextLink': next, '@odata.count': count } = body;
  if (!Array.isArray(value) || !value.every(isRecord)) {
    throw createUnreadableAnswerError(who, 'a page without a list of rows');
  }
  if (next !== undefined && next !== null && typeof next !== 'string') {
    throw createUnreadableAnswerError(who, 'a next link that is not text');
  }
  return {
    rows: value,
    next: next === null || next === '' ? undefined : next,
    count: Number.isSafeInteger(count) ? Number(count) : undefined,
  };
}

/** Refuses a link to another collection at the same origin; the client refuses other origins. */
function checkNextLink(link: string, graph: Graph, path: string): string {
  const url = URL.parse(link, graph.origin);
  if (url?.pathname.toLowerCase() === path.toLowerCase()) {
    return link;
  }
  throw new MusterError(
    'foreign-link',
    `${graph.who} returned a next link outside ${path}; Muster did not follow it. Check whether something redirects requests.`,
  );
}

function createPagingBrokenError(who: string, path: string, what: string): MusterError {
  return new MusterError(
    'paging-broken',
    `${who} ${what}: ${path}. Muster cannot read the list to its end; run again later.`,
  );
}
