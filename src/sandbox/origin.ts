/** One loopback server of the sandbox: reads requests, writes answers, and breaks them on the wire when told to. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Answer, Exchange, OriginName } from './exchange.ts';

export interface Origin {
  readonly url: string;
  close(): Promise<void>;
}

export type Respond = (exchange: Exchange) => Promise<Answer>;

const largestBody = 1_000_000;

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    const buffer = Buffer.from(part);
    bytes += buffer.length;
    if (bytes > largestBody) {
      throw new Error('request body too large for the sandbox');
    }
    parts.push(buffer);
  }
  return Buffer.concat(parts).toString('utf8');
}

async function readExchange(origin: OriginName, request: IncomingMessage): Promise<Exchange> {
  const url = new URL(request.url ?? '/', 'http://sandbox');
  return {
    origin,
    method: request.method ?? 'GET',
    path: decodePath(url.pathname),
    query: url.searchParams,
    headers: request.headers,
    body: await readBody(request),
  };
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function write(response: ServerResponse, answer: Answer): void {
  const body = typeof answer.body === 'string' ? Buffer.from(answer.body, 'utf8') : answer.body;
  if (answer.wire === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  if (answer.wire === 'hang') {
    return;
  }
  if (typeof answer.wire === 'object') {
    const socket = response.socket;
    setTimeout(() => socket?.destroy(), answer.wire.dropAfterMilliseconds).unref();
    return;
  }
  response.writeHead(answer.status, { 'content-length': body.length, 'cache-control': 'no-store', ...answer.headers });
  if (answer.wire === 'reset-mid-body') {
    response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.socket?.resetAndDestroy());
    return;
  }
  response.end(body);
}

export async function openOrigin(name: OriginName, port: number, respond: Respond): Promise<Origin> {
  const server: Server = createServer((request, response) => {
    readExchange(name, request)
      .then(respond)
      .then((answer) => write(response, answer))
      .catch((error: unknown) => {
        response.destroy(error instanceof Error ? error : new Error(String(error)));
      });
  });
  // Idle connections stay open: a client too busy to notice that one was closed would fail with its next request.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
