/** The errors of each platform that a client should overcome by trying again. */
import type { Faults, SimulatedPlatform } from '../control/faults.ts';
import { type PlatformResponse, respondHtml, respondJson } from './response.ts';

type ServerErrorStatus = 502 | 503 | 504;

const defaultSlowPageLimit = 100;

/** The fault slow-pages: a page of more rows than its limit times out, after a while. */
export function refuseSlowPage(
  faults: Faults,
  platform: SimulatedPlatform,
  rowCount: number,
  endpoint?: string,
): PlatformResponse | undefined {
  const fault = faults.find(platform, 'slow-pages');
  const isTooLong = fault !== undefined && rowCount > (fault.number ?? defaultSlowPageLimit);
  return isTooLong && faults.inject(platform, 'slow-pages', endpoint) !== undefined
    ? { ...respondServerError(platform, 504), isSlow: true }
    : undefined;
}

export function respondServerError(platform: SimulatedPlatform, status: ServerErrorStatus): PlatformResponse {
  if (platform === 'jamf') {
    return respondHtml(
      status,
      '<html><head><title>Jamf Cloud - Timeout</title></head><body><h1>We are having trouble</h1><p>The server took too long to answer.</p></body></html>',
    );
  }
  const code = status === 504 ? 'GatewayTimeout' : 'ServiceUnavailable';
  return respondJson(status, {
    error: { code, message: 'An error has occurred', innerError: { 'request-id': 'sandbox' } },
  });
}

export function respondTooManyRequests(platform: SimulatedPlatform, headers: Record<string, string>): PlatformResponse {
  return platform === 'jamf'
    ? respondJson(429, { httpStatus: 429, errors: [] }, headers)
    : respondJson(429, { error: { code: 'TooManyRequests', message: 'Too many requests.' } }, headers);
}
