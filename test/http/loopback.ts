/** A real server on loopback that answers as a test says, and a clock that never waits. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Clock } from '../../src/http/clock.ts';

export interface Loopback {
  readonly origin: string;
  /** Method and path of every request, in order of arrival. */
  readonly requests: string[];
  readonly headers: IncomingMessage['headers'][];
  close(): Promise<void>;
}

export type Answerer = (request: IncomingMessage, response: ServerResponse, count: number) => void;

export async function loopback(answer: Answerer): Promise<Loopback> {
  const requests: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const server: Server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    headers.push(request.headers);
    answer(request, response, requests.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    requests,
    headers,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
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
