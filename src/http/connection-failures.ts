/** Explains a request without an answer: whether the server or the proxy in front of it is at fault, and what to do. */
import { MusterError } from '../base/errors.ts';
import { findProxy, listProxies } from './proxy.ts';

interface FailedRequest {
  readonly url: URL;
  /** The server's name in messages; `name` is the request's. */
  readonly who: string;
  readonly name: string;
}

export interface ProxyFailure {
  /** `the proxy http://proxy.example.com:3128 answered 407` */
  readonly sentence: string;
  readonly advice: string;
  /** True where the proxy refused, and would refuse again. */
  readonly isRefusal: boolean;
}

export function createConnectionError({ url, who, name }: FailedRequest, error: unknown): MusterError {
  const proxy = findProxy(url);
  const failure = findProxyFailure(error, proxy);
  if (failure !== undefined) {
    const { sentence, advice, isRefusal } = failure;
    return new MusterError(
      isRefusal ? 'intermediary-refused' : 'request-failed',
      `${who} could not be reached, since ${sentence}: ${name}. ${advice}`,
      // The cause omits the error itself: older versions of Node.js write the proxy's password into its message.
      { cause: Object.assign(new Error(sentence), { code: readNetworkCode(error) }) },
    );
  }
  return new MusterError(
    'request-failed',
    `${who} could not be reached or closed the connection: ${name}${nameProxy(proxy)} (${describeCause(error)}). ${adviseOnNetwork(error)}`,
    { cause: error },
  );
}

/** ` through the proxy http://proxy.example.com:3128`, or nothing. */
export function nameProxy(proxy: URL | undefined): string {
  return proxy === undefined ? '' : ` through the proxy ${proxy.origin}`;
}

/**
 * The failure of a proxy; undefined where the error concerns none. Without `proxy`, the error itself names it, as for a
 * client that does not report which server it contacted.
 */
export function findProxyFailure(error: unknown, proxy = findProxyOf(error)): ProxyFailure | undefined {
  const { code, syscall, statusCode, message = '' } = readDetails(error);
  if (proxy === undefined) {
    return undefined;
  }
  if (code === 'ERR_PROXY_TUNNEL' || code === 'EPROXY') {
    // Node.js gives the status as a number, Nodemailer at the end of its sentence.
    const status = Number(statusCode ?? /: (\d{3})$/.exec(message)?.[1]);
    return status >= 100
      ? describe(proxy, `answered ${status}`, status)
      : describe(proxy, 'opened no connection to the server');
  }
  return syscall === 'connect' || syscall === 'getaddrinfo'
    ? describe(proxy, `could not be reached (${code ?? 'no reason given'})`)
    : undefined;
}

function describe({ origin }: URL, what: string, status = 0): ProxyFailure {
  const isRefusal = status >= 400 && status < 500;
  return { sentence: `the proxy ${origin} ${what}`, advice: adviseOnProxy(status), isRefusal };
}

export function adviseOnProxy(status: number): string {
  if (status === 407) {
    return 'Put a current user and password into the address of the proxy (HTTPS_PROXY).';
  }
  return status > 0
    ? 'Ask who runs the proxy to let this machine reach the server, or name the server in NO_PROXY.'
    : 'Check that the proxy runs, and its address (HTTPS_PROXY).';
}

/** Finds the proxy by the host or the port in the error of a failed connection. */
function findProxyOf(error: unknown): URL | undefined {
  const { code, hostname, port } = readDetails(error);
  const proxies = listProxies();
  return code === 'ERR_PROXY_TUNNEL'
    ? proxies[0]
    : proxies.find((proxy) => hostname === proxy.hostname || port === readPort(proxy));
}

function readPort({ port, protocol }: URL): number {
  return Number(port || (protocol === 'https:' ? 443 : 80));
}

interface ErrorDetails {
  readonly code?: string;
  readonly syscall?: string;
  readonly hostname?: string;
  readonly port?: number;
  readonly statusCode?: number;
  readonly message?: string;
  readonly errors?: readonly ErrorDetails[];
}

/** Details of an error. Node.js tries all addresses of a name; the first failure is used for all. */
function readDetails(error: unknown): ErrorDetails {
  const details: ErrorDetails = typeof error === 'object' && error !== null ? error : {};
  return details.errors?.[0] ?? details;
}

const unknownAuthorityCodes: readonly (string | undefined)[] = [
  ...['SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ...['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT'],
];

function adviseOnNetwork(error: unknown): string {
  return unknownAuthorityCodes.includes(readNetworkCode(error))
    ? "Check the address; if the certificate is of an authority of your own, name that authority's file in NODE_EXTRA_CA_CERTS."
    : 'Check the address and the network.';
}

/** The error's code; for a failed TLS handshake also OpenSSL's reason, from the middle of its sentence. */
function describeCause(error: unknown): string {
  const { message = '', name = 'no reason given' } = error instanceof Error ? error : {};
  const [, reason] = /:SSL routines:[^:]*:([^:]+):/.exec(message) ?? [];
  return [readNetworkCode(error) ?? name, ...(reason === undefined ? [] : [reason])].join(': ');
}

/** The code of a network failure, such as `ECONNRESET`. */
export function readNetworkCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
