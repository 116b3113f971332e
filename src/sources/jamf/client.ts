/** Requests to a Jamf Pro server: paths, names of permissions, and paged lists. */
import { MusterError } from '../../base/errors.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { type ReadFailure, toReadFailure } from '../../deployment/checks/verdicts.ts';
import { decodeText, parseJson, tryParseJson } from '../../http/body.ts';
import { HttpClient } from '../../http/client.ts';
import type { HttpRequest, HttpResponse } from '../../http/send-request.ts';
import type { TokenCredential } from '../../http/token.ts';
import { hasCode } from '../reading/attempt.ts';
import { readList, readRecord, readString } from '../reading/fields.ts';
import { Pace } from '../reading/pace.ts';
import { walkPages } from '../reading/walk.ts';
import type { ReadContext } from '../source.ts';
import { listChildren, parseRoot, readChildText, type XmlElement } from './classic.ts';
import { type JamfServer, locateServer } from './server.ts';
import type { JamfReadOptions, JamfSettings } from './settings.ts';
import { createJamfCredential } from './sign-in.ts';

export interface JamfRequest extends Pick<HttpRequest, 'tries' | 'idle' | 'maximumBytes'> {
  /** Path and query below the server's own address. */
  readonly path: string;
  /** The required permission, by its name in Jamf Pro. */
  readonly permission?: string;
}

export interface ClassicList {
  readonly path: string;
  /** Names of the root element, and of each entry in it. */
  readonly list: string;
  readonly item: string;
  readonly permission: string;
}

interface ClassicEntry {
  readonly id: string;
  readonly name: string;
  readonly element: XmlElement;
}

export class JamfClient {
  readonly who: string;
  readonly #client: HttpClient;
  readonly #server: JamfServer;

  constructor(client: HttpClient, server: JamfServer, who: string) {
    this.who = who;
    this.#client = client;
    this.#server = server;
  }

  /** The same server, for optional requests: failures are waited for only briefly. */
  optional(): JamfClient {
    return new JamfClient(this.#client.optional(), this.#server, this.who);
  }

  json<T>(request: JamfRequest, read: (body: unknown, answer: HttpResponse) => T): Promise<T> {
    return this.#send(request, 'application/json', (answer) => read(parseJson(answer, this.who), answer));
  }

  /** Ignores the content type: recorded answers have text/plain. */
  xml<T>({ root, ...request }: JamfRequest & { readonly root: string }, read: (root: XmlElement) => T): Promise<T> {
    return this.#send(request, 'application/xml', (answer) =>
      read(parseRoot(decodeText(answer, this.who), root, this.who)),
    );
  }

  async #send<T>(request: JamfRequest, accept: string, understand: (answer: HttpResponse) => T): Promise<T> {
    const { path, permission, ...bounds } = request;
    const { headers } = this.#server;
    try {
      return await this.#client.send({ ...bounds, url: this.#server.locate(path), headers, accept }, understand);
    } catch (error) {
      if (permission === undefined || !hasCode(error, 'permission-missing')) {
        throw error;
      }
      const advice = `The account or API client needs "${permission}".`;
      throw new MusterError('permission-missing', `${error.message} ${advice}`, { cause: error });
    }
  }

  /** Reads ids and names of a list of the Classic API. */
  classicEntries({ path, permission, list, item }: ClassicList): Promise<readonly ClassicEntry[]> {
    return this.xml({ path, permission, root: list }, (root) =>
      listChildren(root, item).map((element) => ({
        id: readChildText(element, 'id') ?? '',
        name: readChildText(element, 'name') ?? '',
        element,
      })),
    );
  }

  /** Reads one object of such a list, by its id. */
  classicEntry<T>({ path, permission, item }: ClassicList, id: string, read: (root: XmlElement) => T): Promise<T> {
    return this.xml({ path: `${path}/id/${encodeURIComponent(id)}`, permission, root: item }, read);
  }

  /** Reads every row of a paged list. */
  async entries<T>(request: JamfRequest, read: (entry: unknown) => T): Promise<readonly T[]> {
    const readPage = (page: number, size: number, tries?: number) => {
      const query = new URLSearchParams({ page: String(page), 'page-size': String(size), sort: 'id:asc' });
      return this.json({ ...request, tries, path: `${request.path}?${query}` }, (body, { body: { length: bytes } }) => {
        const { totalCount, results } = readRecord(body) ?? {};
        const total = typeof totalCount === 'number' ? totalCount : Number.POSITIVE_INFINITY;
        return { total, rows: readList(results).map(read), bytes, milliseconds: 0 };
      });
    };
    const pace = new Pace({ size: entriesPerPage, idle: 0 });
    const countRows = async () => (await readPage(0, 1)).total;
    const { rows, total } = await walkPages(readPage, pace, { countRows, maximumPages });
    if (rows.length < total) {
      throw new MusterError(
        'paging-broken',
        `${this.who} returned fewer entries than it reports: ${request.path}. Run again later.`,
      );
    }
    return rows;
  }
}

const entriesPerPage = 200;
const maximumPages = 500;

export function connectJamf(
  settings: Pick<JamfSettings, 'name' | 'url' | 'gateway' | 'auth'>,
  options: JamfReadOptions,
  { clock, signal, deadline, patience }: Pick<ReadContext, 'clock' | 'signal' | 'deadline' | 'patience'>,
  onRetry: () => void,
): { readonly jamf: JamfClient; readonly credential: TokenCredential } {
  const who = `Jamf Pro "${settings.name}"`;
  const server = locateServer(settings);
  const { idle, limit } = options;
  const common = {
    who,
    origin: server.origin,
    contextPath: server.contextPath,
    clock,
    signal,
    onRetry,
    explain: (answer: HttpResponse) => explainRefusal(answer, who),
    isOwnError: isJamfError,
    ...omitUndefined({ deadline, patience, idle }),
  };
  const client = new HttpClient(common);
  const credential = createJamfCredential(settings.auth, { client, server, who, clock, signal });
  const signedIn = new HttpClient({ ...common, credential, ...omitUndefined({ limit }) });
  return { jamf: new JamfClient(signedIn, server, who), credential };
}

/**
 * Codes of the gateway (400, 403 or 404) where its header names no environment that the client may read. Jamf's own
 * pages omit them; jamf-cli has them: https://github.com/Jamf-Concepts/jamf-cli/wiki/Platform-API-GA-Migration
 */
const environmentRefusals: ReadonlySet<string | undefined> = new Set([
  'ENVIRONMENT_NOT_FOUND',
  'OWNERSHIP_FORBIDDEN',
  'INVALID_REQUEST_CONTEXT_TYPE',
  'REQUEST_CONTEXT_NOT_PROVIDED',
]);

/** Throws an error of its own for a refused environment, which as a 404 would look like an older server without the path. */
function explainRefusal(answer: HttpResponse, who: string): string | undefined {
  const code = readJamfErrorCode(answer);
  if (!environmentRefusals.has(code)) {
    return code;
  }
  throw new MusterError(
    'environment-refused',
    `${who} answered ${answer.status} (${code}): the gateway does not lead this client to the environment. Check that ` +
      'gateway.environmentId is the id of a platform environment, not of a tenant, that the integration in Jamf Account ' +
      'is for it, and that gateway.region is its region.',
  );
}

/**
 * Whether an error is Jamf's: JSON of the Jamf Pro API or its sign-in, the status page of the Classic API, or the page
 * of Jamf Pro's Tomcat. https://developer.jamf.com/jamf-pro/docs/jamf-pro-api-error-responses
 */
function isJamfError(answer: HttpResponse): boolean {
  const { httpStatus, errors, error } = readRecord(tryParseJson(answer)) ?? {};
  const isJson = typeof httpStatus === 'number' || Array.isArray(errors) || typeof error === 'string';
  return isJson || /<title>\s*(Status page|HTTP Status \d{3})/i.test(answer.body.toString('latin1'));
}

/** The code in an error body of the Jamf Pro API, such as INVALID_PRIVILEGE; Classic errors are web pages. */
export function readJamfErrorCode(answer: HttpResponse): string | undefined {
  const [first] = readList(readRecord(tryParseJson(answer))?.errors);
  const code = readString(readRecord(first)?.code);
  return /^[A-Z_]{3,40}$/.test(code) ? code : undefined;
}

/** The reason why an object could not be read, without addresses. Older versions answer a missing permission with 401. */
export function toJamfReadFailure(error: unknown, permission: string): ReadFailure {
  if (!hasCode(error, 'permission-missing', 'sign-in-refused')) {
    return toReadFailure(error);
  }
  const why = `cannot be read: the privilege "${permission}" is missing`;
  return { kind: 'unread', why, advice: `Grant "${permission}" to the account or API client.` };
}
