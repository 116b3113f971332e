import { afterEach, describe, expect, it } from 'vitest';
import { MusterError } from '../../src/errors.ts';
import { parseJson } from '../../src/http/body.ts';
import { createHttpClient, type HttpClient } from '../../src/http/client.ts';
import { createPatience, type Patience, type Waiting } from '../../src/http/patience.ts';
import { type Answerer, fakeClock, type Loopback, loopback } from './loopback.ts';

const minute = 60_000;
const who = 'Test "one"';
const servers: Loopback[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(answer: Answerer): Promise<Loopback> {
  const server = await loopback(answer);
  servers.push(server);
  return server;
}

interface Setting {
  readonly limit?: number;
  readonly deadline?: number;
}

function setting({ limit = 10 * minute, deadline }: Setting = {}) {
  const clock = fakeClock();
  const waits: Waiting[] = [];
  const patience = createPatience({ clock, limit, deadline, onWait: (waiting) => waits.push(waiting) });
  const connect = (origin: string): HttpClient =>
    createHttpClient({ who, origin, clock, patience, signal: new AbortController().signal, random: () => 1 });
  return { clock, patience, waits, connect };
}

const asJson = (answer: Parameters<typeof parseJson>[0]) => parseJson(answer, who);
const busy: Answerer = (_request, response) => void response.writeHead(503).end('busy');

function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('a server that fails', () => {
  it.each([503, 502, 504, 500, 429])('with %i for 45 seconds is waited for [H3]', async (status) => {
    const { clock, connect } = setting();
    const server = await serve((_request, response) => {
      const isOver = clock.elapsed() >= 45_000;
      response.writeHead(isOver ? 200 : status).end(isOver ? '{"good":true}' : 'busy');
    });
    expect(await connect(server.origin).send({ url: '/x' }, asJson)).toEqual({ good: true });
    expect(clock.elapsed()).toBeLessThan(2 * minute);
  });

  it('for ever is waited for as long as the settings say, with waits up to a minute [H4]', async () => {
    const { clock, connect } = setting();
    const server = await serve(busy);
    expect(await failureOf(connect(server.origin).send({ url: '/x' }, asJson))).toMatchObject({
      code: 'request-failed',
      message: expect.stringMatching(/answered 503.*Muster gave up after 10 min\./),
    });
    expect(clock.elapsed()).toBe(10 * minute);
    expect(Math.max(...clock.waits)).toBe(minute);
  });

  it('is waited for in all requests of all clients together', async () => {
    const { clock, connect } = setting();
    const server = await serve((_request, response, count) =>
      count === 14 ? void response.end('{}') : busy(_request, response, count),
    );
    const [one, other] = [connect(server.origin), connect(server.origin)];
    expect(await one.send({ url: '/one' }, asJson)).toEqual({});
    const spent = clock.elapsed();
    expect(spent).toBeGreaterThan(8 * minute);
    await failureOf(other.send({ url: '/other' }, asJson));
    expect(clock.elapsed()).toBe(10 * minute);
  });

  it.each([
    [20 * minute, 10 * minute],
    [10 * minute, 5 * minute],
    [minute, minute / 2],
  ])('is never waited for longer than half of what is left: of %i ms, %i', async (deadline, wait) => {
    const { clock, connect } = setting({ deadline });
    const server = await serve(busy);
    await failureOf(connect(server.origin).send({ url: '/x' }, asJson));
    expect(clock.elapsed()).toBe(wait);
  });

  it('is not waited for at all without patience', async () => {
    const { clock, connect } = setting({ limit: 0 });
    const server = await serve(busy);
    expect(await failureOf(connect(server.origin).send({ url: '/x' }, asJson))).toMatchObject({
      message: expect.stringContaining('Muster did not wait.'),
    });
    expect(clock.waits).toEqual([]);
  });

  it('says what is waited for, when the next try is and until when', async () => {
    const { waits, connect } = setting();
    const server = await serve((_request, response, count) =>
      count > 2 ? void response.end('{}') : busy(_request, response, count),
    );
    await connect(server.origin).send({ url: '/x?secret=1' }, asJson);
    const until = '2026-10-07T05:25:00.000Z';
    expect(waits).toEqual([
      { reason: 'HTTP 503', nextTryAt: '2026-10-07T05:15:02.000Z', until },
      { reason: 'HTTP 503', nextTryAt: '2026-10-07T05:15:06.000Z', until },
    ]);
  });
});

describe('an address that is probably wrong', () => {
  it('whose connection is refused is given a minute [H7]', async () => {
    const { clock, waits, connect } = setting();
    const server = await serve(busy);
    await server.close();
    expect(await failureOf(connect(server.origin).send({ url: '/x' }, asJson))).toMatchObject({
      code: 'request-failed',
      message: expect.stringContaining('ECONNREFUSED'),
    });
    expect(clock.elapsed()).toBe(minute);
    expect(waits.at(0)).toMatchObject({ reason: 'ECONNREFUSED', until: '2026-10-07T05:16:00.000Z' });
  });

  it('whose name does not resolve is given a minute [H7]', async () => {
    const { clock, connect } = setting();
    expect(await failureOf(connect('http://nowhere.invalid').send({ url: '/x' }, asJson))).toMatchObject({
      message: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/),
    });
    expect(clock.elapsed()).toBe(minute);
  });

  it('that answers with a web page is given a minute', async () => {
    const { clock, connect } = setting();
    const server = await serve((_request, response) => void response.end('<html>Sign in</html>'));
    await failureOf(connect(server.origin).send({ url: '/x' }, asJson));
    expect(clock.elapsed()).toBe(minute);
  });

  it('is given that minute once, in all requests', async () => {
    const { clock, connect } = setting();
    const server = await serve(busy);
    await server.close();
    const client = connect(server.origin);
    await failureOf(client.send({ url: '/one' }, asJson));
    await failureOf(client.send({ url: '/other' }, asJson));
    expect(clock.elapsed()).toBe(minute);
  });
});

describe('the budget', () => {
  const attempt = (began: number) => ({ began, isBrief: false });

  function open(patience: Patience, isOptional = false) {
    return patience.open(isOptional);
  }

  it('counts time once, however many requests wait', () => {
    const { clock, patience } = setting();
    const [one, other] = [open(patience), open(patience)];
    expect(one.onFailure(attempt(0))).toBe(10 * minute);
    clock.pass(minute);
    expect(other.onFailure(attempt(0))).toBe(10 * minute);
    clock.pass(minute);
    one.end();
    other.end();
    clock.pass(20 * minute);
    const now = clock.elapsed();
    expect(open(patience).onFailure(attempt(now))).toBe(now + 8 * minute);
  });

  it('counts the time of an attempt that failed, such as silence', () => {
    const { clock, patience } = setting();
    clock.pass(minute);
    expect(open(patience).onFailure(attempt(0))).toBe(10 * minute);
  });

  it('of what the source can do without is a minute, and as long as something needed fails too', () => {
    const { clock, patience } = setting();
    const optional = open(patience, true);
    expect(optional.onFailure(attempt(0))).toBe(minute);
    const needed = open(patience);
    expect(needed.onFailure(attempt(0))).toBe(10 * minute);
    clock.pass(5 * minute);
    expect(optional.onFailure(attempt(clock.elapsed()))).toBe(10 * minute);
    needed.end();
    // What was waited for both alike is not held against the optional one.
    expect(optional.onFailure(attempt(clock.elapsed()))).toBe(6 * minute);
    clock.pass(minute);
    expect(optional.onFailure(attempt(clock.elapsed()))).toBe(6 * minute);
    optional.end();
    const again = open(patience, true);
    expect(again.onFailure(attempt(clock.elapsed()))).toBe(clock.elapsed());
  });

  it('ends with the request that it was opened for, failed or not', async () => {
    const { clock, connect, patience } = setting();
    const server = await serve((_request, response) => void response.writeHead(404).end());
    const client = connect(server.origin);
    expect(await failureOf(client.send({ url: '/x' }, asJson))).toBeInstanceOf(MusterError);
    clock.pass(minute);
    expect(open(patience).onFailure(attempt(clock.elapsed()))).toBe(11 * minute);
  });

  it('announces one wait for all that wait for the same', () => {
    const { clock, patience, waits } = setting();
    const [one, other] = [open(patience), open(patience)];
    one.onWait('HTTP 503', 8_000, minute);
    other.onWait('HTTP 503', 7_000, minute);
    other.onWait('HTTP 502', 7_000, minute);
    clock.pass(8_000);
    one.onWait('HTTP 502', 16_000, minute);
    expect(waits.map(({ reason, nextTryAt }) => `${reason} ${nextTryAt.slice(14, 19)}`)).toEqual([
      'HTTP 503 15:08',
      'HTTP 502 15:07',
      'HTTP 502 15:24',
    ]);
  });
});
