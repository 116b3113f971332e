/** Turns an unexpected HTTP status into a code and a sentence that says what to do, without any of the body. */
import { type ErrorCode, MusterError } from '../errors.ts';

/** Statuses that a retry may resolve. */
const transientStatuses = new Set([408, 429, 500, 502, 503, 504]);

export function isTransient(status: number): boolean {
  return transientStatuses.has(status);
}

/** `why` is an allow-listed word that the platform's own reader took from the body. */
export function createRefusalError(status: number, who: string, name: string, why: string | undefined): MusterError {
  const [code, advice] = explainStatus(status);
  return new MusterError(code, `${who} answered ${status}${why === undefined ? '' : ` (${why})`}: ${name}. ${advice}`);
}

function explainStatus(status: number): [ErrorCode, string] {
  if (status >= 300 && status < 400) {
    return ['redirected', 'Redirects are not followed; put the final address in the settings.'];
  }
  switch (status) {
    case 401:
      return ['sign-in-refused', 'Check that the account or API client is enabled and its secret current.'];
    case 403:
      return ['permission-missing', 'Grant the read permission that README, "Connect your platforms", names for it.'];
    case 404:
      return ['not-found', 'Check the address and the names in the settings.'];
    case 429:
      return ['throttled', 'Requests are rate limited; run again later.'];
    case 408:
    case 504:
      return ['request-timed-out', 'The server timed out; it may be overloaded.'];
    default:
      return status >= 500
        ? ['request-failed', "See the server's log."]
        : ['request-refused', 'This request is not supported by this server version.'];
  }
}
