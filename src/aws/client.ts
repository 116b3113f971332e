/** Options that all clients of AWS have in common here, and the name of an error of theirs. */
import http from 'node:http';
import https from 'node:https';

/**
 * All clients share the connections of Node's global agents, which take the proxy of the environment, so none is ever
 * destroyed. Without timeouts, one unanswered request would use up the whole run. Times are milliseconds.
 */
export function buildAwsRequestHandler<Timeouts extends object>(timeouts: Timeouts) {
  return { httpAgent: http.globalAgent, httpsAgent: https.globalAgent, connectionTimeout: 5_000, ...timeouts };
}

export function buildAwsClientOptions() {
  return { requestHandler: buildAwsRequestHandler({ requestTimeout: 20_000 }) };
}

/** The name of an error. Its message is left out, since it contains accounts, roles and addresses. */
export function toSafeErrorName(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'Error' && error instanceof Error && /region is missing/i.test(error.message)) {
    return 'no region is set';
  }
  return /^[A-Za-z][A-Za-z0-9.]{2,80}$/.test(name) ? name : 'no reason given';
}
