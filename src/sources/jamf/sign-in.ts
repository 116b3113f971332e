/** Both sign-ins: an API client (since 10.49) and an account. */
import { ClientSecretPost, type ResponseBodyError } from 'oauth4webapi';
import { MusterError } from '../../base/errors.ts';
import { createUnreadableAnswerError, parseJson } from '../../http/body.ts';
import type { Clock } from '../../http/clock.ts';
import { withCurrentSecret } from '../../http/secrets.ts';
import { requestClientToken, type SignInContext, type Token, TokenCredential } from '../../http/token.ts';
import { callFirstSupported, hasCode } from '../reading/attempt.ts';
import { readRecord, readTime } from '../reading/fields.ts';
import type { JamfServer } from './server.ts';
import type { AccountAuth, ApiClientAuth } from './settings.ts';

interface JamfSignInOptions extends SignInContext {
  readonly server: JamfServer;
}

export function createJamfCredential(auth: ApiClientAuth | AccountAuth, options: JamfSignInOptions): TokenCredential {
  return new TokenCredential(options.who, options.clock, () =>
    'clientId' in auth ? requestApiClientToken(auth, options) : requestAccountToken(auth, options),
  );
}

async function requestApiClientToken(auth: ApiClientAuth, options: JamfSignInOptions): Promise<Token> {
  const { server, who } = options;
  const identify = async (refresh: boolean) => {
    const clientId = await auth.clientId(refresh);
    const secret = await auth.clientSecret(refresh);
    return { clientId, proof: ClientSecretPost(secret), presented: `${clientId} ${secret}` };
  };
  try {
    const request = {
      ...options,
      issuer: server.origin,
      identify,
      prepare: (body: unknown) => dropUnusableLifetime(body, who),
      createRefusal: (refusal: ResponseBodyError | undefined) => createJamfRefusal(options, refusal),
    };
    const answer = await callFirstSupported(
      server.tokenEndpoints.map((endpoint) => () => requestClientToken({ ...request, endpoint })),
    );
    return {
      text: answer.access_token,
      lifetime: answer.expires_in === undefined ? undefined : answer.expires_in * 1000,
    };
  } catch (error) {
    if (!hasCode(error, 'not-found')) {
      throw error;
    }
    throw new MusterError('sign-in-refused', `${who} ${server.advice.withoutSignIn}`);
  }
}

/** Drops an invalid lifetime, so that it counts as unknown; the package would refuse the whole answer. */
function dropUnusableLifetime(body: unknown, who: string): unknown {
  const fields = readRecord(body);
  if (!fields) {
    throw createUnreadableAnswerError(who, 'a sign-in answer that is not an object');
  }
  const { expires_in: lifetime, ...rest } = fields;
  const seconds = Number(lifetime);
  return Number.isFinite(seconds) && seconds > 0 ? { ...rest, expires_in: seconds } : rest;
}

function createJamfRefusal({ who, server }: JamfSignInOptions, refusal: ResponseBodyError | undefined): MusterError {
  const code = refusal && /^[a-z_]{3,40}$/.test(refusal.error) ? refusal.error : 'no known reason';
  const what =
    refusal === undefined
      ? "answered the API client's sign-in with something other than a token. Check the address."
      : `refused the API client's sign-in (${code}). ${server.advice.refusedSignIn}`;
  return new MusterError('sign-in-refused', `${who} ${what}`);
}

async function requestAccountToken(auth: AccountAuth, options: JamfSignInOptions): Promise<Token> {
  const read = async (refresh: boolean) => ({
    presented: `${await auth.username(refresh)}:${await auth.password(refresh)}`,
  });
  const url = options.server.locate('/api/v1/auth/token');
  const use = ({ presented }: { readonly presented: string }) => {
    const authorization = `Basic ${Buffer.from(presented, 'utf8').toString('base64')}`;
    return options.client.send({ method: 'POST', url, headers: { authorization } }, (answer) => {
      const { token, expires } = readRecord(parseJson(answer, options.who)) ?? {};
      if (typeof token !== 'string' || token === '') {
        throw createUnreadableAnswerError(options.who, 'a sign-in answer without a token');
      }
      return { text: token, lifetime: computeTokenLifetime(expires, answer.headers.date, options.clock) };
    });
  };
  return withCurrentSecret(read, use, (error) => hasCode(error, 'sign-in-refused'));
}

/** Converts an expiry on the server's clock into a duration, so that an error of our clock does not matter. */
function computeTokenLifetime(expires: unknown, date: string | undefined, clock: Clock): number | undefined {
  const moment = readTime(expires);
  if (moment === undefined) {
    return undefined;
  }
  const serverTime = Date.parse(date ?? '');
  const atMost = Date.parse(moment) - (Number.isNaN(serverTime) ? clock.now().getTime() : serverTime);
  if (atMost <= 0) {
    return undefined;
  }
  // The Date header is rounded down by up to a second, which matters for a token with two seconds left.
  return Number.isNaN(serverTime) ? atMost : Math.max(atMost - 1000, atMost / 2);
}
