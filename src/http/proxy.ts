/**
 * The proxies of a company's network, from HTTPS_PROXY, HTTP_PROXY and NO_PROXY. Node's global agents send every
 * request, and are the only place that holds the proxies: https://nodejs.org/api/http.html#built-in-proxy-support
 */
import http from 'node:http';
import https from 'node:https';
import { isDeepStrictEqual } from 'node:util';
import { MusterError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Proxies in Node's own form, also `no_proxy`. */
type Proxies = NonNullable<http.AgentOptions['proxyEnv']>;

/** Hosts that are never contacted through a proxy: this machine, and the addresses of a cloud's own credentials. */
const directHosts = [
  ...['localhost', '*.localhost', '127.0.0.0-127.255.255.255', '::1'],
  ...['169.254.169.254', 'fd00:ec2::254', '169.254.170.2', '169.254.170.23', 'fd00:ec2::23'],
];

/** Sets the proxies before the first request; the returned function removes them again. */
export function useProxies(environment: Environment): () => void {
  const proxies = readProxies(environment);
  const isInUse = [http.globalAgent, https.globalAgent].some((agent) => isDeepStrictEqual(readAgent(agent), proxies));
  // New agents would drop open connections.
  return isInUse ? () => undefined : http.setGlobalProxyFromEnv(proxies);
}

/** The proxy for an address; its `href` contains the password, and its `origin` is for messages. */
export function findProxy(url: URL): URL | undefined {
  const isSecure = url.protocol === 'https:';
  const proxies = readAgent(isSecure ? https.globalAgent : http.globalAgent);
  const proxy = isSecure ? proxies.https_proxy : proxies.http_proxy;
  return proxy === undefined || isDirect(url, proxies.no_proxy ?? '') ? undefined : new URL(proxy);
}

/** The proxies in use, for an error that does not name the server. */
export function listProxies(): URL[] {
  const { https_proxy: secure } = readAgent(https.globalAgent);
  const { http_proxy: plain } = readAgent(http.globalAgent);
  return [...new Set([secure, plain])].flatMap((address) => (address === undefined ? [] : [new URL(address)]));
}

/** The options of an agent, which Node's types omit for http. */
function readAgent(agent: http.Agent): Proxies {
  return (agent as https.Agent).options.proxyEnv ?? {};
}

function readProxies(environment: Environment): Proxies {
  return {
    ...omitUndefined({
      https_proxy: readProxyAddress('HTTPS_PROXY', environment),
      http_proxy: readProxyAddress('HTTP_PROXY', environment),
    }),
    no_proxy: [...directHosts, ...readExceptions(environment)].join(','),
  };
}

/** Reads a proxy's address. As in other programs, a lower-case name takes precedence, and an address without a scheme is http. */
function readProxyAddress(name: 'HTTPS_PROXY' | 'HTTP_PROXY', environment: Environment): string | undefined {
  const text = (environment[name.toLowerCase()] || environment[name] || '').trim();
  if (text === '') {
    return undefined;
  }
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  if (url !== null && isProxyAddress(url)) {
    return url.href;
  }
  throw new MusterError(
    'settings-invalid',
    `${name} is not the address of a proxy, such as http://proxy.example.com:3128. It may hold a password and is not shown. ` +
      'Correct it; in a user or password, write / @ : # ? and % as %2F %40 %3A %23 %3F %25.',
  );
}

/** Whether the address is usable. A path shows an unencoded slash in the password, whose beginning would become the host. */
function isProxyAddress({ protocol, username, password, pathname, search, hash }: URL): boolean {
  try {
    decodeURIComponent(username + password);
  } catch {
    return false;
  }
  return /^https?:$/.test(protocol) && pathname === '/' && search === '' && hash === '';
}

function readExceptions(environment: Environment): string[] {
  const words = (environment.no_proxy || environment.NO_PROXY || '').toLowerCase().split(/[\s,]+/);
  return words.filter((word) => word !== '').flatMap(toNodeExceptions);
}

/** Converts a word of NO_PROXY to Node's form: as in other programs, a name includes its subdomains, a network its addresses. */
function toNodeExceptions(word: string): string[] {
  const [, network = '', bits] = /^(\d+(?:\.\d+){3})\/(\d|[12]\d|3[0-2])$/.exec(word) ?? [];
  if (bits !== undefined) {
    const size = 2 ** (32 - Number(bits));
    const first = Math.floor(toNumber(network) / size) * size;
    return [`${toAddress(first)}-${toAddress(first + size - 1)}`];
  }
  const [, name] = /^\.?([^.*:[\]/][^*:[\]/]*)$/.exec(word) ?? [];
  return name === undefined || /^[\d.-]+$/.test(name) ? [word.replace(/^\[(.+)\]$/, '$1')] : [name, `*.${name}`];
}

/** Whether an address bypasses the proxy, by the same list as Node's agent; a test compares the two. */
function isDirect(url: URL, exceptions: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return exceptions.split(',').some((exception) => {
    const [first = '', last] = exception.split('-');
    return (
      ['*', host, `${host}:${port}`].includes(exception) ||
      (exception.startsWith('*.') && host.endsWith(exception.slice(1))) ||
      (last !== undefined && toNumber(first) <= toNumber(host) && toNumber(host) <= toNumber(last))
    );
  });
}

/** An IPv4 address as a number; NaN, which fails every comparison, for other texts. */
function toNumber(address: string): number {
  return /^\d+(\.\d+){3}$/.test(address)
    ? address.split('.').reduce((number, part) => number * 256 + Number(part), 0)
    : Number.NaN;
}

function toAddress(number: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
}
