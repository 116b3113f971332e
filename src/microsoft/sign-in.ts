/**
 * Signs in to Microsoft Entra as an application, with the client credentials grant:
 * https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow
 */
import { type ClientAuth, ClientSecretPost, type ResponseBodyError } from 'oauth4webapi';
import { MusterError } from '../base/errors.ts';
import { isRecord } from '../base/is-record.ts';
import { tryParseJson } from '../http/body.ts';
import type { SecretProvider } from '../http/secrets.ts';
import type { HttpResponse } from '../http/send-request.ts';
import {
  type ClientIdentity,
  requestClientToken,
  type SignInContext,
  type Token,
  TokenCredential,
} from '../http/token.ts';
import { createCertificateProof } from './certificate.ts';
import { adviseOnRefusal, isTransientRefusal } from './entra-refusals.ts';
import { locateTokenEndpoint, toScope } from './tenant.ts';

export type EntraAuth = { readonly clientId: SecretProvider } & (
  | { readonly clientSecret: SecretProvider }
  /** PEM: the certificate and its private key. */
  | { readonly certificate: SecretProvider }
  /** Makes a new token that another cloud signs. */
  | { readonly assertion: () => Promise<string> }
);

/** An application of a tenant that requests tokens for Microsoft Graph. */
interface GraphApplication {
  readonly auth: EntraAuth;
  readonly tenantId: string;
  readonly endpoints: { readonly login: string; readonly graph: string };
}

export interface ApplicationTokenRequest {
  readonly auth: EntraAuth;
  /** The address of the token endpoint. */
  readonly endpoint: string;
  readonly scope: string;
}

/** Seconds; RFC 6749, section 5.1 only recommends `expires_in`. A refused token is renewed in any case. */
const assumedLifetimeSeconds = 300;

export function createEntraCredential(
  { auth, tenantId, endpoints }: GraphApplication,
  options: SignInContext,
): TokenCredential {
  const endpoint = locateTokenEndpoint(endpoints.login, tenantId);
  return createApplicationCredential({ auth, endpoint, scope: toScope(endpoints.graph) }, options);
}

export function createApplicationCredential(request: ApplicationTokenRequest, options: SignInContext): TokenCredential {
  return new TokenCredential(options.who, options.clock, () => requestApplicationToken(request, options));
}

async function requestApplicationToken(
  { auth, endpoint, scope }: ApplicationTokenRequest,
  options: SignInContext,
): Promise<Token> {
  const { who, clock } = options;
  const answer = await requestClientToken({
    ...options,
    issuer: new URL(endpoint).origin,
    endpoint,
    scope,
    identify: (refresh) => identifyClient(auth, { audience: endpoint, who, clock }, refresh),
    prepare: (body, status) => refuseTransientRefusal(body, status, who),
    createRefusal: (refusal) => createEntraRefusedError(who, refusal),
  });
  return {
    text: answer.access_token,
    lifetime: Math.max(1, answer.expires_in ?? assumedLifetimeSeconds) * 1000,
  };
}

interface ProofContext extends Pick<SignInContext, 'who' | 'clock'> {
  /** The token endpoint, the only one that accepts an assertion signed by Muster. */
  readonly audience: string;
}

/** The identity and its proof: a secret, a certificate, or a token that another cloud signs. */
export async function identifyClient(
  auth: EntraAuth,
  { audience, who, clock }: ProofContext,
  refresh: boolean,
): Promise<ClientIdentity> {
  const clientId = await auth.clientId(refresh);
  if ('clientSecret' in auth) {
    const secret = await auth.clientSecret(refresh);
    return { clientId, proof: ClientSecretPost(secret), presented: `${clientId} ${secret}` };
  }
  if ('certificate' in auth) {
    const pem = await auth.certificate(refresh);
    const proof = createCertificateProof(pem, audience, who, clock.now());
    return { clientId, proof, presented: `${clientId} ${pem}` };
  }
  // The token is new each time, so that nothing has to be refreshed.
  return { clientId, proof: createAssertionProof(await auth.assertion()), presented: clientId };
}

/** Makes a proof from another cloud's token: https://learn.microsoft.com/entra/workload-id/workload-identity-federation */
function createAssertionProof(token: string): ClientAuth {
  return (_server, client, body) => {
    body.set('client_id', client.client_id);
    body.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
    body.set('client_assertion', token);
  };
}

/** Throws an error for a transient refusal, which the client retries like a 503. */
function refuseTransientRefusal(body: unknown, status: number, who: string): unknown {
  const { error, error_codes: codes } = isRecord(body) ? body : {};
  if (error === 'temporarily_unavailable' || isTransientRefusal(listCodes(codes))) {
    throw new MusterError('request-failed', `${who} reported a transient failure (HTTP ${status}). Run again later.`);
  }
  return body;
}

/** Whether the sign-in itself refuses, rather than an intermediary: RFC 6749, section 5.2. */
export function isSignInError(answer: HttpResponse): boolean {
  const body = tryParseJson(answer);
  return isRecord(body) && typeof body.error === 'string';
}

function createEntraRefusedError(who: string, refusal: ResponseBodyError | undefined): MusterError {
  const why = refusal === undefined ? 'its answer has no usable token' : formatRefusalReason(refusal);
  const advice = adviseOnRefusal(listCodes(refusal?.cause.error_codes));
  return new MusterError('sign-in-refused', `${who} refused the sign-in (${why}). ${advice}`);
}

/** A reason such as `invalid_client, AADSTS7000215`; the description is omitted, since it names tenants and applications. */
function formatRefusalReason(error: ResponseBodyError): string {
  const words = /^[A-Za-z_]{3,60}$/.test(error.error) ? [error.error] : [];
  const codes = listCodes(error.cause.error_codes).slice(0, 3);
  const all = [...words, ...codes.map((code) => `AADSTS${code}`)];
  return all.length === 0 ? `status ${error.status}` : all.join(', ');
}

function listCodes(codes: unknown): readonly number[] {
  return Array.isArray(codes) ? codes.filter((code) => Number.isSafeInteger(code) && code > 0) : [];
}
