/** W2: which requests go through which proxy, and what is said when it refuses or is not there. */
import { createServer, request } from 'node:http';
import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { MusterError } from '../../src/base/errors.ts';
import { HttpClient } from '../../src/http/client.ts';
import { findProxyFailure } from '../../src/http/connection-failures.ts';
import { findProxy, useProxies } from '../../src/http/proxy.ts';
import { type ForwardingProxy, startForwardingProxy } from '../peers/forwarding-proxy.ts';
import { fakeClock, listen } from './loopback.ts';

/** What the environment says holds until the test ends. */
function use(environment: Readonly<Record<string, string>>): void {
  onTestFinished(useProxies(environment));
}

async function openProxy(options: Parameters<typeof startForwardingProxy>[0]): Promise<ForwardingProxy> {
  const proxy = await startForwardingProxy(options);
  onTestFinished(() => proxy.die());
  return proxy;
}

function clientOf(origin: string): HttpClient {
  const signal = new AbortController().signal;
  return new HttpClient({ who: 'The server', origin, clock: fakeClock(), signal, random: () => 1 });
}

const ask = (origin: string, path = '/') => clientOf(origin).send({ url: path }, ({ body }) => body.toString());
const failureOf = (sent: Promise<unknown>): Promise<MusterError> =>
  sent.then(
    () => new MusterError('unexpected', 'sent'),
    (error) => error,
  );

describe('where requests go [W2]', () => {
  const name = 'http://proxy.example.com:3128';
  const both = { HTTPS_PROXY: name, HTTP_PROXY: 'http://other.example.com' };

  test.each<[string, Readonly<Record<string, string>>, string, string | undefined]>([
    ['each protocol by its own variable', both, 'https://jamf.example.com', name],
    ['plain HTTP by the other', both, 'http://jamf.example.com', 'http://other.example.com'],
    ['without one for plain HTTP', { HTTPS_PROXY: name }, 'http://jamf.example.com', undefined],
    [
      'small letters first',
      { ...both, https_proxy: 'http://small.example.com:1' },
      'https://a.test',
      'http://small.example.com:1',
    ],
    ['an address without a scheme', { HTTPS_PROXY: 'proxy.example.com:3128' }, 'https://a.test', name],
    ['an empty variable', { HTTPS_PROXY: '' }, 'https://a.test', undefined],
    ['this machine', both, 'http://localhost:8080', undefined],
    ['this machine by its address', both, 'https://127.3.2.1', undefined],
    ['this machine by IPv6', both, 'https://[::1]:1', undefined],
    ['the address of metadata', both, 'http://169.254.169.254', undefined],
    ['the address of metadata by IPv6', both, 'http://[fd00:ec2::254]', undefined],
    ['credentials of a container', both, 'http://169.254.170.2', undefined],
    ['credentials of a pod', both, 'http://169.254.170.23', undefined],
    ['an excepted name', { ...both, NO_PROXY: 'a.test, Example.com' }, 'https://example.com', undefined],
    ['what is below it', { ...both, NO_PROXY: 'example.com' }, 'https://s3.example.com', undefined],
    ['what only ends like it', { ...both, NO_PROXY: 'example.com' }, 'https://badexample.com', name],
    ['a name with a dot', { ...both, no_proxy: '.example.com' }, 'https://a.example.com', undefined],
    ['a name with a star', { ...both, NO_PROXY: '*.example.com' }, 'https://a.example.com', undefined],
    ['a name with a port', { ...both, NO_PROXY: 'example.com:8443' }, 'https://example.com:8443', undefined],
    ['the same name at another port', { ...both, NO_PROXY: 'example.com:8443' }, 'https://example.com', name],
    ['an address', { ...both, NO_PROXY: '10.1.2.3' }, 'https://10.1.2.3', undefined],
    ['a network', { ...both, NO_PROXY: '10.0.0.0/8' }, 'https://10.255.1.1', undefined],
    ['what lies outside it', { ...both, NO_PROXY: '10.0.0.0/8' }, 'https://11.0.0.1', name],
    ['an IPv6 address', { ...both, NO_PROXY: '[fd00::1]' }, 'https://[fd00::1]', undefined],
    ['everything', { ...both, NO_PROXY: '*' }, 'https://example.com', undefined],
  ])('%s', (_what, environment, address, proxy) => {
    use(environment);
    expect(findProxy(new URL(address))?.origin).toBe(proxy);
  });

  it.each([
    'socks5://proxy.example.com',
    'http://',
    'proxy example',
    'http://anna:canary%@proxy.example.com:3128',
    'http://anna:12/canary@proxy.example.com:3128',
    'http://anna:canary#1@proxy.example.com:3128',
  ])('%s is refused, and not shown', (text) => {
    const failure = expect(() => useProxies({ HTTPS_PROXY: text }));
    failure.toThrow(
      expect.objectContaining({ code: 'settings-invalid', message: expect.stringMatching(/^HTTPS_PROXY is not/) }),
    );
    failure.not.toThrow(/canary|anna/);
  });

  it('Node decides as findProxy says', () => {
    use({ HTTP_PROXY: 'proxy.example.com:3128', NO_PROXY: 'a.test .b.test,*.d.test c.test:81,10.0.0.0/8,[fd00::1]' });
    const names = ['a.test', 'x.a.test', 'xa.test', 'b.test', 'x.b.test', 'xb.test', 'd.test', 'x.d.test', 'c.test'];
    const addresses = [
      '10.0.0.0',
      '10.255.255.255',
      '9.255.255.255',
      '11.0.0.0',
      '[fd00::1]',
      '[fd00::2]',
      '169.254.169.254',
    ];
    const hosts = [...names, ...addresses, 'localhost', 'x.localhost', '127.0.0.1', '127.1.2.3', '128.0.0.1', '[::1]'];
    for (const url of hosts.flatMap((host) => [new URL(`http://${host}`), new URL(`http://${host}:81`)])) {
      // To a proxy, Node writes the whole address into the request; nobody is asked before this is destroyed.
      const asked = request(url, { lookup: () => undefined }).on('error', () => undefined);
      expect([url.host, asked.path.startsWith('http://')]).toEqual([url.host, findProxy(url) !== undefined]);
      asked.destroy();
    }
  });
});

describe('a proxy that fails [W2] [H24]', () => {
  const origin = 'https://jamf.muster.example';

  it('is named when it refuses the password, which is not shown', async () => {
    const proxy = await openProxy({ routes: {}, password: 'anna:right' });
    use({ HTTPS_PROXY: `http://anna:canary@127.0.0.1:${proxy.port}` });
    const failure = await failureOf(ask(origin));
    expect([failure.code, failure.message]).toEqual([
      'intermediary-refused',
      `The server could not be reached, since the proxy http://127.0.0.1:${proxy.port} answered 407: GET ${origin}/. Put a current user and password into the address of the proxy (HTTPS_PROXY).`,
    ]);
    expect(inspect(failure)).not.toContain('canary');
    expect(proxy.requests).toEqual(['CONNECT jamf.muster.example:443']);
  });

  it('is named when it refuses the server', async () => {
    const proxy = await openProxy({ routes: {} });
    use({ HTTPS_PROXY: `127.0.0.1:${proxy.port}` });
    const { code, message } = await failureOf(ask(origin));
    expect([code, message]).toEqual(['intermediary-refused', expect.stringMatching(/answered 403: .* NO_PROXY\.$/)]);
    expect(message).not.toContain('canary');
  });

  it('is named when it is not there, and no server is blamed', async () => {
    const proxy = await startForwardingProxy({ routes: {} });
    await proxy.die();
    use({ HTTPS_PROXY: `127.0.0.1:${proxy.port}` });
    const { code, message } = await failureOf(ask(origin));
    expect([code, message]).toEqual([
      'request-failed',
      expect.stringMatching(
        /since the proxy http:\/\/127\.0\.0\.1:\d+ could not be reached \(ECONNREFUSED\): .* Check that the proxy runs/,
      ),
    ]);
  });

  it('is named when its name is nobody’s', () => {
    use({ HTTPS_PROXY: 'http://proxy.example.com:3128' });
    const error = Object.assign(new Error(), {
      code: 'ENOTFOUND',
      syscall: 'getaddrinfo',
      hostname: 'proxy.example.com',
    });
    expect(findProxyFailure(error)?.sentence).toBe(
      'the proxy http://proxy.example.com:3128 could not be reached (ENOTFOUND)',
    );
  });

  it('is named when it hangs up', async () => {
    const rude = createServer().on('connect', (_, socket) => socket.end());
    const { origin: address, close } = await listen(rude);
    onTestFinished(close);
    use({ HTTPS_PROXY: address });
    const { code, message } = await failureOf(ask(origin));
    expect([code, message]).toEqual([
      'request-failed',
      expect.stringContaining(
        `since the proxy ${address} opened no connection to the server: GET ${origin}/. Check that`,
      ),
    ]);
  });

  it('is named when it dies in the middle', async () => {
    const proxy: ForwardingProxy = await openProxy({ routes: { 'jamf.muster.example:443': 'tcp://127.0.0.1:1' } });
    use({ HTTPS_PROXY: `127.0.0.1:${proxy.port}` });
    expect((await failureOf(ask(origin))).message).toContain(`through the proxy http://127.0.0.1:${proxy.port}`);
  });
});
