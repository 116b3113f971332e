import { expect, test } from 'vitest';
import { HttpClient } from '../../src/http/client.ts';
import { createCertificateProof } from '../../src/microsoft/certificate.ts';
import { createEntraCredential, identifyClient } from '../../src/microsoft/sign-in.ts';
import { makeCertificate } from '../peers/certificate.ts';
import { fakeClock, reply, secret, useTenant } from '../sources/intune/tenant.ts';

const tenant = useTenant();

const never = new AbortController().signal;

function credential() {
  const clock = fakeClock();
  const who = 'Microsoft sign-in for "windows"';
  const { endpoints } = tenant.settings;
  const client = new HttpClient({ who, origin: endpoints.login, clock, signal: never });
  const signedIn = createEntraCredential(tenant.settings, { who, client, clock, signal: never });
  return { clock, header: (refused?: string) => signedIn.header(refused) };
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

test.each([undefined, '3600', 0])('a lifetime of %j is understood [A5]', async (expires_in) => {
  tenant.content.mischief = () => reply({ token_type: 'Bearer', access_token: 'token-x', expires_in });
  const { header } = credential();
  expect(await header()).toBe('Bearer token-x');
  expect(await header()).toBe('Bearer token-x');
  expect(signIns()).toBe(1);
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
])('a refusal %i %o says why and nothing else [A5, A8]', async (status, body, why) => {
  tenant.content.mischief = () => reply(body, status);
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
  tenant.content.mischief = () => {
    answers += 1;
    return answers <= 2 ? reply(body, 400) : undefined;
  };
  const { header } = credential();
  expect(await header()).toMatch(/^Bearer token-/);
  expect(signIns()).toBe(3);
  tenant.content.mischief = () => reply(body, 400);
  const failure: unknown = await credential()
    .header()
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'request-failed' });
  expect(String(failure)).not.toContain('canary');
});

test.each([
  [7000215, 'store the Value of a secret, not its Secret ID'],
  [7000222, 'The secret has expired'],
  [700027, 'The certificate is not one that the app registration accepts'],
  [700016, 'The tenant has no application with this client id'],
  [7000112, 'The application is disabled'],
  [90002, 'Entra knows no such tenant'],
  [500011, 'The tenant does not have the service'],
  [53003, 'A Conditional Access policy blocks the application'],
  [700213, 'No federated credential of the application fits'],
  [1, 'Check the tenant id, the client id and that the secret is current.'],
])('the refusal AADSTS%i has its own advice [M7]', async (code, advice) => {
  const body = { error: 'unauthorized_client', error_description: `AADSTS${code}: canary`, error_codes: [code] };
  tenant.content.mischief = () => reply(body, 400);
  const { header } = credential();
  const failure: unknown = await header().catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'sign-in-refused', message: expect.stringContaining(advice) });
  expect(String(failure)).toContain(`AADSTS${code}`);
  expect(String(failure)).not.toContain('canary');
});

test('a certificate has ended at the moment of its end', () => {
  const made = makeCertificate(new Date('2027-01-02T00:00:00Z'));
  const at = (moment: string) => () =>
    createCertificateProof(made.pem, 'https://x', 'Microsoft sign-in', new Date(moment));
  expect(at('2027-01-01T23:59:59Z')).not.toThrow();
  expect(at('2027-01-02T00:00:00Z')).toThrow('The certificate for Microsoft sign-in expired on 2027-01-02.');
});

test('the four ways to say who Muster is have something that tells one from the next', async () => {
  const given = (value: string) => async (refresh: boolean) => `${value}${refresh ? '-new' : ''}`;
  const signIn = { audience: 'https://x', who: 'Microsoft sign-in', clock: fakeClock() };
  const bySecret = { clientId: given('id'), clientSecret: given('s') };
  expect(await identifyClient(bySecret, signIn, false)).toMatchObject({ clientId: 'id', presented: 'id s' });
  expect(await identifyClient(bySecret, signIn, true)).toMatchObject({ clientId: 'id-new', presented: 'id-new s-new' });
  const byToken = { clientId: given('id'), assertion: async () => 'token' };
  const { proof, presented } = await identifyClient(byToken, signIn, false);
  const body = new URLSearchParams();
  await proof({ issuer: 'https://x' }, { client_id: 'id' }, body, new Headers());
  expect(presented).toBe('id');
  expect(Object.fromEntries(body)).toEqual({
    client_id: 'id',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: 'token',
  });
});
