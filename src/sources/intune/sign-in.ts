/**
 * Signs in to Microsoft Entra as an application, with the client credentials grant:
 * https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow
 */
import { type ClientAuth, ClientSecretPost, type ResponseBodyError } from 'oauth4webapi';
import { MusterError } from '../../base/errors.ts';
import { readList, readRecord } from '../reading/fields.ts';
import {
  type ClientIdentity,
  requestClientToken,
  type SignInContext,
  type Token,
  TokenCredential,
} from '../reading/token.ts';
import { createCertificateProof } from './certificate.ts';
import type { IntuneAuth, IntuneSettings } from './settings.ts';

type EntraSettings = Pick<IntuneSettings, 'auth' | 'tenantId' | 'endpoints'>;

/** RFC 6749, section 5.1 only recommends `expires_in`; a refused token is renewed in any case. */
const assumedLifetimeSeconds = 300;

export function createEntraCredential(settings: EntraSettings, options: SignInContext): TokenCredential {
  return new TokenCredential(options.who, options.clock, () => requestEntraToken(settings, options));
}

async function requestEntraToken({ auth, tenantId, endpoints }: EntraSettings, options: SignInContext): Promise<Token> {
  const { who, clock } = options;
  const { origin } = new URL(endpoints.login);
  const endpoint = `${origin}/${encodeURIComponent(tenantId)}/oauth2/v2.0/token`;
  const answer = await requestClientToken({
    ...options,
    issuer: origin,
    endpoints: [endpoint],
    scope: `${new URL(endpoints.graph).origin}/.default`,
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

/** The three ways to authenticate at Entra: a secret, a certificate, or a token that another cloud signs. */
export async function identifyClient(
  auth: IntuneAuth,
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
  // The token is new each time, so there is nothing to refresh.
  return { clientId, proof: createAssertionProof(await auth.assertion()), presented: clientId };
}

/** https://learn.microsoft.com/entra/workload-id/workload-identity-federation */
function createAssertionProof(token: string): ClientAuth {
  return (_server, client, body) => {
    body.set('client_id', client.client_id);
    body.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
    body.set('client_assertion', token);
  };
}

/** "A transient error has occurred. Please try again": sent with HTTP 400, like a refusal. */
const transientEntraCode = 90033;

/** The client repeats it, as it does after a 503: https://learn.microsoft.com/entra/identity-platform/reference-error-codes */
function refuseTransientRefusal(body: unknown, status: number, who: string): unknown {
  const { error, error_codes: codes } = readRecord(body) ?? {};
  if (error === 'temporarily_unavailable' || readList(codes).includes(transientEntraCode)) {
    throw new MusterError('request-failed', `${who} reported a transient failure (HTTP ${status}). Run again later.`);
  }
  return body;
}

function createEntraRefusedError(who: string, refusal: ResponseBodyError | undefined): MusterError {
  const why = refusal === undefined ? 'its answer has no usable token' : formatRefusalReason(refusal);
  return new MusterError(
    'sign-in-refused',
    `${who} refused the sign-in (${why}). Check the tenant id, the client id and that the secret is current.`,
  );
}

/** `invalid_client, AADSTS7000215`: their description is left out, since it names tenants and applications. */
function formatRefusalReason(error: ResponseBodyError): string {
  const codes: unknown = error.cause.error_codes;
  const numbers = Array.isArray(codes) ? codes.filter((code) => Number.isSafeInteger(code) && code > 0) : [];
  const words = /^[A-Za-z_]{3,60}$/.test(error.error) ? [error.error] : [];
  const all = [...words, ...numbers.slice(0, 3).map((code) => `AADSTS${code}`)];
  return all.length === 0 ? `status ${error.status}` : all.join(', ');
}
