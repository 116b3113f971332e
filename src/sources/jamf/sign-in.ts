/** Both sign-ins: an API client (since 10.49) and an account. One token at a time, shared by all waiting requests. */
import {
  allowInsecureRequests,
  ClientSecretPost,
  clientCredentialsGrantRequest,
  customFetch,
  processClientCredentialsResponse,
  ResponseBodyError,
} from 'oauth4webapi';
import { MusterError } from '../../errors.ts';
import { createUnreadableAnswerError, parseJson } from '../../http/body.ts';
import type { Credential, HttpClient } from '../../http/client.ts';
import type { Clock } from '../../http/clock.ts';
import { withCurrentSecret } from '../../http/with-current-secret.ts';
import { readRecord } from '../read.ts';
import { callFirstSupported, hasCode } from './client.ts';
import type { AccountAuth, ApiClientAuth } from './settings.ts';
import { parseJamfTime } from './times.ts';

interface JamfSignInOptions {
  /** A client without a credential. */
  readonly client: HttpClient;
  readonly base: string;
  readonly who: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

interface JamfToken {
  readonly text: string;
  /** Its lifetime in milliseconds, or undefined where the server sends no usable one. */
  readonly lifetime: number | undefined;
}

export function createJamfCredential(auth: ApiClientAuth | AccountAuth, options: JamfSignInOptions): Credential {
  const obtain =
    'clientId' in auth ? () => requestApiClientToken(auth, options) : () => requestAccountToken(auth, options);
  let token: { readonly header: string; readonly until: number } | undefined;
  let renewal: Promise<string> | undefined;

  async function renew(): Promise<string> {
    const requestedAt = options.clock.elapsed();
    const { text, lifetime } = await obtain();
    if (!/^[\x21-\x7e]+$/.test(text)) {
      throw createUnreadableAnswerError(options.who, 'a token that no HTTP header can hold');
    }
    const header = `Bearer ${text}`;
    // A token of unknown lifetime is used until the server refuses it. Lifetimes of 60 s are common, so with a fixed
    // margin of minutes every request would sign in.
    const until =
      lifetime === undefined ? Number.POSITIVE_INFINITY : requestedAt + lifetime - Math.min(30_000, lifetime / 4);
    token = { header, until };
    return header;
  }

  return {
    async header(refused) {
      if (token && token.header !== refused && options.clock.elapsed() < token.until) {
        return token.header;
      }
      renewal ??= renew().finally(() => {
        renewal = undefined;
      });
      return renewal;
    },
  };
}

/** https://developer.jamf.com/jamf-pro/docs/client-credentials; the path without a version is the older one. */
async function requestApiClientToken(auth: ApiClientAuth, options: JamfSignInOptions): Promise<JamfToken> {
  const read = async (refresh: boolean) => {
    const clientId = await auth.clientId(refresh);
    const secret = await auth.clientSecret(refresh);
    return { clientId, secret, presented: `${clientId} ${secret}` };
  };
  const isRefusal = (error: unknown) => error instanceof ResponseBodyError && error.error === 'invalid_client';
  try {
    return await withCurrentSecret(
      read,
      ({ clientId, secret }) =>
        callFirstSupported(
          ['/api/v1/oauth/token', '/api/oauth/token'].map((path) => async () => {
            const server = { issuer: options.base, token_endpoint: options.base + path };
            const client = { client_id: clientId };
            const proof = ClientSecretPost(secret);
            const response = await clientCredentialsGrantRequest(server, client, proof, new URLSearchParams(), {
              // The settings allow http for loopback only.
              [allowInsecureRequests]: true,
              [customFetch]: (url, { body }) => requestTokenResponse(options, url, body),
            });
            const answer = await processClientCredentialsResponse(server, client, response);
            return { text: answer.access_token, lifetime: toMilliseconds(answer.expires_in) };
          }),
        ),
      isRefusal,
    );
  } catch (error) {
    if (options.signal.aborted) {
      throw options.signal.reason;
    }
    throw toSignInError(error, options.who);
  }
}

/** Calls the token endpoint through our own client, and returns the standard Response that the package expects. */
async function requestTokenResponse(options: JamfSignInOptions, url: string, body: URLSearchParams): Promise<Response> {
  return options.client.send({ method: 'POST', url, body, alsoUnderstood: [400, 401] }, (answer) => {
    const fields = readRecord(parseJson(answer, options.who));
    if (!fields) {
      throw createUnreadableAnswerError(options.who, 'a sign-in answer that is not an object');
    }
    // An invalid lifetime counts as unknown; the package would refuse the whole answer.
    const { expires_in: lifetime, ...rest } = fields;
    const seconds = Number(lifetime);
    const cleaned = Number.isFinite(seconds) && seconds > 0 ? { ...rest, expires_in: seconds } : rest;
    return Response.json(cleaned, { status: answer.status });
  });
}

function toMilliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}

/** Neither the package's message nor its cause is kept: they contain the body. */
function toSignInError(error: unknown, who: string): unknown {
  if (hasCode(error, 'not-found')) {
    return new MusterError(
      'sign-in-refused',
      `${who} has no sign-in for API clients, which Jamf Pro has since 10.49. Use an account, or upgrade the server.`,
    );
  }
  if (error instanceof MusterError) {
    return error;
  }
  if (error instanceof ResponseBodyError) {
    const code = /^[a-z_]{3,40}$/.test(error.error) ? error.error : 'no known reason';
    return new MusterError(
      'sign-in-refused',
      `${who} refused the API client's sign-in (${code}). Check that it is enabled and its id and secret are current.`,
    );
  }
  return new MusterError(
    'sign-in-refused',
    `${who} answered the API client's sign-in with something other than a token. Check the address.`,
  );
}

async function requestAccountToken(auth: AccountAuth, options: JamfSignInOptions): Promise<JamfToken> {
  const read = async (refresh: boolean) => ({
    presented: `${await auth.username(refresh)}:${await auth.password(refresh)}`,
  });
  const url = `${options.base}/api/v1/auth/token`;
  const use = ({ presented }: { readonly presented: string }) => {
    const authorization = `Basic ${Buffer.from(presented, 'utf8').toString('base64')}`;
    return options.client.send({ method: 'POST', url, headers: { authorization } }, (answer) => {
      const { token, expires } = readRecord(parseJson(answer, options.who)) ?? {};
      if (typeof token !== 'string' || token === '') {
        throw createUnreadableAnswerError(options.who, 'a sign-in answer without a token');
      }
      return { text: token, lifetime: computeTokenLifetime(expires, answer.headers.get('date'), options.clock) };
    });
  };
  return withCurrentSecret(read, use, (error) => hasCode(error, 'sign-in-refused'));
}

/** Turns an expiry on the server's clock into a duration, so that a wrong clock of ours does not matter. */
function computeTokenLifetime(expires: unknown, date: string | null, clock: Clock): number | undefined {
  const moment = parseJamfTime(expires);
  if (moment === undefined) {
    return undefined;
  }
  const serverTime = Date.parse(date ?? '');
  const atMost = Date.parse(moment) - (Number.isNaN(serverTime) ? clock.now().getTime() : serverTime);
  if (atMost <= 0) {
    return undefined;
  }
  // The Date header is rounded down by up to a second, which matters for a token that is valid for two.
  return Number.isNaN(serverTime) ? atMost : Math.max(atMost - 1000, atMost / 2);
}
