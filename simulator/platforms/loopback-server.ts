/** One HTTP server on loopback, which reads requests, writes responses, and breaks connections on demand. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { OriginName } from './platforms.ts';
import type { PlatformRequest } from './request.ts';
import type { PlatformResponse } from './response.ts';

export interface LoopbackServer {
  readonly url: string;
  close(): Promise<void>;
}

export type RequestHandler = (request: PlatformRequest) => Promise<PlatformResponse>;

const maximumBodyBytes = 1_000_000;

export async function startLoopbackServer(
  name: OriginName,
  port: number,
  handle: RequestHandler,
): Promise<LoopbackServer> {
  const server: Server = createServer((request, response) => {
    readRequest(name, request)
      .then(handle)
      .then((platformResponse) => writeResponse(response, platformResponse))
      .catch((error: unknown) => {
        response.destroy(error instanceof Error ? error : new Error(String(error)));
      });
  });
  // Keeps idle connections open: a busy client that missed a closed one would fail with its next request.
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

async function readRequest(origin: OriginName, request: IncomingMessage): Promise<PlatformRequest> {
  const url = new URL(request.url ?? '/', 'http://sandbox');
  return {
    origin,
    method: request.method ?? 'GET',
    path: decodePath(url.pathname),
    query: url.searchParams,
    headers: request.headers,
    body: await readRequestBody(request),
  };
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

async function readRequestBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    const buffer = Buffer.from(part);
    bytes += buffer.length;
    if (bytes > maximumBodyBytes) {
      throw new Error('request body too large for the simulator');
    }
    parts.push(buffer);
  }
  return Buffer.concat(parts).toString('utf8');
}

function writeResponse(response: ServerResponse, { status, headers, body: content, wire }: PlatformResponse): void {
  const body = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  if (wire === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  if (wire === 'hang') {
    return;
  }
  if (typeof wire === 'object') {
    const socket = response.socket;
    setTimeout(() => socket?.destroy(), wire.dropAfterMilliseconds).unref();
    return;
  }
  if (wire === 'endless') {
    Readable.from(endlessly(body)).pipe(response.writeHead(status, headers));
    return;
  }
  response.writeHead(status, { 'content-length': body.length, 'cache-control': 'no-store', ...headers });
  if (wire === 'reset-mid-body') {
    response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.socket?.resetAndDestroy());
    return;
  }
  response.end(body);
}

function* endlessly(body: Buffer): Generator<Buffer> {
  yield body;
  const blanks = Buffer.alloc(maximumBodyBytes, ' ');
  for (;;) {
    yield blanks;
  }
}
