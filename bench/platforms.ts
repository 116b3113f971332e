/**
 * The simulated platforms, and a bucket, in a process of their own: `node bench/platforms.ts DEVICES [undated]`, driven over
 * the channel of `fork`. A page that was asked for once is kept and answered from memory, so that Muster is measured and not the
 * simulator; its latency is what the parent says.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlatformRequest } from '../simulator/platforms/request.ts';
import type { PlatformResponse } from '../simulator/platforms/response.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { startS3Peer } from '../test/peers/s3/peer.ts';

/** In milliseconds: of every request, and on top of it for each row of a page. */
export interface Latency {
  readonly request: number;
  readonly row: number;
  /** Of every request to the bucket. */
  readonly bucket?: number;
  /** Microsoft Entra refuses the sign-in, so that the Windows devices cannot be read. */
  readonly isSignInRefused?: boolean;
}

export interface Page {
  readonly origin: 'jamf' | 'graph' | 'downloads';
  readonly url: string;
}

export interface Started {
  readonly settings: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** One request as the platforms saw it; milliseconds since 1970, with their fraction. */
export interface RequestTime {
  readonly origin: string;
  readonly what: string;
  readonly began: number;
  readonly ended: number;
}

/** What was asked since the latency was set. */
export interface Asked {
  readonly requests: number;
  /** Requests in flight to the Jamf server at one time, at most. */
  readonly jamfAtOnce: number;
  /** Pages of devices and downloads, in the order in which they were asked for. */
  readonly pages: readonly Page[];
  readonly times: readonly RequestTime[];
}

interface KeptPage {
  readonly response: PlatformResponse;
  readonly rows: number;
}

const pagePaths = /\/computers-inventory$|\/managedDevices$|^\/downloads?\//;

async function serve(devices: number, datesKnown: boolean): Promise<void> {
  const kept = new Map<string, Promise<KeptPage>>();
  let latency: Latency = { request: 0, row: 0 };
  let asked = forgetRequests();
  let jamfNow = 0;
  const simulator = await startSimulator({
    devices,
    graph: { exportPolls: 0, datesKnown },
    async intercept(request, respond) {
      if (latency.isSignInRefused && request.origin === 'login') {
        return { status: 401, headers: {}, body: '{"error":"invalid_client"}' };
      }
      const { times } = asked;
      const began = readMoment();
      asked.requests += 1;
      jamfNow += request.origin === 'jamf' ? 1 : 0;
      asked.jamfAtOnce = Math.max(asked.jamfAtOnce, jamfNow);
      const page = toPage(request, simulator.urls);
      if (page !== undefined) {
        asked.pages.push(page);
      }
      const { response, rows } = await (page === undefined
        ? respond(request).then(toKeptPage)
        : keep(kept, page.url, () => respond(request).then(toKeptPage)));
      const late = latency.request + rows * latency.row;
      if (late > 0) {
        await sleep(late);
      }
      jamfNow -= request.origin === 'jamf' ? 1 : 0;
      times.push({ origin: request.origin, what: nameRequest(request), began, ended: readMoment() });
      return response;
    },
  });
  process.on('message', (message: Latency | 'asked') => {
    if (message === 'asked') {
      process.send?.(asked satisfies Asked);
    } else {
      latency = message;
      asked = forgetRequests();
      process.send?.('set');
    }
  });
  process.once('disconnect', () => process.exit());
  const bucket = await startS3Peer({ buckets: ['reports'] });
  bucket.setFault(async () => {
    await sleep(latency.bucket ?? 0);
    return undefined;
  });
  const environment = { ...simulator.environment, ...bucket.environment };
  process.send?.({ settings: simulator.settings(), environment } satisfies Started);
}

function forgetRequests() {
  return { requests: 0, jamfAtOnce: 0, pages: [] as Page[], times: [] as RequestTime[] };
}

function readMoment(): number {
  return performance.timeOrigin + performance.now();
}

/** The resource, and where in its list: without the rest of the query, which is long. */
function nameRequest({ method, path, query }: PlatformRequest): string {
  const place = query.get('$skiptoken') ?? query.get('page');
  const size = query.get('page-size') ?? query.get('$top');
  const fields = query.get('$select')?.split(',').length;
  const words = [place && `page ${place}`, size && `of ${size}`, fields && `fields ${fields}`].filter(Boolean);
  return [method, path, words.length > 0 ? `(${words.join(', ')})` : ''].join(' ').trim();
}

function toPage(request: PlatformRequest, urls: Readonly<Record<string, string>>): Page | undefined {
  const { origin, method, path, query } = request;
  const isPage = method === 'GET' && (origin === 'downloads' || pagePaths.test(path));
  if (!isPage || (origin !== 'jamf' && origin !== 'graph' && origin !== 'downloads')) {
    return undefined;
  }
  const search = query.size === 0 ? '' : `?${query}`;
  return { origin, url: `${urls[origin]}${path}${search}` };
}

function keep(kept: Map<string, Promise<KeptPage>>, url: string, make: () => Promise<KeptPage>): Promise<KeptPage> {
  const known = kept.get(url) ?? make();
  kept.set(url, known);
  return known;
}

function toKeptPage(response: PlatformResponse): KeptPage {
  const { body } = response;
  if (typeof body !== 'string' || response.status !== 200 || !/^\{.*"(results|value)":\[/s.test(body.slice(0, 2_000))) {
    return { response, rows: 0 };
  }
  const { results, value } = JSON.parse(body) as { results?: unknown[]; value?: unknown[] };
  return { response: { ...response, body: Buffer.from(body) }, rows: (results ?? value ?? []).length };
}

if (process.argv[1] === import.meta.filename) {
  await serve(Number(process.argv[2]), process.argv[3] !== 'undated');
}
