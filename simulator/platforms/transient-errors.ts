/** Errors of each platform that a client should overcome by retrying. */
import type { Faults } from './faults.ts';
import type { PlatformName } from './platforms.ts';
import { type PlatformResponse, Refusal, respondHtml, respondJson } from './response.ts';

type ServerErrorStatus = 502 | 503 | 504;

export interface TransientErrors {
  respondTooManyRequests(headers: Record<string, string>): PlatformResponse;
  respondServerError(status: ServerErrorStatus): PlatformResponse;
}

export const transientErrors: Readonly<Record<PlatformName, TransientErrors>> = {
  jamf: {
    respondTooManyRequests: (headers) => respondJson(429, { httpStatus: 429, errors: [] }, headers),
    respondServerError: (status) =>
      respondHtml(
        status,
        '<html><head><title>Jamf Cloud - Timeout</title></head><body><h1>We are having trouble</h1><p>The server took too long to answer.</p></body></html>',
      ),
  },
  graph: {
    respondTooManyRequests: (headers) =>
      respondJson(429, { error: { code: 'TooManyRequests', message: 'Too many requests.' } }, headers),
    respondServerError: (status) => {
      const code = status === 504 ? 'GatewayTimeout' : 'ServiceUnavailable';
      const innerError = { 'request-id': 'sandbox' };
      return respondJson(status, { error: { code, message: 'An error has occurred', innerError } });
    },
  },
};

const defaultSlowPageLimit = 100;

/** The fault slow-pages: a page of more rows than its limit times out, after a while. */
export function refuseSlowPage(faults: Faults, platform: PlatformName, rowCount: number, endpoint?: string): void {
  const fault = faults.find(platform, 'slow-pages');
  const isTooLong = fault !== undefined && rowCount > (fault.number ?? defaultSlowPageLimit);
  if (isTooLong && faults.inject(platform, 'slow-pages', endpoint) !== undefined) {
    throw new Refusal({ ...transientErrors[platform].respondServerError(504), isSlow: true });
  }
}
