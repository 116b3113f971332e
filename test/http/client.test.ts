import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { MusterError } from '../../src/errors.ts';
import { parseJson } from '../../src/http/body.ts';
import { type Credential, createHttpClient, type HttpClientOptions, SlowAnswerError } from '../../src/http/client.ts';
import { hangLimit, shortSilence, slowAnswer } from '../limits.ts';
import { type Answerer, type FakeClock, fakeClock, type Loopback, loopback } from './loopback.ts';

const who = 'Test "one"';
let server: Loopback | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

interface Setting {
  readonly client: ReturnType<typeof createHttpClient>;
  readonly server: Loopback;
  readonly clock: FakeClock;
  readonly retries: () => number;
}

async function setting(answer: Answerer, options: Partial<HttpClientOptions> = {}): Promise<Setting> {
  const clock = fakeClock();
  server = await loopback(answer);
  let retries = 0;
  const client = createHttpClient({
    who,
    origin: server.origin,
    clock,
    signal: new AbortController().signal,
    random: () => 1,
    onRetry: () => {
      retries += 1;
    },
    ...options,
  });
  return { client, server, clock, retries: () => retries };
}

function say(response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, headers).end(body);
}

const good = (response: ServerResponse) => say(response, 200, '{"good":true}');
const asJson = (answer: Parameters<typeof parseJson>[0]) => parseJson(answer, who);

async function failureOf(promise: Promise<unknown>): Promise<MusterError> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof MusterError) {
    return outcome;
  }
  throw new Error(`expected a MusterError, got ${String(outcome)}`);
}

describe('trying again', () => {
  it.each([
    ['seconds', 429, '7', 7_000],
    ['a date', 503, 'Wed, 07 Oct 2026 05:15:30 GMT', 30_000],
    ['zero', 429, '0', 2_000],
    ['garbage', 429, 'in 2099', 2_000],
  ])('waits as Retry-After says: %s', async (_name, status, header, wait) => {
    const { client, clock, retries } = await setting((_request, response, count) =>
      count === 1 ? say(response, status, 'no', { 'retry-after': header }) : good(response),
    );
    expect(await client.send({ url: '/x' }, asJson)).toEqual({ good: true });
    expect(clock.waits).toEqual([wait]);
    expect(retries()).toBe(1);
  });

  it.each([408, 429, 500, 502, 503, 504])(
    'gives %i up after half a minute, where nobody says how long',
    async (status) => {
      const { client, clock, server } = await setting((_request, response) => say(response, status, 'no'));
      const failure = await failureOf(client.send({ url: '/x?secret=1' }, asJson));
      expect(failure.message).toContain(`answered ${status}: GET ${server.origin}/x.`);
      expect(failure.message).toContain('Muster gave up after 30 s.');
      expect(server.requests).toHaveLength(5);
      expect(clock.waits).toEqual([2_000, 4_000, 8_000, 16_000]);
    },
  );

  it('asks less and less often where the server asks for the same short wait again and again', async () => {
    const { client, clock } = await setting((_request, response) => say(response, 429, '', { 'retry-after': '3' }));
    expect((await failureOf(client.send({ url: '/x' }, asJson))).code).toBe('throttled');
    expect(clock.waits).toEqual([3_000, 4_000, 8_000]);
  });

  it('asks nobody again before the time that the server said, whoever asks', async () => {
    const { client, server, clock } = await setting((_request, response, count) =>
      count === 1 ? say(response, 429, '', { 'retry-after': '3600' }) : good(response),
    );
    expect((await failureOf(client.send({ url: '/x?page=1' }, asJson))).code).toBe('throttled');
    const second = await failureOf(client.send({ url: '/x?page=2' }, asJson));
    expect(second.code).toBe('throttled');
    expect(second.message).toContain('Retry-After (3600 s)');
    expect(server.requests).toEqual(['GET /x?page=1']);
    expect(await client.send({ url: '/y' }, asJson)).toEqual({ good: true });
    clock.pass(3_600_000);
    expect(await client.send({ url: '/x' }, asJson)).toEqual({ good: true });
  });

  it('fails at once when the wait would pass the deadline', async () => {
    const { client, clock } = await setting((_request, response) => say(response, 429, '', { 'retry-after': '3600' }), {
      deadline: 60_000,
    });
    const failure = await failureOf(client.send({ url: '/x' }, asJson));
    expect(failure.code).toBe('throttled');
    expect(failure.message).toContain('Retry-After (3600 s) is longer than Muster waits now (30 s).');
    expect(clock.waits).toEqual([]);
  });

  it.each<[string, Answerer]>([
    [
      'a connection reset mid-body',
      (_request, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{"half":', () => response.destroy());
      },
    ],
    ['truncated JSON', (_request, response) => say(response, 200, '{"half":')],
    ['a web page with status 200', (_request, response) => say(response, 200, '<html>Sign in</html>')],
    [
      'text that is not UTF-8',
      (_request, response) => void response.writeHead(200).end(Buffer.from([0xff, 0xfe, 0x7b])),
    ],
  ])('recovers from %s', async (_name, broken) => {
    const { client, retries } = await setting((request, response, count) =>
      count === 1 ? broken(request, response, count) : good(response),
    );
    expect(await client.send({ url: '/x' }, asJson)).toEqual({ good: true });
    expect(retries()).toBe(1);
  });

  it('reports a web page instead of JSON, and quotes nothing of the page', async () => {
    const { client } = await setting((_request, response) => say(response, 200, '<html>canary</html>'));
    const failure = await failureOf(client.send({ url: '/x' }, asJson));
    expect(failure.code).toBe('answer-unreadable');
    expect(failure.message).toContain('a web page instead of JSON');
    expect(failure.message).not.toContain('canary');
  });

  it('names a server that cannot be reached', async () => {
    const { client, server } = await setting((_request, response) => good(response));
    await server.close();
    const failure = await failureOf(client.send({ url: '/x' }, asJson));
    expect(failure.code).toBe('request-failed');
    expect(failure.message).toContain('ECONNREFUSED');
  });
});

describe('silence', () => {
  const silent: Answerer = () => undefined;

  it('is cut off, retried, and reported', async () => {
    const { client, retries } = await setting(silent);
    const failure = await failureOf(client.send({ url: '/x', idle: 30 }, asJson));
    expect(failure.code).toBe('request-timed-out');
    expect(retries()).toBe(4);
  });

  it('in the middle of a body counts as well', async () => {
    const { client } = await setting((_request, response) => void response.writeHead(200).write('{'));
    expect((await failureOf(client.send({ url: '/x', idle: 30 }, asJson))).code).toBe('request-timed-out');
  });
});

describe('a request that can be made smaller', () => {
  it.each<[string, number, Answerer]>([
    ['silence', 30, () => undefined],
    ['504', shortSilence, (_request, response) => void setTimeout(() => say(response, 504, 'gateway'), slowAnswer)],
    ['503', shortSilence, (_request, response) => void setTimeout(() => say(response, 503, 'busy'), slowAnswer)],
    ['a reset', shortSilence, (request) => void setTimeout(() => request.socket.resetAndDestroy(), slowAnswer)],
    [
      'half of a body',
      shortSilence,
      (_request, response) => void setTimeout(() => say(response, 200, '{'), slowAnswer),
    ],
  ])('is not repeated after %s that came late', async (_name, idle, answer) => {
    const { client, retries } = await setting(answer);
    const failure = await failureOf(client.send({ url: '/x', idle, shrinks: true }, asJson));
    expect(failure).toBeInstanceOf(SlowAnswerError);
    expect(failure.code).toBe('request-timed-out');
    expect(retries()).toBe(0);
  });

  it.each<[string, Answerer]>([
    ['504', (_request, response) => say(response, 504, 'gateway')],
    ['503', (_request, response) => say(response, 503, 'busy')],
    ['a reset', (request) => void request.socket.resetAndDestroy()],
  ])('is repeated after %s that came at once', async (_name, answer) => {
    const { client, clock } = await setting((request, response, count) =>
      count < 4 ? answer(request, response, count) : good(response),
    );
    expect(await client.send({ url: '/x', idle: hangLimit, shrinks: true }, asJson)).toEqual({ good: true });
    expect(clock.waits).toEqual([2_000, 4_000, 8_000]);
  });

  it('is repeated after a late answer that says how long to wait', async () => {
    const { client, clock } = await setting((_request, response, count) => {
      const busy = () => say(response, 503, 'busy', { 'retry-after': '7' });
      return count === 1 ? void setTimeout(busy, slowAnswer) : good(response);
    });
    expect(await client.send({ url: '/x', idle: shortSilence, shrinks: true }, asJson)).toEqual({ good: true });
    expect(clock.waits).toEqual([7_000]);
  });
});

describe('bounds', () => {
  it('stops reading at the size bound, counted after decompression', async () => {
    const bomb = gzipSync(Buffer.alloc(1_000_000));
    const { client } = await setting(
      (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    const failure = await failureOf(client.send({ url: '/x', maximumBytes: 10_000 }, asJson));
    expect(failure.code).toBe('answer-too-large');
  });

  it('reads the first bytes that are asked for, and stops an answer that never ends', async () => {
    let left: Promise<void> | undefined;
    const { client, server } = await setting((_request, response) => {
      left = new Promise((resolve) => response.once('close', resolve));
      const more = () => void (response.destroyed || response.write('0123456789', more));
      more();
    });
    const body = await client.send({ url: '/x', firstBytes: 25 }, (answer) => answer.body.toString());
    expect(body).toBe('0123456789012345678901234');
    await left;
    expect(server.requests).toHaveLength(1);
  });

  it('hands over what there is where less than the first bytes follow', async () => {
    const { client } = await setting((_request, response) => say(response, 200, 'short'));
    expect(await client.send({ url: '/x', firstBytes: 25 }, (answer) => answer.body.toString())).toBe('short');
  });

  it('has no more requests under way than allowed, signing in included', async () => {
    let open = 0;
    let most = 0;
    const enter = () => {
      open += 1;
      most = Math.max(most, open);
    };
    const credential: Credential = {
      async header() {
        enter();
        await new Promise((resolve) => setImmediate(resolve));
        open -= 1;
        return 'Bearer x';
      },
    };
    const { client } = await setting(
      (_request, response) => {
        enter();
        setImmediate(() => {
          open -= 1;
          good(response);
        });
      },
      { credential, concurrency: 3 },
    );
    await Promise.all(Array.from({ length: 20 }, () => client.send({ url: '/x' }, asJson)));
    expect(most).toBe(3);
  });

  it('ends with the reason of whoever stops it', async () => {
    const stop = new AbortController();
    const { client } = await setting(() => stop.abort(new MusterError('deadline', 'Time is up.')), {
      signal: stop.signal,
    });
    expect((await failureOf(client.send({ url: '/x' }, asJson))).code).toBe('deadline');
  });
});

describe('credentials', () => {
  /** Counts tokens: `Bearer 1`, `Bearer 2`, ... */
  function counting(): Credential & { readonly issued: () => number } {
    let issued = 1;
    let renewal: Promise<string> | undefined;
    return {
      issued: () => issued,
      async header(refused) {
        if (refused !== `Bearer ${issued}`) {
          return `Bearer ${issued}`;
        }
        renewal ??= new Promise<string>((resolve) => {
          setImmediate(() => {
            issued += 1;
            renewal = undefined;
            resolve(`Bearer ${issued}`);
          });
        });
        return renewal;
      },
    };
  }

  it('are renewed once for all who wait', async () => {
    const credential = counting();
    const { client } = await setting(
      (request, response) =>
        request.headers.authorization === 'Bearer 2' ? good(response) : say(response, 401, '{"errors":[]}'),
      { credential },
    );
    await Promise.all(Array.from({ length: 5 }, () => client.send({ url: '/x' }, asJson)));
    expect(credential.issued()).toBe(2);
  });

  it('are not renewed without end', async () => {
    const { client, server } = await setting((_request, response) => say(response, 401, ''), {
      credential: counting(),
    });
    expect((await failureOf(client.send({ url: '/x' }, asJson))).code).toBe('sign-in-refused');
    expect(server.requests).toHaveLength(3);
  });

  it('that could not be had are not asked for again at once by the next request', async () => {
    let asked = 0;
    const credential: Credential = {
      async header() {
        asked += 1;
        throw new MusterError('sign-in-refused', 'The secret is wrong.');
      },
    };
    const { client, clock } = await setting((_request, response) => good(response), { credential });
    for (let requests = 0; requests < 3; requests += 1) {
      expect((await failureOf(client.send({ url: '/x' }, asJson))).code).toBe('sign-in-refused');
    }
    expect(asked).toBe(1);
    clock.pass(10_000);
    await failureOf(client.send({ url: '/x' }, asJson));
    expect(asked).toBe(2);
  });

  it('do not follow a redirect', async () => {
    const other = await loopback((_request, response) => good(response));
    const { client, server } = await setting(
      (_request, response) => say(response, 302, '', { location: `${other.origin}/stolen` }),
      { credential: counting() },
    );
    const failure = await failureOf(client.send({ url: '/x' }, asJson));
    await other.close();
    expect(failure.code).toBe('redirected');
    expect(server.requests).toHaveLength(1);
    expect(other.requests).toEqual([]);
  });

  it('do not go to an origin with a user in it', async () => {
    const { client, server } = await setting((_request, response) => good(response), { credential: counting() });
    const origin = server.origin.replace('://', '://user@');
    const misled = createHttpClient({ who, origin, clock: fakeClock(), signal: new AbortController().signal });
    expect((await failureOf(client.send({ url: `${origin}/x` }, asJson))).code).toBe('foreign-link');
    for (const url of ['/x', `${server.origin}/x`, `${origin}/x`]) {
      expect((await failureOf(misled.send({ url }, asJson))).code).toBe('foreign-link');
    }
    expect(server.requests).toEqual([]);
  });

  it.each(['http://127.0.0.1:1/x', '//evil.test/x', 'https://evil.test/x', 'file:///etc/passwd', 'http://['])(
    'do not go to %s',
    async (url) => {
      const { client, server } = await setting((_request, response) => good(response), { credential: counting() });
      expect((await failureOf(client.send({ url }, asJson))).code).toBe('foreign-link');
      expect(server.requests).toEqual([]);
    },
  );
});

describe('refusals', () => {
  it.each([
    [401, 'sign-in-refused'],
    [403, 'permission-missing'],
    [404, 'not-found'],
    [400, 'request-refused'],
  ])('%i is %s, at once, with the allow-listed reason and none of the body', async (status, code) => {
    const { client, server } = await setting((_request, response) => say(response, status, 'canary'), {
      explain: () => 'INVALID_PRIVILEGE',
    });
    const failure = await failureOf(client.send({ method: 'POST', url: '/x?key=canary', body: 'canary' }, asJson));
    expect(failure.code).toBe(code);
    expect(failure.message).toContain(`${who} answered ${status} (INVALID_PRIVILEGE): POST ${server.origin}/x.`);
    expect(failure.message).not.toContain('canary');
    expect(server.requests).toHaveLength(1);
  });

  it('are handed over where the caller understands them', async () => {
    const { client } = await setting((_request, response) => say(response, 404, ''));
    expect(await client.send({ url: '/x', alsoUnderstood: [404] }, (answer) => answer.status)).toBe(404);
  });
});
