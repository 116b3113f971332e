/**
 * A company's proxy on loopback: it alone knows where names lead, counts who asks for what, may ask for a password, and may
 * break TLS open with a certificate of its own, so that servers behind it can speak plain HTTP.
 */
import { createServer, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { listen } from '../http/loopback.ts';
import type { MadeCertificate } from './certificate.ts';

interface ProxyOptions {
  /** The server behind each `host:port`: `http://127.0.0.1:…`, or `tcp://127.0.0.1:…` for a tunnel that stays as it is. */
  readonly routes: Readonly<Record<string, string>>;
  /** With which TLS is broken open for servers of plain HTTP. */
  readonly certificate?: MadeCertificate;
  /** `user:password` */
  readonly password?: string;
}

export interface ForwardingProxy {
  readonly port: number;
  /** `CONNECT host:port` and `GET http://host/path`, in order of arrival, refused ones too. */
  readonly requests: string[];
  /** Closes every connection, and takes no more. */
  die(): Promise<void>;
}

export async function startForwardingProxy({ routes, certificate, password }: ProxyOptions): Promise<ForwardingProxy> {
  const requests: string[] = [];
  const tunnels = new Set<Duplex>();

  /** The status to answer with, or where the request goes. */
  function admit(request: IncomingMessage, place: string): number | URL {
    requests.push(`${request.method} ${request.url}`);
    const given = request.headers['proxy-authorization'];
    if (password !== undefined && given !== `Basic ${Buffer.from(password).toString('base64')}`) {
      return 407;
    }
    const target = routes[place];
    return target === undefined ? 403 : new URL(target);
  }

  const forward = (target: URL, request: IncomingMessage, response: ServerResponse) => {
    const { method, headers } = request;
    const path = (request.url ?? '').replace(/^http:\/\/[^/]+/, '');
    const onward = requestHttp(target, { method, headers, path, agent: false }, (answer) => {
      answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers));
    });
    request.pipe(onward.on('error', () => response.destroy()));
  };

  const server = createServer((request, response) => {
    const { host, port } = new URL(request.url ?? '');
    const admitted = admit(request, port === '' ? `${host}:80` : host);
    if (admitted instanceof URL) {
      forward(admitted, request, response);
    } else {
      response.writeHead(admitted).end('The proxy refuses, canary.');
    }
  });

  const breakOpen = createSecureServer(
    { ...(certificate && { cert: certificate.certificatePem, key: certificate.keyPem }) },
    (request, response) => {
      const target = routes[`${request.headers.host}:443`] ?? '';
      forward(new URL(target), request, response);
    },
  );

  server.on('connect', (request, socket) => {
    tunnels.add(socket.on('error', () => undefined));
    const admitted = admit(request, request.url ?? '');
    if (!(admitted instanceof URL)) {
      socket.end(`HTTP/1.1 ${admitted} Refused\r\nserver: canary\r\n\r\n`);
      return;
    }
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (admitted.protocol === 'http:') {
      breakOpen.emit('connection', socket);
      return;
    }
    const onward = connect(Number(admitted.port), admitted.hostname);
    tunnels.add(onward.on('error', () => socket.destroy()));
    socket.pipe(onward).pipe(socket);
  });

  const { origin, close } = await listen(server);
  return {
    port: Number(new URL(origin).port),
    requests,
    async die() {
      const closed = close();
      for (const tunnel of tunnels) {
        tunnel.destroy();
      }
      await closed;
    },
  };
}
