/** A real server on loopback that answers as a test says, and a clock that never waits. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../src/http/clock.ts';

interface Listening {
  readonly origin: string;
  close(): Promise<void>;
}

export interface Loopback extends Listening {
  /** Method and path of every request, in order of arrival. */
  readonly requests: string[];
  readonly headers: IncomingMessage['headers'][];
}

export type Answerer = (request: IncomingMessage, response: ServerResponse, count: number) => void;

export async function loopback(answer: Answerer): Promise<Loopback> {
  const requests: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    headers.push(request.headers);
    answer(request, response, requests.length);
  });
  return { ...(await listen(server)), requests, headers };
}

/**
 * Listens on a free port of loopback. Idle connections stay open until `close`: a client that was too busy to notice
 * that the other side had closed one would fail with its next request.
 */
export async function listen(server: Server): Promise<Listening> {
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export interface FakeClock extends Clock {
  /** The waits that were asked for, in milliseconds. */
  readonly waits: number[];
  /** Lets time pass. */
  pass(milliseconds: number): void;
}

/** Waiting takes no time, but the clock moves on as if it had. */
export function fakeClock(start = Date.parse('2026-10-07T05:15:00Z')): FakeClock {
  let elapsed = 0;
  const waits: number[] = [];
  return {
    waits,
    now: () => new Date(start + elapsed),
    elapsed: () => elapsed,
    pass(milliseconds) {
      elapsed += milliseconds;
    },
    async sleep(milliseconds, signal) {
      signal.throwIfAborted();
      waits.push(milliseconds);
      elapsed += milliseconds;
    },
  };
}
