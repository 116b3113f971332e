/** Requests to a Jamf Pro server: paths, permissions by name, and the API versions that it supports. */
import { type ErrorCode, MusterError } from '../../errors.ts';
import { decodeText, parseJson } from '../../http/body.ts';
import type { HttpClient, HttpRequest } from '../../http/client.ts';
import type { HttpResponse } from '../../http/send-request.ts';
import { readList, readRecord } from '../read.ts';
import { parseRoot, type XmlElement } from './classic.ts';

export interface JamfClient {
  /** The server's name in messages. */
  readonly who: string;
  json<T>(request: JamfRequest, read: (body: unknown, answer: HttpResponse) => T): Promise<T>;
  xml<T>(request: JamfRequest & { readonly root: string }, read: (root: XmlElement) => T): Promise<T>;
}

export interface JamfRequest extends Pick<HttpRequest, 'shrinks' | 'idle' | 'maximumBytes' | 'isOptional'> {
  /** Path and query below the server's address. */
  readonly path: string;
  /** The required permission, as Jamf Pro calls it. */
  readonly permission?: string;
}

export function createJamfClient(client: HttpClient, base: string, who: string): JamfClient {
  async function send<T>(request: JamfRequest, accept: string, understand: (answer: HttpResponse) => T): Promise<T> {
    const { path, permission, ...bounds } = request;
    try {
      return await client.send({ ...bounds, url: base + path, accept }, understand);
    } catch (error) {
      if (permission === undefined || !hasCode(error, 'permission-missing')) {
        throw error;
      }
      const advice = `The account or API client needs "${permission}".`;
      throw new MusterError('permission-missing', `${error.message} ${advice}`, { cause: error });
    }
  }
  return {
    who,
    json: (request, read) => send(request, 'application/json', (answer) => read(parseJson(answer, who), answer)),
    // The content type is not checked: recorded answers have text/plain.
    xml: (request, read) =>
      send(request, 'application/xml', (answer) => read(parseRoot(decodeText(answer, who), request.root, who))),
  };
}

/** The same server, asked for what the source can do without: failures are waited for only briefly. */
export function toOptionalClient(jamf: JamfClient): JamfClient {
  return {
    who: jamf.who,
    json: (request, read) => jamf.json({ ...request, isOptional: true }, read),
    xml: (request, read) => jamf.xml({ ...request, isOptional: true }, read),
  };
}

/** Calls the first of several versions that the server supports; it answers 404 to the others. */
export async function callFirstSupported<T>(ways: readonly (() => Promise<T>)[]): Promise<T> {
  let missing: unknown;
  for (const way of ways) {
    try {
      return await way();
    } catch (error) {
      if (!hasCode(error, 'not-found')) {
        throw error;
      }
      missing = error;
    }
  }
  throw missing;
}

/**
 * Every row of a paged list. The page number counts pages of the size that the server chose, which may be smaller
 * than the requested one, so Muster counts pages and not rows.
 */
export async function readEveryEntry<T>(
  jamf: JamfClient,
  request: JamfRequest,
  read: (entry: unknown) => T,
): Promise<T[]> {
  const entries: T[] = [];
  for (let page = 0; page < maximumListPages; page += 1) {
    const query = new URLSearchParams({ page: String(page), 'page-size': '200', sort: 'id:asc' });
    const answer = await jamf.json({ ...request, path: `${request.path}?${query}` }, (body) => {
      const { totalCount, results } = readRecord(body) ?? {};
      return { total: typeof totalCount === 'number' ? totalCount : undefined, results: readList(results) };
    });
    entries.push(...answer.results.map(read));
    if (answer.total !== undefined && entries.length >= answer.total) {
      return entries;
    }
    if (answer.results.length === 0) {
      break;
    }
  }
  throw new MusterError(
    'paging-broken',
    `${jamf.who} returned fewer entries than it reports: ${request.path}. Run again later.`,
  );
}

const maximumListPages = 500;

export function hasCode(error: unknown, ...codes: readonly ErrorCode[]): error is MusterError {
  return error instanceof MusterError && codes.includes(error.code);
}

/** The code in an error body of the Jamf Pro API, such as INVALID_PRIVILEGE; Classic errors are web pages. */
export function readJamfErrorCode(answer: HttpResponse): string | undefined {
  try {
    const [first] = readList(readRecord(JSON.parse(answer.body.toString('utf8')))?.errors);
    const code = readRecord(first)?.code;
    return typeof code === 'string' && /^[A-Z_]{3,40}$/.test(code) ? code : undefined;
  } catch {
    return undefined;
  }
}
