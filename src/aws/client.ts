/** Options that all clients of AWS share here, and safe names of their errors. */
import http from 'node:http';
import https from 'node:https';
import { findProxyFailure } from '../http/connection-failures.ts';

/**
 * Options of the request handler; times are milliseconds. All clients share the connections of Node's global agents,
 * which hold the proxies, so that none is destroyed. Without timeouts, one unanswered request could take the whole run.
 */
export function buildAwsRequestHandler<Timeouts extends object>(timeouts: Timeouts) {
  return { httpAgent: http.globalAgent, httpsAgent: https.globalAgent, connectionTimeout: 5_000, ...timeouts };
}

export function buildAwsClientOptions() {
  return { requestHandler: buildAwsRequestHandler({ requestTimeout: 20_000 }) };
}

/** The name of an error, or the proxy at fault. Its message is omitted, since it contains accounts, roles and addresses. */
export function toSafeErrorName(error: unknown): string {
  const proxyFailure = findProxyFailure(error);
  if (proxyFailure !== undefined) {
    return proxyFailure.sentence;
  }
  const name = error instanceof Error ? error.name : '';
  if (name === 'Error' && error instanceof Error && /region is missing/i.test(error.message)) {
    return 'no region is set';
  }
  return /^[A-Za-z][A-Za-z0-9.]{2,80}$/.test(name) ? name : 'no reason given';
}
