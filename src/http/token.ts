/** Signs in with OAuth's client credentials grant (RFC 6749, section 4.4), and keeps one token for all waiting requests. */
import {
  allowInsecureRequests,
  type ClientAuth,
  clientCredentialsGrantRequest,
  customFetch,
  processClientCredentialsResponse,
  ResponseBodyError,
  type TokenEndpointResponse,
} from 'oauth4webapi';
import { MusterError } from '../base/errors.ts';
import { createUnreadableAnswerError, parseJson } from './body.ts';
import type { Credential, HttpClient } from './client.ts';
import type { Clock } from './clock.ts';
import { withCurrentSecret } from './secrets.ts';

export interface Token {
  readonly text: string;
  /** Milliseconds; undefined where the server sends no usable lifetime. Such a token is used until the server refuses it. */
  readonly lifetime: number | undefined;
}

/** Milliseconds before expiry when a token is renewed: with minutes, every request would sign in where 60 s are usual. */
const longestMargin = 30_000;
const marginShare = 0.25;
/** Milliseconds after a failed sign-in during which other requests fail with it instead of trying again. */
const pauseAfterFailure = 5_000;

export class TokenCredential implements Credential {
  readonly #who: string;
  readonly #clock: Clock;
  readonly #obtain: () => Promise<Token>;
  #token: { readonly header: string; readonly renewAt: number } | undefined;
  #renewal: Promise<string> | undefined;
  #failure: { readonly error: unknown; readonly at: number } | undefined;

  constructor(who: string, clock: Clock, obtain: () => Promise<Token>) {
    this.#who = who;
    this.#clock = clock;
    this.#obtain = obtain;
  }

  async header(refused?: string): Promise<string> {
    const now = this.#clock.elapsed();
    if (this.#token !== undefined && this.#token.header !== refused && now < this.#token.renewAt) {
      return this.#token.header;
    }
    if (this.#failure !== undefined && now - this.#failure.at < pauseAfterFailure) {
      throw this.#failure.error;
    }
    this.#renewal ??= this.#renew(now).finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #renew(requestedAt: number): Promise<string> {
    try {
      const { text, lifetime = Number.POSITIVE_INFINITY } = await this.#obtain();
      if (!/^[\x21-\x7e]+$/.test(text)) {
        throw createUnreadableAnswerError(this.#who, 'a token that no HTTP header can hold');
      }
      const header = `Bearer ${text}`;
      this.#token = { header, renewAt: requestedAt + lifetime - Math.min(longestMargin, lifetime * marginShare) };
      return header;
    } catch (error) {
      this.#failure = { error, at: this.#clock.elapsed() };
      throw error;
    }
  }
}

/** The identity that signs in, and its proof. */
export interface ClientIdentity {
  readonly clientId: string;
  readonly proof: ClientAuth;
  /** Everything that is sent to sign in; only compared. */
  readonly presented: string;
}

/** The name for messages, and the client, of a sign-in. */
export interface SignInContext {
  readonly who: string;
  /** The client for signing in, which has no credential. */
  readonly client: HttpClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export interface ClientCredentialsRequest extends Omit<SignInContext, 'clock'> {
  readonly issuer: string;
  /** The address of the token endpoint. */
  readonly endpoint: string;
  readonly scope?: string;
  /** Gives the identity for each sign-in; with `refresh` after its last proof was refused. */
  readonly identify: (refresh: boolean) => Promise<ClientIdentity>;
  /** Adapts the answer before the package reads it, or throws. */
  readonly prepare: (body: unknown, status: number) => unknown;
  /** Makes the error; `refusal` is undefined where the answer is neither a token nor a refusal. */
  readonly createRefusal: (refusal: ResponseBodyError | undefined) => MusterError;
}

export async function requestClientToken(request: ClientCredentialsRequest): Promise<TokenEndpointResponse> {
  const { signal, identify, createRefusal } = request;
  const isRefusal = (error: unknown) => error instanceof ResponseBodyError && error.error === 'invalid_client';
  try {
    return await withCurrentSecret(identify, (identity) => requestOnce(identity, request), isRefusal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof MusterError) {
      throw error;
    }
    // The package's message and cause contain the body, so that neither is kept.
    throw createRefusal(error instanceof ResponseBodyError ? error : undefined);
  }
}

async function requestOnce(
  { clientId, proof }: ClientIdentity,
  { who, client, issuer, endpoint, scope, prepare }: ClientCredentialsRequest,
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
