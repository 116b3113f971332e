import { afterEach, describe, expect, it } from 'vitest';
import { parseJson } from '../../src/http/body.ts';
import { HttpClient } from '../../src/http/client.ts';
import { parseRetryAfter } from '../../src/http/failures.ts';
import { computeBackoff } from '../../src/http/retry.ts';
import { WaitBudget, type Waiting } from '../../src/http/wait-budget.ts';
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
  const patience = new WaitBudget({ clock, limit, deadline, onWait: (waiting) => waits.push(waiting) });
  const connect = (origin: string): HttpClient =>
    new HttpClient({ who, origin, clock, patience, signal: new AbortController().signal, random: () => 1 });
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
  it.each([503, 429])('with %i for 45 seconds is waited for [H3]', async (status) => {
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

  it('that answers with a web page is given a minute', async () => {
    const { clock, connect } = setting();
    const server = await serve((_request, response) => void response.end('<html>Sign in</html>'));
    await failureOf(connect(server.origin).send({ url: '/x' }, asJson));
    expect(clock.elapsed()).toBe(minute);
  });
});

describe('the budget', () => {
  const [needed, optional] = [false, true];

  it('counts time once, however many requests wait, and not the time in which none does', () => {
    const { clock, patience } = setting();
    patience.spend(needed, 0, minute);
    patience.spend(needed, 0, 2 * minute);
    clock.pass(20 * minute);
    expect(patience.findEnd(needed, 0)).toBe(28 * minute);
  });

  it('counts the time of an attempt that failed, such as silence', async () => {
    const { clock, connect } = setting({ limit: 2 * minute });
    const server = await serve((_request, response, count) => {
      clock.pass(minute);
      busy(_request, response, count);
    });
    await failureOf(connect(server.origin).send({ url: '/x' }, asJson));
    expect(server.requests).toHaveLength(2);
  });

  it('of what the source can do without is a minute, and as long as something needed fails too', () => {
    const { clock, patience } = setting();
    expect(patience.findEnd(optional, 0)).toBe(minute);
    patience.spend(optional, 0, minute / 2);
    patience.spend(needed, 0, 5 * minute);
    // What both waited for alike is not held against the optional one.
    clock.pass(5 * minute);
    expect(patience.findEnd(optional, 0)).toBe(5.5 * minute);
    patience.spend(optional, clock.elapsed(), 6 * minute);
    expect(patience.findEnd(optional, 0)).toBe(6 * minute);
    expect(patience.findEnd(needed, 0)).toBe(10 * minute);
  });

  it('of a client of what the source can do without is that of the source', async () => {
    const { clock, connect } = setting();
    const server = await serve(busy);
    await failureOf(connect(server.origin).optional().send({ url: '/one' }, asJson));
    expect(clock.elapsed()).toBe(minute);
    await failureOf(connect(server.origin).optional().send({ url: '/other' }, asJson));
    expect(clock.elapsed()).toBe(minute);
  });

  it('announces one wait for all that wait for the same', () => {
    const { clock, patience, waits } = setting();
    patience.announce('HTTP 503', 8_000, minute);
    patience.announce('HTTP 503', 7_000, minute);
    patience.announce('HTTP 502', 7_000, minute);
    clock.pass(8_000);
    patience.announce('HTTP 502', 16_000, minute);
    expect(waits.map(({ reason, nextTryAt }) => `${reason} ${nextTryAt.slice(14, 19)}`)).toEqual([
      'HTTP 503 15:08',
      'HTTP 502 15:07',
      'HTTP 502 15:24',
    ]);
  });
});

describe('Retry-After', () => {
  const now = new Date('2026-10-07T05:15:00Z');

  it.each([
    ['3', 3_000],
    [' 1.5 ', 1_500],
    ['Wed, 07 Oct 2026 05:15:20 GMT', 20_000],
    ['Wednesday, 07-Oct-26 05:15:20 GMT', 20_000],
    ['Wed, 07 Oct 2026 05:14:00 GMT', undefined],
    ['0', undefined],
    ['', undefined],
    ['soon', undefined],
    [undefined, undefined],
  ])('%s means %s milliseconds [H1]', (header, milliseconds) => {
    expect(parseRetryAfter(header, now)).toBe(milliseconds);
  });
});

describe('our own wait', () => {
  it('doubles its ceiling and stops at a minute [H5]', () => {
    expect([1, 2, 3, 4, 5, 6, 7].map((failures) => computeBackoff(failures, 1))).toEqual([
      2e3, 4e3, 8e3, 16e3, 32e3, 60e3, 60e3,
    ]);
  });

  it('is at least half of its ceiling [H5]', () => {
    expect([1, 2, 3].map((failures) => computeBackoff(failures, 0))).toEqual([1e3, 2e3, 4e3]);
  });
});
