/**
 * Signs in to Microsoft Entra as an application, with the client credentials grant:
 * https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow
 */
import {
  allowInsecureRequests,
  clientCredentialsGrantRequest,
  customFetch,
  processClientCredentialsResponse,
  ResponseBodyError,
  type TokenEndpointResponse,
} from 'oauth4webapi';
import { MusterError } from '../../errors.ts';
import { parseJson } from '../../http/body.ts';
import type { Credential, HttpClient } from '../../http/client.ts';
import type { Clock } from '../../http/clock.ts';
import { isLoopback } from '../../http/origin.ts';
import { withCurrentSecret } from '../../http/with-current-secret.ts';
import { readList, readRecord } from '../read.ts';
import { createProofProvider } from './client-proof.ts';
import type { IntuneSettings } from './settings.ts';

interface EntraSignInOptions {
  readonly who: string;
  readonly client: HttpClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly auth: IntuneSettings['auth'];
  readonly tenantId: string;
  readonly endpoints: IntuneSettings['endpoints'];
}

/** How long before it expires a token is renewed: enough for a request in progress, but a small share of a short lifetime. */
const longestMargin = 30_000;
const marginShare = 0.25;
/** RFC 6749, section 5.1 only recommends `expires_in`; a refused token is renewed in any case. */
const assumedLifetimeSeconds = 300;

export function createEntraCredential(options: EntraSignInOptions): Credential {
  let token: { readonly header: string; readonly renewAt: number } | undefined;
  let underWay: Promise<{ readonly header: string; readonly renewAt: number }> | undefined;

  async function renewed() {
    const started = options.clock.elapsed();
    const answer = await requestEntraToken(options);
    const lifetime = Math.max(1, answer.expires_in ?? assumedLifetimeSeconds) * 1000;
    const renewAt = started + lifetime - Math.min(longestMargin, lifetime * marginShare);
    token = { header: `Bearer ${answer.access_token}`, renewAt };
    return token;
  }

  return {
    async header(refused) {
      if (token !== undefined && token.header !== refused && options.clock.elapsed() < token.renewAt) {
        return token.header;
      }
      underWay ??= renewed().finally(() => {
        underWay = undefined;
      });
      return (await underWay).header;
    },
  };
}

async function requestEntraToken(options: EntraSignInOptions): Promise<TokenEndpointResponse> {
  const { login, graph } = options.endpoints;
  const server = {
    issuer: new URL(login).origin,
    token_endpoint: new URL(`/${encodeURIComponent(options.tenantId)}/oauth2/v2.0/token`, login).href,
  };
  const scope = new URLSearchParams({ scope: `${new URL(graph).origin}/.default` });
  const identity = createProofProvider(options.auth, server.token_endpoint, options.who, options.clock);
  try {
    return await withCurrentSecret(
      identity,
      async ({ clientId, proof }) => {
        const client = { client_id: clientId };
        const response = await clientCredentialsGrantRequest(server, client, proof, scope, {
          [customFetch]: (url, init) => fetchThroughClient(options, url, init),
          [allowInsecureRequests]: isLoopback(new URL(login)),
        });
        return processClientCredentialsResponse(server, client, response);
      },
      (error) => error instanceof ResponseBodyError && error.error === 'invalid_client',
    );
  } catch (error) {
    if (options.signal.aborted) {
      throw options.signal.reason;
    }
    // The library's error is not kept as the cause: it contains the whole body.
    throw error instanceof MusterError ? error : createEntraRefusedError(options.who, error);
  }
}

async function fetchThroughClient(
  options: EntraSignInOptions,
  url: string,
  init: { readonly headers: Record<string, string>; readonly body: URLSearchParams },
): Promise<Response> {
  const { authorization: _none, ...headers } = init.headers;
  const request = { method: 'POST', url, headers, body: init.body, alsoUnderstood: [400, 401] } as const;
  return options.client.send(request, (answer) => {
    const parsed = parseJson(answer, options.who);
    if (isTransientRefusal(parsed)) {
      // The client repeats it, as it does after a 503.
      throw new MusterError(
        'request-failed',
        `${options.who} reported a transient failure (HTTP ${answer.status}). Run again later.`,
      );
    }
    const body = JSON.stringify(parsed);
    return new Response(body, { status: answer.status, headers: { 'content-type': 'application/json' } });
  });
}

/** "A transient error has occurred. Please try again": sent with HTTP 400, like a refusal. */
const transientEntraCode = 90033;

/** https://learn.microsoft.com/entra/identity-platform/reference-error-codes */
function isTransientRefusal(body: unknown): boolean {
  const { error, error_codes: codes } = readRecord(body) ?? {};
  return error === 'temporarily_unavailable' || readList(codes).includes(transientEntraCode);
}

function createEntraRefusedError(who: string, error: unknown): MusterError {
  const why = error instanceof ResponseBodyError ? formatRefusalReason(error) : 'its answer has no usable token';
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
