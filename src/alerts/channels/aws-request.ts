/** Sending through AWS's own clients: a bounded number of attempts, and AWS's name for an error but not its sentence. */
import { toSafeErrorName } from '../../aws/failure.ts';
import { MusterError } from '../../errors.ts';
import { computeBackoff, maximumBackoffTries, parseRetryAfter } from '../../http/retry.ts';
import { omitUndefined } from '../../omit-undefined.ts';
import type { SendContext } from '../channel.ts';

/** Options of every client: no retries of its own, since Muster retries, and a limit on every wait. */
export function buildAwsClientOptions(region: string | undefined, idle = 15_000) {
  return {
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 5_000, requestTimeout: idle, throwOnRequestTimeout: true },
    ...omitUndefined({ region }),
  };
}

/** The region that an ARN names. */
export function parseArnRegion(arn: string): string | undefined {
  return /^arn:[^:]+:[^:]+:([a-z0-9-]+):/.exec(arn)?.[1];
}

export async function callWithRetries<T>(
  who: string,
  action: string,
  call: (options: { abortSignal: AbortSignal }) => Promise<T>,
  { clock, signal, deadline }: SendContext,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call({ abortSignal: signal });
    } catch (error) {
      if (signal.aborted) {
        throw signal.reason;
      }
      const failure = toChannelError(error, who, action);
      const wait = computeRetryWait(error, tries, clock.now());
      if (wait === undefined || tries >= maximumBackoffTries || clock.elapsed() + wait > deadline) {
        throw failure;
      }
      await clock.sleep(wait, signal);
    }
  }
}

/** Undefined where a retry cannot help. */
function computeRetryWait(error: unknown, tries: number, now: Date): number | undefined {
  const { status, header } = readErrorResponse(error);
  const isThrottled = status === 429 || /throttl|toomanyrequests/i.test(toSafeErrorName(error));
  if (status !== undefined && status < 500 && !isThrottled) {
    return undefined;
  }
  return parseRetryAfter(header, now) ?? computeBackoff(tries, Math.random());
}

function toChannelError(error: unknown, who: string, action: string): MusterError {
  const name = toSafeErrorName(error);
  const { status } = readErrorResponse(error);
  if (/^(AccessDenied|AuthorizationError|NotAuthorized)/.test(name)) {
    return new MusterError('permission-missing', `${who} denied the request (${name}). Allow the role ${action}.`);
  }
  const result = status === undefined ? `did not answer (${name})` : `rejected the message (HTTP ${status}, ${name})`;
  return new MusterError('channel-refused', `${who} ${result}.`);
}

interface AwsError {
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: { readonly headers?: Readonly<Record<string, string>> };
}

function readErrorResponse(error: unknown): { readonly status: number | undefined; readonly header: string | null } {
  const { $metadata, $response }: AwsError = typeof error === 'object' && error !== null ? error : {};
  return { status: $metadata?.httpStatusCode, header: $response?.headers?.['retry-after'] ?? null };
}
