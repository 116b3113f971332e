/** Sending through AWS's own clients: bounded tries by our clock, and AWS's names for a refusal but not its sentences. */
import { toSafeErrorName } from '../../aws/failure.ts';
import { MusterError } from '../../errors.ts';
import { computeBackoff, maximumBackoffTries, parseRetryAfter } from '../../http/retry.ts';
import type { SendContext } from '../channel.ts';

/** Clients are made with these: we try again ourselves, and nobody waits for ever. */
export function buildAwsClientOptions(region: string | undefined, idle = 15_000) {
  return {
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 5_000, requestTimeout: idle, throwOnRequestTimeout: true },
    ...(region === undefined ? {} : { region }),
  };
}

/** The region that an ARN names. */
export function parseArnRegion(arn: string | undefined): string | undefined {
  return /^arn:[^:]+:[^:]+:([a-z0-9-]+):/.exec(arn ?? '')?.[1];
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

/** Undefined where trying again cannot help. */
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
    return new MusterError('permission-missing', `${who} refused it (${name}). The role needs ${action}.`);
  }
  const answered = status === undefined ? 'gave no answer' : `answered ${status}`;
  return new MusterError('channel-refused', `${who} did not take it: it ${answered} (${name}).`);
}

interface AwsError {
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: { readonly headers?: Readonly<Record<string, string>> };
}

function readErrorResponse(error: unknown): { readonly status: number | undefined; readonly header: string | null } {
  const { $metadata, $response }: AwsError = typeof error === 'object' && error !== null ? error : {};
  return { status: $metadata?.httpStatusCode, header: $response?.headers?.['retry-after'] ?? null };
}
