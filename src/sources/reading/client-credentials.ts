/** Signs in with OAuth's client credentials grant, through the one HTTP client: RFC 6749, section 4.4. */
import {
  allowInsecureRequests,
  type ClientAuth,
  clientCredentialsGrantRequest,
  customFetch,
  processClientCredentialsResponse,
  ResponseBodyError,
  type TokenEndpointResponse,
} from 'oauth4webapi';
import { MusterError } from '../../base/errors.ts';
import { parseJson } from '../../http/body.ts';
import type { HttpClient } from '../../http/client.ts';
import { withCurrentSecret } from '../../http/secrets.ts';
import { callFirstSupported } from './attempt.ts';

/** Who signs in, and how it proves that. */
export interface ClientIdentity {
  readonly clientId: string;
  readonly proof: ClientAuth;
  /** Everything that is sent to sign in; only ever compared. */
  readonly presented: string;
}

export interface ClientCredentialsRequest {
  readonly who: string;
  /** A client without a credential. */
  readonly client: HttpClient;
  readonly signal: AbortSignal;
  readonly issuer: string;
  /** Addresses of the token endpoint, the newest first. */
  readonly endpoints: readonly string[];
  readonly scope?: string;
  /** Called for every sign-in; with `refresh` after its last proof was refused. */
  readonly identify: (refresh: boolean) => Promise<ClientIdentity>;
  /** Changes the answer before the package sees it, or throws. */
  readonly prepare: (body: unknown, status: number) => unknown;
  /** `refusal` is undefined where the answer is no token and no refusal either. */
  readonly createRefusal: (refusal: ResponseBodyError | undefined) => MusterError;
}

export async function requestClientToken(request: ClientCredentialsRequest): Promise<TokenEndpointResponse> {
  const { signal, endpoints, identify, createRefusal } = request;
  const isRefusal = (error: unknown) => error instanceof ResponseBodyError && error.error === 'invalid_client';
  const signIn = (identity: ClientIdentity) =>
    callFirstSupported(endpoints.map((endpoint) => () => requestFrom(endpoint, identity, request)));
  try {
    return await withCurrentSecret(identify, signIn, isRefusal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof MusterError) {
      throw error;
    }
    // Neither the package's message nor its cause is kept: they contain the body.
    throw createRefusal(error instanceof ResponseBodyError ? error : undefined);
  }
}

async function requestFrom(
  endpoint: string,
  { clientId, proof }: ClientIdentity,
  { who, client, issuer, scope, prepare }: ClientCredentialsRequest,
): Promise<TokenEndpointResponse> {
  const server = { issuer, token_endpoint: endpoint };
  const parameters = new URLSearchParams(scope === undefined ? {} : { scope });
  const response = await clientCredentialsGrantRequest(server, { client_id: clientId }, proof, parameters, {
    // The settings allow http for loopback only.
    [allowInsecureRequests]: true,
    [customFetch]: (url, { body }) =>
      client.send({ method: 'POST', url, body, alsoUnderstood: [400, 401] }, (answer) =>
        Response.json(prepare(parseJson(answer, who), answer.status), { status: answer.status }),
      ),
  });
  return processClientCredentialsResponse(server, { client_id: clientId }, response);
}
