/** Sends through AWS's own clients: limits the attempts, and reports AWS's name for an error without its sentence. */
import { buildAwsRequestHandler, toSafeErrorName } from '../../aws/client.ts';
import { MusterError } from '../../base/errors.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { PassingFailure, parseRetryAfter } from '../../http/failures.ts';
import { retryBriefly } from '../../http/retry.ts';
import type { SendContext } from '../channel.ts';

/** Options of every client: none of its own retries, since Muster retries, and a limit on every wait. */
export function buildChannelClientOptions(region: string | undefined, idle = 15_000) {
  return {
    maxAttempts: 1,
    requestHandler: buildAwsRequestHandler({ requestTimeout: idle, throwOnRequestTimeout: true }),
    ...omitUndefined({ region }),
  };
}

/** The domain of every AWS service, for matching NO_PROXY. */
export const awsServer = new URL('https://amazonaws.com');

/** The region in an ARN; undefined where it has none. */
export function parseArnRegion(arn: string): string | undefined {
  return /^arn:[^:]+:[^:]+:([a-z0-9-]+):/.exec(arn)?.[1];
}

export async function callWithRetries<T>(
  who: string,
  action: string,
  call: (options: { abortSignal: AbortSignal }) => Promise<T>,
  sending: SendContext,
): Promise<T> {
  return retryBriefly(sending, async () => {
    try {
      return await call({ abortSignal: sending.signal });
    } catch (error) {
      const { $metadata, $response }: AwsError = typeof error === 'object' && error !== null ? error : {};
      const status = $metadata?.httpStatusCode;
      const name = toSafeErrorName(error);
      const failure = createChannelError(name, status, who, action);
      const isThrottled = status === 429 || /throttl|toomanyrequests/i.test(name);
      if (status !== undefined && status < 500 && !isThrottled) {
        throw failure;
      }
      const header = $response?.headers?.['retry-after'];
      throw new PassingFailure(failure, { retryAfter: parseRetryAfter(header, sending.clock.now()) });
    }
  });
}

function createChannelError(name: string, status: number | undefined, who: string, action: string): MusterError {
  if (/^(AccessDenied|AuthorizationError|NotAuthorized)/.test(name)) {
    return new MusterError('permission-missing', `${who} denied the request (${name}). Allow the role ${action}.`);
  }
  return status === undefined
    ? new MusterError('channel-unanswered', `${who} did not answer (${name}).`)
    : new MusterError('channel-refused', `${who} rejected the message (HTTP ${status}, ${name}).`);
}

interface AwsError {
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: { readonly headers?: Readonly<Record<string, string>> };
}
