/** No stored secret, and a certificate: both against a real OpenID provider, and with everything wrong that can be. */
import { generateKeyPairSync } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT } from 'jose';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { requestWebIdentityToken } from '../../src/aws/web-identity-token.ts';
import { HttpClient } from '../../src/http/client.ts';
import { systemClock } from '../../src/http/clock.ts';
import { createEntraCredential, type EntraAuth } from '../../src/microsoft/sign-in.ts';
import { clouds } from '../../src/microsoft/tenant.ts';
import { type AwsPeer, startAws } from '../peers/aws.ts';
import { type MadeCertificate, makeCertificate } from '../peers/certificate.ts';
import { clientId, type Entra, type FederatedCredential, startEntra, tenantId } from '../peers/entra.ts';

const graph = 'https://graph.example.com';
const closing: (() => Promise<void>)[] = [];
let certificate: MadeCertificate;
let other: MadeCertificate;

beforeAll(() => {
  certificate = makeCertificate();
  other = makeCertificate();
});

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const close of closing.splice(0)) {
    await close();
  }
});

async function entra(federated?: FederatedCredential): Promise<Entra> {
  const opened = await startEntra({ certificate, scope: `${graph}/.default`, ...(federated ? { federated } : {}) });
  closing.push(opened.close);
  return opened;
}

function signIn(peer: Entra, auth: EntraAuth): Promise<string> {
  const who = 'Microsoft sign-in for "windows"';
  const clock = systemClock;
  const { signal } = new AbortController();
  const client = new HttpClient({ who, origin: peer.url, clock, signal });
  const endpoints = { login: peer.url, graph, downloads: graph };
  return createEntraCredential({ auth, tenantId, endpoints }, { who, client, clock, signal }).header();
}

async function refusalOf(promise: Promise<unknown>): Promise<{ code: unknown; message: string }> {
  const error: unknown = await promise.catch((reason: unknown) => reason);
  if (error instanceof Error && 'code' in error) {
    return { code: error.code, message: error.message };
  }
  throw new Error('not refused');
}

const id = async () => clientId;
const withPem = (pem: string): EntraAuth => ({ clientId: id, certificate: async () => pem });

describe('a certificate', () => {
  test.each<[string, () => string]>([
    ['certificate and key', () => certificate.certificatePem + certificate.keyPem],
    ['with a chain before it', () => other.certificatePem + certificate.pem],
    ['with its line breaks as two characters', () => certificate.pem.replaceAll('\n', '\\n')],
  ])('signs in: %s', async (_order, pem) => {
    const peer = await entra();
    const header = await signIn(peer, withPem(pem()));
    expect(await peer.isItsToken(header.replace('Bearer ', ''))).toBe(true);
  });

  test('says exactly what Entra asks for, and sends no secret', async () => {
    const peer = await entra();
    await signIn(peer, withPem(certificate.pem));
    const { client_assertion: assertion = '', ...rest } = Object.fromEntries(peer.forms[0] ?? []);
    expect(rest).toEqual({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      scope: `${graph}/.default`,
    });
    expect(decodeProtectedHeader(assertion)).toEqual({
      alg: 'RS256',
      typ: 'JWT',
      'x5t#S256': certificate.thumbprint,
    });
    const claims = decodeJwt(assertion);
    expect(claims).toMatchObject({ iss: clientId, sub: clientId, aud: `${peer.url}/${tenantId}/oauth2/v2.0/token` });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(300);
  });

  test('is refused with another key, and with another certificate’s name', async () => {
    const peer = await entra();
    const refusal = await refusalOf(signIn(peer, withPem(other.pem)));
    expect(refusal).toMatchObject({ code: 'sign-in-refused', message: expect.stringContaining('invalid_client') });
    expect(peer.forms).toHaveLength(1);
  });

  test('that was replaced meanwhile is read once more', async () => {
    const peer = await entra();
    const renewed = async (again: boolean) => (again ? certificate.pem : other.pem);
    expect(await signIn(peer, { clientId: id, certificate: renewed })).toMatch(/^Bearer /);
    expect(peer.forms).toHaveLength(2);
  });

  const encrypted = () =>
    generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'canary' },
    }).privateKey;
  const elliptic = () =>
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

  test.each<[string, () => string]>([
    ['must be PEM text', () => 'canary'],
    ['must be PEM text', () => certificate.certificatePem],
    ['belongs to another certificate', () => certificate.keyPem + other.certificatePem],
    ['damaged, or encrypted', () => encrypted() + certificate.certificatePem],
    ['not RSA', () => elliptic() + certificate.certificatePem],
    ['expired on 2026-01-02', () => makeCertificate(new Date('2026-01-02T00:00:00Z')).pem],
  ])('that cannot serve is refused by name before anybody is asked: %s', async (why, pem) => {
    const peer = await entra();
    const refusal = await refusalOf(signIn(peer, withPem(pem())));
    expect(refusal.code).toBe('secret-unreadable');
    expect(refusal.message).toContain(why);
    expect(refusal.message).not.toMatch(/canary|BEGIN|PRIVATE/);
    expect(peer.forms).toEqual([]);
  });
});

describe('a token that AWS signs', () => {
  let aws: AwsPeer;

  beforeEach(async () => {
    aws = await startAws();
    closing.push(aws.close);
    for (const [name, value] of Object.entries(aws.environment)) {
      vi.stubEnv(name, value);
    }
  });

  const fits = (): FederatedCredential => ({
    issuer: aws.url,
    subject: aws.role,
    audience: clouds.global.audience,
  });
  const federated = (audience: string): EntraAuth => ({
    clientId: id,
    assertion: () => requestWebIdentityToken(audience),
  });

  test('signs in where a federated credential names issuer, role and audience', async () => {
    const peer = await entra(fits());
    const header = await signIn(peer, federated(clouds.global.audience));
    expect(await peer.isItsToken(header.replace('Bearer ', ''))).toBe(true);
    expect(aws.calls).toEqual([{ service: 'sts', action: 'GetWebIdentityToken', of: 'api://AzureADTokenExchange' }]);
    expect(peer.forms[0]?.has('client_secret')).toBe(false);
  });

  test.each<[string, () => FederatedCredential]>([
    ['another audience', () => ({ ...fits(), audience: clouds.china.audience })],
    ['another role', () => ({ ...fits(), subject: `${aws.role}2` })],
  ])('is refused for %s, and not asked for again', async (_what, credential) => {
    const peer = await entra(credential());
    const refusal = await refusalOf(signIn(peer, federated(clouds.global.audience)));
    expect(refusal).toMatchObject({ code: 'sign-in-refused', message: expect.stringContaining('AADSTS700213') });
    expect(refusal.message).not.toContain('canary');
    expect(peer.forms).toHaveLength(1);
  });

  test('is refused when it was signed with another key', async () => {
    const peer = await entra(fits());
    const { privateKey } = await generateKeyPair('RS256');
    const { issuer, subject, audience } = fits();
    const forged = new SignJWT()
      .setProtectedHeader({ alg: 'RS256', kid: 'RSA_0' })
      .setIssuer(issuer)
      .setSubject(subject);
    forged.setAudience(audience).setIssuedAt().setExpirationTime('5m').setJti('forged');
    const auth = { clientId: id, assertion: () => forged.sign(privateKey) };
    expect((await refusalOf(signIn(peer, auth))).code).toBe('sign-in-refused');
  });

  test.each([
    ['OutboundWebIdentityFederationDisabledException', 'sign-in-refused', 'enable-outbound-web-identity-federation'],
    ['AccessDenied', 'permission-missing', 'sts:GetWebIdentityToken'],
  ])('says what to do where STS refuses: %s', async (name, code, advice) => {
    aws.refusal = name;
    const peer = await entra(fits());
    const refusal = await refusalOf(signIn(peer, federated(clouds.global.audience)));
    expect(refusal).toMatchObject({ code, message: expect.stringContaining(advice) });
    expect(refusal.message).not.toContain('canary');
    expect(peer.forms).toEqual([]);
  });
});
