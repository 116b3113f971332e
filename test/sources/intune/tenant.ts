/** A small tenant on loopback for this folder's tests: sign-in, Graph and downloads, each request open to mischief. */
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect } from 'vitest';
import { emptyDeploymentSettings } from '../../../src/deployment/settings.ts';
import { WaitBudget } from '../../../src/http/wait-budget.ts';
import type { IntuneSettings } from '../../../src/sources/intune/settings.ts';
import { createIntuneSource } from '../../../src/sources/intune/source.ts';
import type { PreviousReading } from '../../../src/sources/source.ts';
import { fakeClock as clockFrom, type FakeClock, loopback } from '../../http/loopback.ts';
import { slowAnswer } from '../../limits.ts';
import { createEmptyReading } from '../empty-reading.ts';
import { archiveOf } from './archive.ts';

export const appId = '99999999-8888-7777-6666-555555555555';
export const secret = 'canary-secret-value';

export interface Seen {
  readonly at: 'graph' | 'downloads';
  readonly method: string;
  readonly url: URL;
  readonly path: string;
  readonly body: string;
  readonly authorization: string | undefined;
}

export interface Reply {
  readonly status: number;
  readonly body: string | Buffer;
  readonly headers?: Record<string, string>;
  /** It comes late, as from a service that has too much to do. */
  readonly isLate?: boolean;
}

export type Row = Record<string, string | number | null>;

export interface TenantContent {
  devices: Record<string, unknown>[];
  rows: Row[];
  apps: Record<string, unknown>[];
  pageSize: number;
  /** `@odata.count` of the first page. */
  count: (() => number | undefined) | undefined;
  tokenSeconds: number;
  /** Answers instead of the tenant, where it answers at all. */
  mischief: (seen: Seen) => Reply | undefined;
  /** An answer comes when this has ended. */
  hold?: (seen: Seen) => Promise<void>;
}

export interface Tenant {
  readonly content: TenantContent;
  readonly settings: IntuneSettings;
  readonly seen: Seen[];
  count(part: string): number;
  /** Mischief for the first `times` requests whose method, side and path contain `part`. */
  strike(part: string, times: number, answer: Reply | ((seen: Seen) => Reply)): void;
  close(): Promise<void>;
}

/** A new tenant for each test of a file, always under this one name; no request to the downloads may have a token. */
export function useTenant(): Tenant {
  const tenant = {} as Tenant;
  beforeEach(async () => {
    Object.assign(tenant, await startTenant());
  });
  afterEach(async () => {
    await tenant.close();
    expect(tenant.seen.filter((one) => one.at === 'downloads' && one.authorization !== undefined)).toEqual([]);
  });
  return tenant;
}

export function reply(body: unknown, status = 200): Reply {
  return { status, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

export function device(number: number, more: Record<string, unknown> = {}): Record<string, unknown> {
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  return {
    id,
    deviceName: `PC-${number}`,
    serialNumber: `SN${number}`,
    userPrincipalName: `user${number}@example.com`,
    operatingSystem: 'Windows',
    osVersion: '10.0.22631.1',
    model: 'Latitude',
    lastSyncDateTime: '2026-11-19T22:10:33Z',
    enrolledDateTime: '2025-01-01T00:00:00Z',
    managementState: 'managed',
    managementAgent: 'mdm',
    managedDeviceOwnerType: 'company',
    ...more,
  };
}

export function rowOf(number: number, state: number | string = 1, user = 'u1'): Row {
  return {
    DeviceId: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`.toUpperCase(),
    UserId: user,
    InstallState: state,
    InstallStateDetail: 0,
    ErrorCode: 0,
    HexErrorCode: '0x00000000',
    LastModifiedDateTime: '2026-11-19 22:10:33.0000000',
  };
}

export const windowsApp = {
  '@odata.type': '#microsoft.graph.win32LobApp',
  id: appId,
  displayName: 'Endpoint agent',
  publishingState: 'published',
  installCommandLine: `install.exe -ApiKey ${secret}`,
  rules: [{ '@odata.type': '#microsoft.graph.win32LobAppFileSystemRule', ruleType: 'detection', path: 'C:\\Agent' }],
  assignments: [
    {
      intent: 'available',
      target: {
        '@odata.type': '#microsoft.graph.groupAssignmentTarget',
        groupId: 'aaaaaaaa-0000-0000-0000-000000000001',
      },
    },
  ],
};

async function startTenant(): Promise<Tenant> {
  const content: TenantContent = {
    devices: Array.from({ length: 25 }, (_, index) => device(index + 1)),
    rows: Array.from({ length: 20 }, (_, index) => rowOf(index + 1, index % 2 === 0 ? 1 : 3)),
    apps: [windowsApp],
    pageSize: 10,
    count: undefined,
    tokenSeconds: 3600,
    mischief: () => undefined,
  };
  const seen: Seen[] = [];
  const jobs = new Map<string, number>();
  const graph = await listening(async (request, body) => {
    const one = seenOf('graph', request, body);
    seen.push(one);
    await content.hold?.(one);
    return content.mischief(one) ?? answerOf(one, content, jobs, graph.origin, downloads.origin);
  });
  const downloads = await listening(async (request, body) => {
    const one = seenOf('downloads', request, body);
    seen.push(one);
    const csv = csvOf(content.rows, one.url.searchParams.get('columns')?.split(',') ?? []);
    return content.mischief(one) ?? { status: 200, body: archiveOf({ content: Buffer.from(csv) }) };
  });
  const settings: IntuneSettings = {
    name: 'windows',
    tenantId: '11111111-2222-3333-4444-555555555555',
    auth: { clientId: async () => 'client-1', clientSecret: async () => secret },
    apps: [appId],
    population: 'all',
    deployment: emptyDeploymentSettings,
    endpoints: { login: graph.origin, graph: graph.origin, downloads: downloads.origin },
  };
  return {
    content,
    settings,
    seen,
    count: (part) => seen.filter((one) => nameRequest(one).includes(part)).length,
    strike(part, times, answer) {
      const before = content.mischief;
      let struck = 0;
      content.mischief = (one) => {
        if (!nameRequest(one).includes(part) || struck >= times) {
          return before(one);
        }
        struck += 1;
        return typeof answer === 'function' ? answer(one) : answer;
      };
    },
    close: async () => {
      await Promise.all([graph, downloads].map(({ close }) => close()));
    },
  };
}

function nameRequest({ method, at, path }: Seen): string {
  return `${method} ${at} ${path}`;
}

export function answerOf(
  seen: Seen,
  content: TenantContent,
  jobs: Map<string, number>,
  graph: string,
  downloads: string,
): Reply {
  const { path, url, method } = seen;
  if (path.endsWith('/oauth2/v2.0/token')) {
    const token = `token-${jobs.size}-${Math.random()}`;
    return reply({ token_type: 'Bearer', expires_in: content.tokenSeconds, ext_expires_in: 1, access_token: token });
  }
  if (!seen.authorization?.startsWith('Bearer token-')) {
    return reply({ error: { code: 'InvalidAuthenticationToken' } }, 401);
  }
  if (path === '/v1.0/deviceManagement/managedDevices') {
    return devicePage(url, content, graph);
  }
  if (path.startsWith('/v1.0/deviceManagement/managedDevices/')) {
    const one = content.devices.find(({ id }) => path.endsWith(`/${String(id)}`));
    return one === undefined ? reply({ error: { code: 'ResourceNotFound' } }, 404) : reply(one);
  }
  if (path === '/v1.0/deviceManagement/managedDeviceOverview') {
    return reply({ enrolledDeviceCount: 99, deviceOperatingSystemSummary: { windowsCount: content.devices.length } });
  }
  if (path === '/v1.0/deviceAppManagement/mobileApps') {
    return reply({ value: content.apps });
  }
  if (path.startsWith('/v1.0/deviceAppManagement/mobileApps/')) {
    const app = content.apps.find(({ id }) => path.endsWith(`/${String(id)}`));
    return app === undefined ? reply({ error: { code: 'ResourceNotFound' } }, 404) : reply(app);
  }
  if (path === '/v1.0/deviceManagement/reports/exportJobs' && method === 'POST') {
    const id = `DeviceInstallStatusByApp_${jobs.size + 1}`;
    jobs.set(id, 0);
    return reply({ id, ...JSON.parse(seen.body), status: 'notStarted', url: null }, 201);
  }
  const job = /exportJobs\('(.+)'\)$/.exec(path)?.[1];
  if (job !== undefined) {
    const polls = (jobs.get(job) ?? 0) + 1;
    jobs.set(job, polls);
    const columns =
      'InstallState,AppInstallState_loc,AssignmentFilterIdsExist,LastModifiedDateTime,HexErrorCode,ErrorCode,InstallStateDetail,UserId,DeviceId';
    const address = `${downloads}/exports/${job}.zip?sig=canary-signature&columns=${columns}`;
    // Completed without an address once, as the service does.
    return reply({ id: job, status: polls < 2 ? 'inProgress' : 'completed', url: polls < 3 ? null : address });
  }
  if (path.endsWith('/retrieveDeviceAppInstallationStatusReport')) {
    return reportPage(JSON.parse(seen.body), content);
  }
  return reply({ error: { code: 'BadRequest' } }, 400);
}

/** Which devices a page of the list has: the first request says how many, and each next link keeps that. */
export function readSlice({ searchParams }: URL, { devices, pageSize }: TenantContent) {
  const skip = Number(searchParams.get('$skiptoken') ?? 0);
  const size = Math.min(pageSize, Number(searchParams.get('$top') ?? searchParams.get('size') ?? pageSize));
  return { skip, size, value: devices.slice(skip, skip + size) };
}

function devicePage(url: URL, content: TenantContent, graph: string): Reply {
  const { skip, size, value } = readSlice(url, content);
  const end = skip + value.length;
  const select = url.searchParams.get('$select') ?? '';
  const next = `${graph}${url.pathname}?$select=${select}&size=${size}&$skiptoken=${end}`;
  const count = skip === 0 && content.count !== undefined ? { '@odata.count': content.count() } : {};
  return reply({ ...count, value, ...(end < content.devices.length ? { '@odata.nextLink': next } : {}) });
}

function reportPage(body: { skip: number; top?: number; select: string[] }, content: TenantContent): Reply {
  const rows = content.rows.slice(body.skip, body.skip + Math.min(50, body.top ?? 50));
  const page = {
    TotalRowCount: content.rows.length,
    Schema: body.select.map((Column) => ({ Column, PropertyType: 'String' })),
    Values: rows.map((row) => body.select.map((column) => row[column] ?? null)),
  };
  return { status: 200, body: JSON.stringify(page), headers: { 'content-type': 'application/octet-stream' } };
}

export function csvOf(rows: readonly Row[], columns: readonly string[]): string {
  return `\uFEFF${[columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))].map((line) => line.join(',')).join('\r\n')}\r\n`;
}

function seenOf(at: Seen['at'], request: IncomingMessage, body: string): Seen {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const authorization = request.headers.authorization;
  return { at, method: request.method ?? '', url, path: decodeURIComponent(url.pathname), body, authorization };
}

function listening(answer: (request: IncomingMessage, body: string) => Promise<Reply>) {
  return loopback(async (request, response) => {
    const { status, body, headers, isLate } = await answer(request, await text(request));
    if (isLate) {
      await setTimeout(slowAnswer);
    }
    response.writeHead(status, headers).end(body);
  });
}

/** A clock on which waiting takes no time, on the night of these tests. */
export const fakeClock = (): FakeClock => clockFrom(Date.parse('2026-11-20T05:15:00Z'));

interface NightOptions {
  readonly settings?: Partial<IntuneSettings>;
  readonly remembered?: PreviousReading;
  readonly clock?: FakeClock;
  readonly deadline?: number;
  /** Milliseconds. */
  readonly idle?: number;
  /** Milliseconds. */
  readonly patience?: number;
}

/** One reading of the tenant, with the error in which it ended. */
export async function readNight(tenant: Tenant, options: NightOptions = {}) {
  const { settings = {}, remembered = {}, clock = fakeClock(), deadline, idle, patience } = options;
  const reading = createEmptyReading();
  const source = createIntuneSource({ ...tenant.settings, ...settings }, idle === undefined ? {} : { idle });
  const context = {
    slot: '2026-11-20',
    moment: clock.now(),
    signal: new AbortController().signal,
    clock,
    remembered,
    progress: () => undefined,
    ...(deadline === undefined ? {} : { deadline }),
    ...(patience === undefined ? {} : { patience: new WaitBudget({ clock, limit: patience, deadline }) }),
  };
  const error = await source.read(context, reading).then(
    () => undefined,
    (failure: unknown) => failure,
  );
  return { reading, clock, error };
}

export const always = Number.POSITIVE_INFINITY;
export const startJob = 'POST graph /v1.0/deviceManagement/reports/exportJobs';
export const poll = 'GET graph /v1.0/deviceManagement/reports/exportJobs';
export const walk = 'GET graph /v1.0/deviceManagement/managedDevices';
export const action = '/retrieveDeviceAppInstallationStatusReport';

export function zipOf(rows: readonly Row[]): Buffer {
  return archiveOf({ content: Buffer.from(csvOf(rows, Object.keys(rowOf(1)))) });
}
