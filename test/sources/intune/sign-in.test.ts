import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHttpClient } from '../../../src/http/client.ts';
import { cloudEndpoints } from '../../../src/sources/intune/settings.ts';
import { createEntraCredential } from '../../../src/sources/intune/sign-in.ts';
import { fakeClock, reply, secret, startTenant, type Tenant } from './tenant.ts';

let tenant: Tenant;

beforeEach(async () => {
  tenant = await startTenant();
});

afterEach(() => tenant.close());

const never = new AbortController().signal;

function credential() {
  const clock = fakeClock();
  const who = 'Microsoft sign-in for "windows"';
  const { auth, tenantId, endpoints } = tenant.settings;
  const client = createHttpClient({ who, origin: endpoints.login, clock, signal: never });
  return { clock, ...createEntraCredential({ who, client, clock, signal: never, auth, tenantId, endpoints }) };
}

const signIns = () => tenant.count('/token');

test('asks for exactly what the grant needs', async () => {
  const { header } = credential();
  expect(await header()).toMatch(/^Bearer token-/);
  const [seen] = tenant.seen;
  expect(seen?.path).toBe(`/${tenant.settings.tenantId}/oauth2/v2.0/token`);
  expect(Object.fromEntries(new URLSearchParams(seen?.body))).toEqual({
    grant_type: 'client_credentials',
    client_id: 'client-1',
    client_secret: secret,
    scope: `${tenant.settings.endpoints.graph}/.default`,
  });
  expect(seen?.authorization).toBeUndefined();
});

test('twenty who wait share one sign-in, and twenty whose token was refused share the next [A7]', async () => {
  const { header } = credential();
  const first = await Promise.all(Array.from({ length: 20 }, () => header()));
  expect(new Set(first).size).toBe(1);
  expect(signIns()).toBe(1);
  const second = await Promise.all(Array.from({ length: 20 }, () => header(first[0])));
  expect(new Set(second).size).toBe(1);
  expect(second[0]).not.toBe(first[0]);
  expect(signIns()).toBe(2);
  // Who comes late with the old refusal gets the new token.
  expect(await header(first[0])).toBe(second[0]);
});

test.each([
  { seconds: 3600, usable: 3_569_000, over: 2_000 },
  { seconds: 60, usable: 44_000, over: 2_000 },
  { seconds: 2, usable: 1_400, over: 200 },
  { seconds: 1, usable: 700, over: 100 },
])('a token of $seconds s is renewed in good time [A6]', async ({ seconds, usable, over }) => {
  tenant.world.tokenSeconds = seconds;
  const { header, clock } = credential();
  await header();
  await clock.sleep(usable, never);
  await header();
  expect(signIns()).toBe(1);
  await clock.sleep(over, never);
  await header();
  expect(signIns()).toBe(2);
});

test.each([
  [undefined, 1],
  ['3600', 1],
  [0, 1],
])('a lifetime of %s is understood [A5]', async (expires_in, times) => {
  tenant.world.mischief = () => reply({ token_type: 'Bearer', access_token: 'token-x', expires_in });
  const { header } = credential();
  expect(await header()).toBe('Bearer token-x');
  expect(await header()).toBe('Bearer token-x');
  expect(signIns()).toBe(times);
});

const description = 'AADSTS7000215: Invalid client secret provided for app canary-app. Trace ID: 1';

test.each([
  [
    400,
    { error: 'invalid_client', error_description: description, error_codes: [7000215] },
    'invalid_client, AADSTS7000215',
  ],
  [
    401,
    { error: 'invalid_client', error_description: description, error_codes: [7000215] },
    'invalid_client, AADSTS7000215',
  ],
  [400, { error: '<b>canary</b>', error_codes: ['canary', -1] }, 'status 400'],
  [400, { message: 'canary' }, 'no usable token'],
  [200, { access_token: '', note: 'canary' }, 'no usable token'],
  [200, { access_token: 'canary', token_type: 'mac' }, 'no usable token'],
  [200, { access_token: 'canary', token_type: 'Bearer', expires_in: -5 }, 'no usable token'],
  [200, { access_token: 'canary', token_type: 'Bearer', expires_in: 'soon' }, 'no usable token'],
])('a refusal %i %o says why and nothing else [A5, A8]', async (status, body, why) => {
  tenant.world.mischief = () => reply(body, status);
  const { header } = credential();
  const failures = await Promise.allSettled([header(), header()]);
  expect(signIns()).toBe(1);
  for (const failure of failures) {
    expect(failure).toMatchObject({ status: 'rejected', reason: { code: 'sign-in-refused' } });
    expect(failure).not.toHaveProperty('reason.cause');
    const message = String(failure.status === 'rejected' && failure.reason);
    expect(message).toContain(why);
    expect(message).not.toContain('canary');
  }
});

test.each([
  ['AADSTS90033', { error: 'invalid_request', error_description: 'AADSTS90033: canary', error_codes: [90033] }],
  ['temporarily_unavailable', { error: 'temporarily_unavailable', error_description: 'canary' }],
])('%s says by its code that it passes: it is asked again', async (_code, body) => {
  let answers = 0;
  tenant.world.mischief = () => {
    answers += 1;
    return answers <= 2 ? reply(body, 400) : undefined;
  };
  const { header } = credential();
  expect(await header()).toMatch(/^Bearer token-/);
  expect(signIns()).toBe(3);
  tenant.world.mischief = () => reply(body, 400);
  const failure: unknown = await credential()
    .header()
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'request-failed' });
  expect(String(failure)).not.toContain('canary');
});

test('each cloud signs in, asks and downloads in its own', () => {
  for (const { login, graph, downloads } of Object.values(cloudEndpoints)) {
    expect([login, graph, downloads].every((url) => url.startsWith('https://'))).toBe(true);
  }
  expect(new Set(Object.values(cloudEndpoints).map(({ graph }) => graph)).size).toBe(3);
});
