import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { MusterError } from '../../src/base/errors.ts';
import { parseJson } from '../../src/http/body.ts';
import { type Credential, HttpClient, type HttpClientOptions } from '../../src/http/client.ts';
import { WaitBudget } from '../../src/http/wait-budget.ts';
import { hangLimit, shortSilence, slowAnswer } from '../limits.ts';
import { type Answerer, type FakeClock, fakeClock, type Loopback, loopback } from './loopback.ts';

const who = 'Test "one"';
let server: Loopback | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

interface Setting {
  readonly client: HttpClient;
  readonly server: Loopback;
  readonly clock: FakeClock;
  readonly retries: () => number;
}

async function setting(answer: Answerer, options: Partial<HttpClientOptions> = {}): Promise<Setting> {
  const clock = fakeClock();
  server = await loopback(answer);
  let retries = 0;
  const client = new HttpClient({
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

/** A response written byte by byte, after which the connection ends. */
function raw(header: string, body: string, version = 'HTTP/1.1'): Answerer {
  return (request) => void request.socket.end(`${version} 200 OK\r\n${header}\r\n\r\n${body}`);
}

function compressed(encoding: string, change: (body: Buffer) => Buffer): Answerer {
  return (_request, response) =>
    void response.writeHead(200, { 'content-encoding': encoding }).end(change(gzipSync('{"good":true}')));
}

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
    ['a date', 503, 'Wed, 07 Oct 2026 05:15:30 GMT', 30_000],
    ['zero', 429, '0', 2_000],
  ])('waits as Retry-After says: %s [H1]', async (_name, status, header, wait) => {
    const { client, clock, retries } = await setting((_request, response, count) =>
      count === 1 ? say(response, status, 'no', { 'retry-after': header }) : good(response),
    );
    expect(await client.send({ url: '/x' }, asJson)).toEqual({ good: true });
    expect(clock.waits).toEqual([wait]);
    expect(retries()).toBe(1);
  });

  it.each([408, 429, 500, 502, 503, 504])(
    'gives %i up after half a minute, where nobody says how long [H4]',
    async (status) => {
      const { client, clock, server } = await setting((_request, response) => say(response, status, 'no'));
      const failure = await failureOf(client.send({ url: '/x?secret=1' }, asJson));
      expect(failure.message).toContain(`answered ${status}: GET ${server.origin}/x.`);
      expect(failure.message).toContain('Muster gave up after 30 s.');
      expect(server.requests).toHaveLength(5);
      expect(clock.waits).toEqual([2_000, 4_000, 8_000, 16_000]);
    },
  );

  it('asks nobody again before the time that the server said, whoever asks [H1, H2]', async () => {
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

  it('fails at once when the wait would pass the deadline [H1]', async () => {
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
      'text that is not UTF-8 [H14]',
      (_request, response) => void response.writeHead(200).end(Buffer.from([0xff, 0xfe, 0x7b])),
    ],
    ['a Content-Length above the body [H9]', raw('Content-Length: 99', '{"good":true}')],
    ['a Content-Length below the body [H9]', raw('Content-Length: 5', '{"good":true}')],
    ['a chunked body without its end [H10]', raw('Transfer-Encoding: chunked', '5\r\n{"goo\r\n')],
    ['an HTTP/1.0 body cut at a line end [H11]', raw('Server: old', '{"good":\n', 'HTTP/1.0')],
    ['gzip that is damaged [H15]', compressed('gzip', (body) => body.fill(0x55, 12, 16))],
    ['gzip that is cut [H15]', compressed('gzip', (body) => body.subarray(0, body.length / 2))],
    ['an encoding that nobody knows [H15]', compressed('muster', (body) => body)],
    ['a header of a megabyte [H17]', raw(`X-Large: ${'x'.repeat(1_000_000)}`, '{"good":true}')],
    [
      'ten thousand headers [H17]',
      raw(Array.from({ length: 10_000 }, (_, index) => `X-${index}: x`).join('\r\n'), '{}'),
    ],
  ])('recovers from %s', async (_name, broken) => {
    const { client, retries } = await setting((request, response, count) =>
      count === 1 ? broken(request, response, count) : good(response),
    );
    expect(await client.send({ url: '/x' }, asJson)).toEqual({ good: true });
    expect(retries()).toBe(1);
  });

  it('takes nothing of an answer that is reset at any byte [H8]', async () => {
    const whole = 'HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n{"good":true}';
    let sent = 0;
    let isNext = false;
    const patience = new WaitBudget({ clock: fakeClock(), limit: 3_600_000 });
    const { client, retries } = await setting(
      (request, response) => {
        isNext = !isNext;
        if (!isNext) {
          return good(response);
        }
        request.socket.write(whole.slice(0, sent), () => request.socket.resetAndDestroy());
      },
      { patience },
    );
    for (let bytes = 0; bytes < whole.length; bytes += 1) {
      sent = bytes;
      expect(await client.send({ url: '/x' }, asJson)).toEqual({ good: true });
      expect(retries()).toBe(bytes + 1);
    }
  });

  it.each([
    ['behind a byte-order mark [H14]', '\ufeff{"good":true}', 'application/json'],
    ['under another content type [H14]', '{"good":true}', 'text/plain; charset=latin-1'],
    ['with a key twice: the last one counts [H27]', '{"good":false,"good":true}', 'application/json'],
  ])('understands JSON %s', async (_name, body, type) => {
    const { client, retries } = await setting((_request, response) =>
      say(response, 200, body, { 'content-type': type }),
    );
    expect(await client.send({ url: '/x' }, asJson)).toEqual({ good: true });
    expect(retries()).toBe(0);
  });

  it('reports a web page instead of JSON, and quotes nothing of the page [H13]', async () => {
    const { client } = await setting((_request, response) => say(response, 200, '<html>canary</html>'));
    const failure = await failureOf(client.send({ url: '/x' }, asJson));
    expect(failure.code).toBe('answer-unreadable');
    expect(failure.message).toContain('a web page instead of JSON');
    expect(failure.message).not.toContain('canary');
  });

  it.each([
    [301, 'redirected'],
    [400, 'request-refused'],
    [403, 'permission-missing'],
    [404, 'not-found'],
    [408, 'request-timed-out'],
    [429, 'throttled'],
    [500, 'request-failed'],
    [504, 'request-timed-out'],
  ])('%s that lasts is %s', async (status, code) => {
    const { client } = await setting((_request, response) => say(response, status, 'canary'));
    const failure = await failureOf(client.send({ url: '/x' }, asJson));
    expect(failure).toMatchObject({ code, message: expect.stringContaining(`answered ${status}`) });
    expect(failure.message).not.toContain('canary');
  });

  it('names a proxy that asks for a password [H24]', async () => {
    const { client } = await setting((_request, response) => say(response, 407, 'canary'));
    const failure = await failureOf(client.send({ url: '/x' }, asJson));
    expect(failure.code).toBe('intermediary-refused');
    expect(failure.message).not.toContain('canary');
  });
});

describe('silence', () => {
  const silent: Answerer = () => undefined;

  it('is cut off, retried, and reported [H18]', async () => {
    const { client, retries } = await setting(silent);
    const failure = await failureOf(client.send({ url: '/x', idle: 30 }, asJson));
    expect(failure.code).toBe('request-timed-out');
    expect(retries()).toBe(4);
  });

  it('in the middle of a body counts as well [H18]', async () => {
    const { client } = await setting((_request, response) => void response.writeHead(200).write('{'));
    expect((await failureOf(client.send({ url: '/x', idle: 30 }, asJson))).code).toBe('request-timed-out');
  });
});

it('a drip that never ends is stopped by whoever stops the run [H18]', async () => {
  const stop = new AbortController();
  const reason = new MusterError('deadline', 'Time is up.');
  const { client } = await setting(
    (_request, response) => {
      response.writeHead(200);
      let dripped = 0;
      const drip = () => {
        dripped += 1;
        response.write(' ', () => (dripped < 50 ? setImmediate(drip) : stop.abort(reason)));
      };
      drip();
    },
    { signal: stop.signal },
  );
  expect(await failureOf(client.send({ url: '/x', idle: hangLimit }, asJson))).toBe(reason);
});

it('a drip that never ends has a limit of its own, and is one failure [H18]', async () => {
  const { client, retries } = await setting((_request, response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write(' '), 20);
    response.once('close', () => clearInterval(drip));
  });
  const failure = await failureOf(client.send({ url: '/x', idle: shortSilence / 5, tries: 3 }, asJson));
  expect(failure.code).toBe('request-timed-out');
  expect(failure.message).toContain('did not end its answer within 3 s: GET ');
  expect(retries()).toBe(0);
});

describe('a request that can be made smaller', () => {
  it.each<[string, string, number, Answerer]>([
    ['silence', 'request-timed-out', 30, () => undefined],
    [
      '503',
      'request-failed',
      shortSilence,
      (_request, response) => void setTimeout(() => say(response, 503, 'busy'), slowAnswer),
    ],
    [
      'a reset',
      'request-failed',
      shortSilence,
      (request) => void setTimeout(() => request.socket.resetAndDestroy(), slowAnswer),
    ],
    [
      'half of a body',
      'answer-unreadable',
      shortSilence,
      (_request, response) => void setTimeout(() => say(response, 200, '{'), slowAnswer),
    ],
  ])('is not repeated after %s that came late', async (_name, code, idle, answer) => {
    const { client, retries } = await setting(answer);
    const failure = await failureOf(client.send({ url: '/x', idle, tries: 3 }, asJson));
    expect(failure.code).toBe(code);
    expect(retries()).toBe(0);
  });

  it.each<[string, Answerer]>([
    ['504', (_request, response) => say(response, 504, 'gateway')],
    ['a reset', (request) => void request.socket.resetAndDestroy()],
  ])('is repeated after %s that came at once, as often as it may be', async (_name, answer) => {
    const { client, clock } = await setting((request, response, count) =>
      count < 4 ? answer(request, response, count) : good(response),
    );
    const request = { url: '/x', idle: hangLimit };
    expect((await failureOf(client.send({ ...request, tries: 2 }, asJson))).message).not.toContain('gave up');
    expect(await client.send({ ...request, tries: 2 }, asJson)).toEqual({ good: true });
    expect(clock.waits).toEqual([2_000, 2_000]);
  });
});

describe('bounds', () => {
  it('stops reading at the size bound, counted after decompression [H16]', async () => {
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

  it('are renewed once for each page that is refused once [A3]', async () => {
    const credential = counting();
    const { client, server } = await setting(
      (_request, response, count) => (count % 2 === 1 ? say(response, 401, '') : good(response)),
      { credential },
    );
    for (let page = 1; page <= 5; page += 1) {
      expect(await client.send({ url: `/x?page=${page}` }, asJson)).toEqual({ good: true });
      expect(credential.issued()).toBe(1 + page);
    }
    expect(server.requests).toHaveLength(10);
  });

  it('are not renewed without end [A2]', async () => {
    const { client, server } = await setting((_request, response) => say(response, 401, ''), {
      credential: counting(),
    });
    expect((await failureOf(client.send({ url: '/x' }, asJson))).code).toBe('sign-in-refused');
    expect(server.requests).toHaveLength(3);
  });

  it.each([
    ['301, at the same origin [H21]', 301, (origin: string) => `${origin}/moved`],
    ['308, to a path alone [H21]', 308, () => '/moved'],
    ['302, to another origin [H22]', 302, (_: string, other: string) => `${other}/stolen`],
    ['302, to itself [H23]', 302, (origin: string) => `${origin}/x`],
    ['302, to a file [H23]', 302, () => 'file:///etc/passwd'],
    ['302, to the metadata of a cloud [H23]', 302, () => 'http://169.254.169.254/latest/meta-data/'],
  ])('do not follow a redirect: %s', async (_name, status, locate) => {
    const other = await loopback((_request, response) => good(response));
    const { client, server } = await setting(
      (_request, response) => say(response, status, '', { location: locate(server.origin, other.origin) }),
      { credential: counting() },
    );
    const failure = await failureOf(client.send({ url: '/x' }, asJson));
    await other.close();
    expect(failure.code).toBe('redirected');
    expect(failure.message).toContain('put the final address in the settings');
    expect(server.requests).toHaveLength(1);
    expect(other.requests).toEqual([]);
  });

  it('do not go to an origin with a user in it [P9]', async () => {
    const { client, server } = await setting((_request, response) => good(response), { credential: counting() });
    const origin = server.origin.replace('://', '://user@');
    const misled = new HttpClient({ who, origin, clock: fakeClock(), signal: new AbortController().signal });
    expect((await failureOf(client.send({ url: `${origin}/x` }, asJson))).code).toBe('foreign-link');
    for (const url of ['/x', `${server.origin}/x`, `${origin}/x`]) {
      expect((await failureOf(misled.send({ url }, asJson))).code).toBe('foreign-link');
    }
    expect(server.requests).toEqual([]);
  });

  it.each([
    ['/other/x', '/contextual/x', '/context', '/context/../x', '/context/%2e%2e/x', '/context\\..\\..\\x'],
    ['/context/..%2fx', '/context/..;/x', '/context/..%5Cx'],
  ])('do not leave a context path, in any spelling [P9, W3]', async (...paths) => {
    const { server } = await setting((_request, response) => good(response), {});
    const options = { who, origin: server.origin, clock: fakeClock(), signal: new AbortController().signal };
    const client = new HttpClient({ ...options, contextPath: '/context', credential: counting() });
    for (const path of paths) {
      const { code, message } = await failureOf(client.send({ url: server.origin + path }, asJson));
      expect([code, message]).toEqual(['foreign-link', expect.stringContaining(`outside ${server.origin}/context;`)]);
    }
    expect(server.requests).toEqual([]);
    await client.send({ url: `${server.origin}/context/api/x` }, asJson);
    expect(server.requests).toHaveLength(1);
  });

  it.each(['http://127.0.0.1:1/x', '//evil.test/x', 'https://evil.test/x', 'file:///etc/passwd', 'http://['])(
    'do not go to %s [P9]',
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
    ...[400, 405, 410, 413, 415, 422].map((refused): [number, string] => [refused, 'request-refused']),
  ])('%i is %s, at once, with the allow-listed reason and none of the body [H6]', async (status, code) => {
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
