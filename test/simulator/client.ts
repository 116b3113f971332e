/** A small client for tests of the simulator; it shares nothing with the product's own. */
import { inflateRawSync } from 'node:zlib';
import { afterEach } from 'vitest';
import { type Simulator, type SimulatorOptions, startSimulator } from '../../simulator/simulator.ts';

export const tenantId = '11111111-2222-3333-4444-555555555555';
export const appId = '99999999-8888-7777-6666-555555555555';
export const applicationFilter = `(ApplicationId eq '${appId}')`;

export const moment = new Date('2026-03-01T05:15:00Z');

/** Starts simulatores that are closed after each test. */
export function createStarter(usual: SimulatorOptions): (options?: SimulatorOptions) => Promise<Simulator> {
  const open: Simulator[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((simulator) => simulator.close()));
  });
  return async (options = {}) => {
    const simulator = await startSimulator({ moment, ...usual, ...options });
    open.push(simulator);
    return simulator;
  };
}

export type Json = Readonly<Record<string, unknown>>;

export async function readJson(response: Response): Promise<Json> {
  return (await response.json()) as Json;
}

/** The value at a path of keys and indexes. */
export function readPath(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown> | undefined)?.[key], value);
}

export function toList(value: unknown): Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}

export function requestJamfToken(simulator: Simulator): Promise<Response> {
  return fetch(`${simulator.url}/api/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: simulator.environment.JAMF_CLIENT_ID ?? '',
      client_secret: simulator.environment.JAMF_CLIENT_SECRET ?? '',
    }),
  });
}

export function requestJamfAccountToken(simulator: Simulator): Promise<Response> {
  const { JAMF_USER, JAMF_PASSWORD } = simulator.environment;
  const basic = Buffer.from(`${JAMF_USER}:${JAMF_PASSWORD}`).toString('base64');
  return fetch(`${simulator.url}/api/v1/auth/token`, { method: 'POST', headers: { authorization: `Basic ${basic}` } });
}

export function requestGraphToken(simulator: Simulator): Promise<Response> {
  return fetch(`${simulator.urls.login}/${tenantId}/oauth2/v2.0/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: simulator.environment.GRAPH_CLIENT_ID ?? '',
      client_secret: simulator.environment.GRAPH_CLIENT_SECRET ?? '',
      scope: 'https://graph.microsoft.com/.default',
    }),
  });
}

export type Get = (path: string, init?: RequestInit) => Promise<Response>;

function createGet(base: string, token: unknown): Get {
  return (path, init = {}) =>
    fetch(base + path, { ...init, headers: { ...init.headers, authorization: `Bearer ${String(token)}` } });
}

export async function signInToJamf(simulator: Simulator): Promise<Get> {
  return createGet(simulator.url, (await readJson(await requestJamfToken(simulator))).access_token);
}

export async function signInToJamfAsAccount(simulator: Simulator): Promise<Get> {
  return createGet(simulator.url, (await readJson(await requestJamfAccountToken(simulator))).token);
}

export async function signInToGraph(simulator: Simulator): Promise<Get> {
  return createGet(simulator.urls.graph, (await readJson(await requestGraphToken(simulator))).access_token);
}

export const inventoryPath =
  '/api/v4/computers-inventory?section=GENERAL&section=HARDWARE&section=EXTENSION_ATTRIBUTES&sort=id:asc';
export const windowsDevicesPath = "/v1.0/deviceManagement/managedDevices?$filter=operatingSystem eq 'Windows'";

export async function startExport(get: Get, extra: Json = {}): Promise<Json> {
  const body = { reportName: 'DeviceInstallStatusByApp', filter: applicationFilter, format: 'csv', ...extra };
  return readJson(
    await get('/v1.0/deviceManagement/reports/exportJobs', { method: 'POST', body: JSON.stringify(body) }),
  );
}

export async function pollExport(get: Get, job: Json): Promise<Json> {
  return readJson(await get(`/v1.0/deviceManagement/reports/exportJobs('${String(job.id)}')`));
}

export function retrieveReport(get: Get, body: Json): Promise<Response> {
  const path = '/v1.0/deviceManagement/reports/retrieveDeviceAppInstallationStatusReport';
  return get(path, { method: 'POST', body: JSON.stringify(body) });
}

/** Polls until there is a link. */
export async function waitForExport(get: Get, job: Json): Promise<Json> {
  let state = job;
  for (let count = 0; count < 6 && state.url === null; count += 1) {
    state = await pollExport(get, job);
  }
  return state;
}

interface Unzipped {
  readonly name: string;
  readonly content: string;
  readonly crc: number;
  readonly size: number;
}

/** Reads the one file by its local header, which is enough for the simulator's own archives. */
function readZipMember(archive: Buffer): Unzipped {
  const nameLength = archive.readUInt16LE(26);
  const start = 30 + nameLength;
  const packed = archive.subarray(start, start + archive.readUInt32LE(18));
  return {
    name: archive.subarray(30, start).toString(),
    content: inflateRawSync(packed).toString('utf8'),
    crc: archive.readUInt32LE(14),
    size: archive.readUInt32LE(22),
  };
}

export async function downloadExport(url: unknown): Promise<Unzipped> {
  return readZipMember(Buffer.from(await (await fetch(String(url))).arrayBuffer()));
}
