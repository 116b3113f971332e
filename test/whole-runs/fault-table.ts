/** The faults of whole runs, kind × request, with what becomes of a run while they last. */

export type Platform = 'jamf' | 'graph';

export const sourceOf = { jamf: 'macs', graph: 'windows' } as const;

/** What a source's problem says while a fault lasts. */
export interface Problem {
  readonly code: string;
  /** Part of the sentence that says what happened. */
  readonly says: RegExp;
}

const requests = [
  ['jamf', 'sign-in'],
  ['jamf', 'devices'],
  ['graph', 'sign-in'],
  ['graph', 'devices'],
  ['graph', 'report'],
  ['graph', 'download'],
] as const;

type RequestName = (typeof requests)[number][1];

interface RequestFault extends Problem {
  readonly kind: string;
  /** Requests that cannot have it. */
  readonly never?: readonly RequestName[];
}

const network = /closed the connection.*Check the address and the network/;

/** Kinds of fault that any request can meet. The waits for both platforms are added to one clock, that is set forward. */
const requestFaults: readonly RequestFault[] = [
  { kind: 'throttled-bare', code: 'throttled', says: /answered 429.*gave up after \d+ min/ },
  { kind: 'server-errors', code: 'request-failed', says: /answered 503.*See the server's log/ },
  { kind: 'gateway-timeouts', never: ['sign-in'], code: 'request-timed-out', says: /answered 504.*overloaded/ },
  { kind: 'reset-mid-body', code: 'request-failed', says: network },
  { kind: 'truncated-json', never: ['download'], code: 'answer-unreadable', says: /sent JSON that is cut off/ },
  { kind: 'html-200', code: 'answer-unreadable', says: /sent a web page instead of JSON/ },
  { kind: 'hang', code: 'request-timed-out', says: /sent nothing for/ },
  { kind: 'down', code: 'request-failed', says: network },
];

export interface Cell extends RequestFault {
  readonly platform: Platform;
  readonly request: RequestName;
}

/** Each kind of fault with each request that can have it. */
export const cells: readonly Cell[] = requestFaults.flatMap((fault) =>
  requests.flatMap(([platform, request]) => (fault.never?.includes(request) ? [] : [{ ...fault, platform, request }])),
);

/** As the simulator reads it. A hang that passes is a connection that is dropped at once. */
export function writePassing({ platform, kind, request }: Cell): string {
  return `${platform}/${kind}@${request}${kind === 'hang' ? '=0' : ''}`;
}

export function writeLasting({ platform, kind, request }: Cell): string {
  return `${platform}/${kind}@${request}:lasting`;
}

/**
 * A covering array: as many runs as kinds, and in each of them every request has another kind, so that all runs together
 * have each kind with each request.
 */
export const passingRows: readonly (readonly Cell[])[] = requestFaults.map((_, row) =>
  requests.flatMap(([platform, request], column) => {
    const { kind } = requestFaults[(row + column) % requestFaults.length] ?? {};
    return cells.filter((cell) => cell.kind === kind && cell.platform === platform && cell.request === request);
  }),
);

/** Where a download fails for as long as it is tried, the synchronous report has the same rows. */
export const fatalCells: readonly Cell[] = cells.filter(({ request }) => request !== 'download');

/**
 * One run a kind, with one request of each platform: each kind with each platform, and each request. Silence is waited
 * for in real time, so only `npm run test:deep` has it.
 */
export const lastingRows: readonly (readonly Cell[])[] = requestFaults
  .filter(({ kind }) => kind !== 'hang')
  .map(({ kind }, row) =>
    (['jamf', 'graph'] as const).flatMap((platform) => {
      const own = fatalCells.filter((cell) => cell.kind === kind && cell.platform === platform);
      return own.slice(row % own.length).slice(0, 1);
    }),
  );

/** Faults of one kind of request by their nature that pass, or that another way leads around. Without a platform, both have it. */
export const ownPassing: readonly string[] = [
  ...['token-expired', 'rows-hidden', 'slow-pages:lasting', 'throttled-date', 'throttled-seconds'],
  ...['jamf/large-rows:lasting', 'jamf/account-errors', 'graph/export-stuck:lasting', 'graph/export-failed:lasting'],
  ...['graph/export-empty:lasting', 'graph/download-expired:lasting', 'graph/zip-broken:lasting'],
  ...['graph/export-refused:lasting', 'graph/action-gone:lasting', 'graph/action-throttled:lasting'],
  ...['graph/ids-respelled', 'graph/sign-in-unsteady'],
];

export interface OwnFault extends Problem {
  readonly platform: Platform;
  readonly fault: string;
}

const renewals: Problem = { code: 'sign-in-refused', says: /answered 401.*Check that/ };

/** Faults of one kind of request by their nature while they last, and those after which an answer cannot be proved complete. */
export const ownLasting: readonly OwnFault[] = [
  { platform: 'jamf', fault: 'token-expired', ...renewals },
  {
    ...{ platform: 'jamf', fault: 'rows-hidden', code: 'rows-missing' },
    says: /reports [\d,]+ computers but returned [\d,]+ in 6 walks.*run again/,
  },
  {
    ...{ platform: 'jamf', fault: 'attribute-renamed', code: 'attribute-missing' },
    says: /now called "Agent Status \(renamed\)".*in the settings/,
  },
  { platform: 'graph', fault: 'token-expired', ...renewals },
  {
    ...{ platform: 'graph', fault: 'rows-hidden', code: 'rows-missing' },
    says: /reports \d+ rows in the report.*but sent \d+.*Run again/,
  },
  {
    ...{ platform: 'graph', fault: 'licence-missing', code: 'licence-missing' },
    says: /no active Microsoft Intune licence.*tenantId/,
  },
  {
    ...{ platform: 'graph', fault: 'next-link-loops', code: 'paging-broken' },
    says: /next link twice|same device twice/,
  },
  { platform: 'graph', fault: 'next-link-elsewhere', code: 'foreign-link', says: /did not follow it/ },
];
