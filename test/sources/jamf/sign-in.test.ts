import { describe, expect, it } from 'vitest';
import { locateServer } from '../../../src/sources/jamf/server.ts';
import { createJamfCredential } from '../../../src/sources/jamf/sign-in.ts';
import { type FakeClock, fakeClock } from '../../http/loopback.ts';
import { who } from './builders.ts';
import { clientOf, type Question, type Reply, type Routes, serve } from './server.ts';

const apiClient = { clientId: async () => 'client', clientSecret: async () => 'canary&=%' };
const account = { username: async () => 'reader', password: async () => 'canary:ü' };

async function signInTo(
  routes: Routes,
  auth: Parameters<typeof createJamfCredential>[0],
  clock: FakeClock = fakeClock(),
) {
  const server = await serve(routes);
  const client = clientOf(server, clock);
  const { signal } = new AbortController();
  const options = { client, server: locateServer({ url: server.origin }), who, clock, signal };
  return { server, clock, credential: createJamfCredential(auth, options) };
}

/** Issues tokens 1, 2, ... that all say the same about their lifetime. */
function issuing(fields: Record<string, unknown>): (question: Question) => Reply {
  let count = 0;
  return () => {
    count += 1;
    return { body: { access_token: `t${count}`, token_type: 'Bearer', scope: 'api-role:2', ...fields } };
  };
}

describe('an API client', () => {
  it('signs in with a form', async () => {
    let asked: Question | undefined;
    const { credential } = await signInTo(
      {
        'POST /api/v1/oauth/token': (question) => {
          asked = question;
          return issuing({ expires_in: 599 })(question);
        },
      },
      apiClient,
    );
    expect(await credential.header()).toBe('Bearer t1');
    expect(asked?.headers['content-type']).toContain('application/x-www-form-urlencoded');
    expect(asked?.headers.authorization).toBeUndefined();
    expect(Object.fromEntries(new URLSearchParams(asked?.body))).toEqual({
      grant_type: 'client_credentials',
      client_id: 'client',
      client_secret: 'canary&=%',
    });
  });

  it('falls back to the older path', async () => {
    const { credential, server } = await signInTo({ 'POST /api/oauth/token': issuing({ expires_in: 60 }) }, apiClient);
    expect(await credential.header()).toBe('Bearer t1');
    expect(server.requests).toEqual(['POST /api/v1/oauth/token', 'POST /api/oauth/token']);
  });

  it.each([[undefined], [null], [0], [-5], ['soon'], [Number.MAX_VALUE], [{}]])(
    'with a lifetime of %j keeps the token until it is refused [A5]',
    async (expires_in) => {
      const { credential, clock } = await signInTo({ 'POST /api/v1/oauth/token': issuing({ expires_in }) }, apiClient);
      await credential.header();
      clock.pass(86_400_000);
      expect(await credential.header()).toBe('Bearer t1');
      expect(await credential.header('Bearer t1')).toBe('Bearer t2');
      expect(await credential.header('Bearer t1')).toBe('Bearer t2');
    },
  );

  it.each([
    ['new', ['old', 'new'], 'Bearer x'],
    // Presenting the same again would bring the client nearer to being locked.
    ['old', ['old'], 'sign-in-refused'],
  ])(
    'asks once more for a refused secret, and presents it when it is another: %s [A10]',
    async (rotated, presented, end) => {
      const asked: boolean[] = [];
      const seen: (string | null)[] = [];
      const { credential } = await signInTo(
        {
          'POST /api/v1/oauth/token': ({ body }) => {
            const secret = new URLSearchParams(body).get('client_secret');
            seen.push(secret);
            if (secret === 'old') {
              return { status: 400, body: { error: 'invalid_client' } };
            }
            return { body: { access_token: 'x', token_type: 'bearer' } };
          },
        },
        {
          clientId: async () => 'client',
          clientSecret: async (again) => {
            asked.push(again);
            return again ? rotated : 'old';
          },
        },
      );
      expect(await credential.header().catch((error: { code?: unknown }) => error.code)).toBe(end);
      expect(asked).toEqual([false, true]);
      expect(seen).toEqual(presented);
    },
  );

  it.each<[string, Reply, string]>([
    ['an error we do not know', { status: 400, body: { error: '<b>canary</b>' } }, '(no known reason)'],
    ['401', { status: 401, body: { error: 'invalid_client' }, headers: { 'www-authenticate': 'canary' } }, 'invalid'],
    ['no token', { body: { token_type: 'Bearer', canary: 1 } }, 'something other than a token'],
  ])('hears that it was refused: %s [A5]', async (_name, reply, words) => {
    const { credential } = await signInTo({ 'POST /api/v1/oauth/token': reply }, apiClient);
    const error: unknown = await credential.header().catch((failure: unknown) => failure);
    expect(error).toMatchObject({ code: 'sign-in-refused', message: expect.stringContaining(words) });
    expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain('canary');
    expect(error).not.toHaveProperty('cause');
  });

  it('is reported where the server has no API clients', async () => {
    const { credential } = await signInTo({}, apiClient);
    await expect(credential.header()).rejects.toMatchObject({
      code: 'sign-in-refused',
      message: expect.stringMatching(
        /did not answer as Jamf Pro does.* Check the address, .* before 10\.49 has no API clients, so use an account/,
      ),
    });
  });
});

describe('an account', () => {
  const now = Date.parse('2026-10-07T05:15:00Z');
  const at = (seconds: number) => new Date(now + seconds * 1000).toISOString();

  function issuingUntil(expires: unknown, date?: string): Routes {
    let count = 0;
    return {
      'POST /api/v1/auth/token': () => {
        count += 1;
        return { body: { token: `t${count}`, expires }, headers: { date: date ?? '' } };
      },
    };
  }

  it('signs in with name and password in UTF-8, and no body', async () => {
    const { credential, server } = await signInTo(issuingUntil(at(1800)), account);
    expect(await credential.header()).toBe('Bearer t1');
    const sent = server.headers[0]?.authorization ?? '';
    expect(Buffer.from(sent.replace('Basic ', ''), 'base64').toString('utf8')).toBe('reader:canary:ü');
  });

  it.each<[string, unknown, string | undefined, number]>([
    ['our clock where there is no Date', at(1800), undefined, 1770],
    ['fewer digits', at(60).replace('.000Z', '.5Z'), undefined, 45.375],
    ['the server’s clock, an hour ahead', at(3600 + 60), new Date(now + 3_600_000).toUTCString(), 44.25],
    ['a token of 2 s, with a Date that drops up to one', at(2), new Date(now).toUTCString(), 0.75],
  ])('signs in again in time: %s [A12]', async (_name, expires, date, seconds) => {
    const { credential, clock } = await signInTo(issuingUntil(expires, date), account);
    await credential.header();
    clock.pass(seconds * 1000 - 1);
    expect(await credential.header()).toBe('Bearer t1');
    clock.pass(1);
    expect(await credential.header()).toBe('Bearer t2');
  });

  it.each([[undefined], [null], ['soon'], [at(-10)], [1_700_000_000_000]])(
    'with an end of %j keeps the token until it is refused [A5]',
    async (expires) => {
      const { credential, clock } = await signInTo(issuingUntil(expires), account);
      await credential.header();
      clock.pass(86_400_000);
      expect(await credential.header()).toBe('Bearer t1');
    },
  );

  it.each<[string, Reply, string]>([
    ['an expired password', { status: 401, body: { errors: [{ code: 'USER_EXPIRED_PASSWORD' }] } }, 'sign-in-refused'],
    ['no token', { body: { expires: at(60) } }, 'answer-unreadable'],
    ['a token that would forge a header', { body: { token: 'a\r\nb' } }, 'answer-unreadable'],
  ])('is told: %s', async (_name, reply, code) => {
    const { credential } = await signInTo({ 'POST /api/v1/auth/token': reply }, account);
    const error: unknown = await credential.header().catch((failure: unknown) => failure);
    expect(error).toMatchObject({ code });
    expect(String(error)).not.toContain('canary');
  });
});
