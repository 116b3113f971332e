/** A server behind the gateway of the Jamf Platform, over HTTP: it gives the same devices, and its refusals say what to mend. */
import pLimit from 'p-limit';
import { parse } from 'valibot';
import { afterEach, describe, expect, it } from 'vitest';
import type { JamfOptions } from '../../../simulator/platforms/options.ts';
import { type Simulator, startSimulator } from '../../../simulator/simulator.ts';
import { emptyDeploymentSettings } from '../../../src/deployment/settings.ts';
import { HttpClient } from '../../../src/http/client.ts';
import { jamfKind } from '../../../src/sources/jamf/kind.ts';
import type { ApiClientAuth, JamfGateway } from '../../../src/sources/jamf/settings.ts';
import { createJamfSource } from '../../../src/sources/jamf/source.ts';
import { fakeClock } from '../../http/loopback.ts';
import { hangLimit } from '../../limits.ts';
import { createEmptyReading } from '../empty-reading.ts';
import { createReadContext, type Reply, serve } from './server.ts';

const moment = new Date('2026-10-07T05:15:00Z');
const environmentId = '22222222-3333-4444-5555-666666666666';
const stub: ApiClientAuth = { clientId: async () => 'client', clientSecret: async () => 'canary-secret' };
let simulator: Simulator | undefined;

afterEach(async () => {
  await simulator?.close();
  simulator = undefined;
});

interface Way {
  readonly url?: string;
  readonly gateway?: JamfGateway;
  readonly auth?: ApiClientAuth;
}

async function read({ auth = stub, ...way }: Way) {
  const source = createJamfSource(
    {
      name: 'macs',
      ...way,
      auth,
      extensionAttribute: 'Agent Status',
      groups: { installed: 'Agent Installed', notInstalled: 'Agent Not Installed' },
      site: '',
      deployment: emptyDeploymentSettings,
    },
    { idle: hangLimit },
  );
  const reading = createEmptyReading();
  const context = createReadContext({ clock: fakeClock(moment.getTime()) });
  const error: unknown = await source.read(context, reading).then(
    () => undefined,
    (failure: unknown) => failure,
  );
  return { source, reading, error };
}

async function start(jamf: Partial<JamfOptions>, faults: readonly string[] = []) {
  simulator = await startSimulator({ devices: 200, seed: 7, moment, jamf, faults });
  const { JAMF_CLIENT_ID = '', JAMF_CLIENT_SECRET = '' } = simulator.environment;
  const auth = { clientId: async () => JAMF_CLIENT_ID, clientSecret: async () => JAMF_CLIENT_SECRET };
  return { simulator, auth };
}

async function readThrough(jamf: Partial<JamfOptions>, { id = environmentId, faults = [] as string[] } = {}) {
  const started = await start({ gateway: true, ...jamf }, faults);
  const gateway = { endpoint: started.simulator.url, environmentId: id };
  const outcome = await read({ gateway, auth: started.auth });
  const { requests, leaks, violations, canaries } = started.simulator;
  const told = `${JSON.stringify(outcome.reading)} ${outcome.error}`;
  expect(canaries.filter((canary) => told.includes(canary))).toEqual([]);
  expect([leaks, violations]).toEqual([[], []]);
  return { ...outcome, requests };
}

describe('F2: through the gateway', () => {
  it('a server gives the same devices, groups and instrument as at its own address [F2]', async () => {
    const direct = await start({});
    const usual = await read({ url: direct.simulator.url, auth: direct.auth });
    await direct.simulator.close();
    const { source, reading, error, requests } = await readThrough({});
    expect([usual.error, error]).toEqual([undefined, undefined]);
    const { devices, groups, instrument, receipt } = usual.reading;
    expect(devices.length).toBeGreaterThan(90);
    expect(reading).toMatchObject({ devices, groups, instrument, receipt });
    expect(new Set(requests.map(({ path }) => path.split('/')[1]))).toEqual(new Set(['auth', 'pro']));
    expect([usual.source.address, source.address]).toEqual([direct.simulator.url, undefined]);
  });

  it.each([
    ['a token that ends between two pages', { jamf: { tokenSeconds: 1, pageCap: 20 } }],
    ['503 and 502 for every kind of request', { faults: ['jamf/server-errors'] }],
    ['pages above a limit that time out', { faults: ['jamf/gateway-timeouts'] }],
  ])('%s is overcome [F2]', async (_what, { jamf = {}, faults = [] }: { jamf?: object; faults?: string[] }) => {
    const { reading, error } = await readThrough(jamf, { faults });
    expect(error).toBeUndefined();
    expect(reading.receipt.received).toBe(reading.receipt.claimed);
  });

  it('a server without the newest inventory is asked for the one before, and for none that is not published [F2]', async () => {
    const { requests, error } = await readThrough({ older: true });
    expect(error).toBeUndefined();
    const asked = requests.map(({ path }) => path).filter((path) => path.endsWith('/computers-inventory'));
    expect(new Set(asked)).toEqual(new Set(['/pro/v4/computers-inventory', '/pro/v3/computers-inventory']));
  });

  it('a permission that is missing is named as Jamf Pro calls it [F2]', async () => {
    const { error } = await readThrough({ withoutPrivileges: ['Read Computers'] });
    expect(error).toMatchObject({
      code: 'permission-missing',
      message: expect.stringMatching(/\(BAD_PERMISSIONS\).*"Read Computers"/),
    });
  });

  it('an environment that the gateway does not know is named, and no older version is asked for [F2]', async () => {
    const { error, requests } = await readThrough({}, { id: '11111111-0000-0000-0000-000000000000' });
    expect(error).toMatchObject({
      code: 'environment-refused',
      message: expect.stringMatching(/^Jamf Pro "macs" answered 404 \(ENVIRONMENT_NOT_FOUND\): .*gateway\.region/),
    });
    expect(requests.filter(({ path }) => path.startsWith('/proclassic/'))).toEqual([]);
  });
});

const signIn: Reply = { body: { access_token: 'x', token_type: 'Bearer', expires_in: 900 } };
const refusal = (status: number, code: string): Reply => ({
  status,
  body: { httpStatus: status, errors: [{ code, description: 'canary', id: '0', field: null }] },
});

it.each([
  ['its region', {}, 'https://apac.api.jamfcloud.com'],
  ['what the settings say', { endpoint: 'https://proxy.example.com' }, 'https://proxy.example.com'],
])('F2: the gateway is at %s; each of its environments is a server of its own [F2]', async (_what, more, endpoint) => {
  const limited: string[] = [];
  const given = {
    name: 'macs',
    platform: 'jamf',
    extensionAttribute: 'x',
    auth: { clientId: 'a', clientSecret: 'env:B' },
  };
  const settings = parse(jamfKind.schema, { ...given, gateway: { region: 'apac', environmentId, ...more } });
  const source = await jamfKind.open(settings, {
    deployment: emptyDeploymentSettings,
    secret: () => async () => '',
    webIdentityToken: async () => '',
    limitRequests(server, atOnce) {
      limited.push(server);
      return pLimit(atOnce);
    },
  });
  expect([limited, source.address]).toEqual([[`${endpoint} ${environmentId}`], undefined]);
});

describe('F2: what the gateway refuses', () => {
  it.each([
    [403, 'OWNERSHIP_FORBIDDEN'],
    [400, 'INVALID_REQUEST_CONTEXT_TYPE'],
    [400, 'REQUEST_CONTEXT_NOT_PROVIDED'],
  ])('%s %s is said of the environment [F2]', async (status, code) => {
    const refused = refusal(status, code);
    const server = await serve({
      'POST /auth/token': signIn,
      'GET /pro/v1/computer-extension-attributes': refused,
    });
    const { error } = await read({ gateway: { endpoint: server.origin, environmentId } });
    expect(error).toMatchObject({
      code: 'environment-refused',
      message: expect.stringContaining(`${status} (${code})`),
    });
    expect(String(error)).not.toContain('canary');
  });

  it.each<[string, Reply, string]>([
    ['a client of another region', { status: 401, body: { error: 'invalid_client' } }, 'gateway.region'],
    ['an address without a sign-in', { status: 404 }, 'gateway.endpoint'],
  ])('%s: the error names the setting, and nothing else is asked [F2]', async (_what, reply, setting) => {
    const server = await serve({ 'POST /auth/token': reply });
    const { error } = await read({ gateway: { endpoint: server.origin, environmentId } });
    expect(error).toMatchObject({ code: 'sign-in-refused', message: expect.stringContaining(setting) });
    expect(server.requests).toEqual(['POST /auth/token']);
  });
});

describe('F2: the end of a window of requests', () => {
  const date = new Date('2026-10-07T05:15:00Z');
  const at = (seconds: number) => String(date.getTime() / 1000 + seconds);

  /** The waits of a client whose clock is an hour ahead of the server's. */
  async function waitsAfter(status: number, headers: Readonly<Record<string, string>>) {
    let asked = 0;
    const server = await serve({
      'GET /x': () => {
        asked += 1;
        return asked === 1 ? { status, headers: { date: date.toUTCString(), ...headers } } : { body: {} };
      },
    });
    const clock = fakeClock(date.getTime() + 3_600_000);
    const { signal } = new AbortController();
    const client = new HttpClient({ who: 'Jamf Pro "macs"', origin: server.origin, clock, signal, random: () => 0 });
    await client.send({ url: '/x' }, () => undefined);
    return clock.waits;
  }

  it.each([
    ['is waited for after a 429, by the server’s own clock', 429, { 'x-ratelimit-reset': at(7) }, [7_000]],
    ['that has passed says nothing', 429, { 'x-ratelimit-reset': at(-7) }, [1_000]],
    ['that is none says nothing', 429, { 'x-ratelimit-reset': 'soon' }, [1_000]],
    ['counts less than Retry-After', 429, { 'x-ratelimit-reset': at(7), 'retry-after': '3' }, [3_000]],
    ['means nothing beside another failure, whose page is divided', 503, { 'x-ratelimit-reset': at(7) }, [1_000]],
  ])('%s [F2]', async (_what, status, headers, waits) => {
    expect(await waitsAfter(status, headers)).toEqual(waits);
  });
});
