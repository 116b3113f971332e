/** A location in a bucket and its client: every request to S3 goes through here. */
import {
  HeadObjectCommand,
  type HeadObjectCommandInput,
  type HeadObjectCommandOutput,
  S3Client,
} from '@aws-sdk/client-s3';
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { Clock } from '../../http/clock.ts';
import { type S3Operation, type S3Refusal, toS3Refusal } from './s3-errors.ts';

export interface S3Location {
  readonly bucket: string;
  /** Without a slash at either end; empty for the whole bucket. */
  readonly prefix: string;
}

export interface S3Connection extends S3Location {
  readonly client: S3Client;
  /** `s3://bucket/prefix`, for messages. */
  readonly address: string;
  readonly clock: Pick<Clock, 'sleep' | 'onServerDate'>;
  /** From 0 to 1, to spread retries. */
  readonly random: () => number;
}

export type S3Outcome<Answer> = { readonly answer: Answer } | { readonly refusal: S3Refusal };

const connectTimeout = 5_000;
/** Time without a byte in either direction. */
const idleTimeout = 30_000;
const maximumSdkAttempts = 5;

export function createS3Client({ region, endpoint }: { region?: string; endpoint?: string }): S3Client {
  return new S3Client({
    ...omitUndefined({
      region,
      endpoint,
      forcePathStyle: endpoint === undefined ? undefined : !isAmazon(endpoint),
    }),
    maxAttempts: maximumSdkAttempts,
    requestHandler: { connectionTimeout: connectTimeout, socketTimeout: idleTimeout },
  });
}

/** The Date header of every answer, also of refusals. */
export function reportServerDates({ client, clock, address }: S3Connection): void {
  if (clock.onServerDate === undefined) {
    return;
  }
  // The last step sees an answer before the SDK makes an error of it.
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const { headers } = result.response as { headers?: Record<string, string> };
      clock.onServerDate?.(address, headers?.date ?? null);
      return result;
    },
    { step: 'deserialize', priority: 'low' },
  );
}

/** Other servers rarely support a host name for each bucket. */
function isAmazon(endpoint: string): boolean {
  return /\.amazonaws\.com(\.cn)?$/.test(URL.canParse(endpoint) ? new URL(endpoint).hostname : '');
}

export function toFullKey({ prefix }: S3Location, key: string): string {
  return prefix === '' ? key : `${prefix}/${key}`;
}

export function toBucketAndKey(connection: S3Connection, key: string): { Bucket: string; Key: string } {
  return { Bucket: connection.bucket, Key: toFullKey(connection, key) };
}

/** The answer, or why there is none. */
export async function attemptRequest<Answer>(
  connection: S3Connection,
  step: S3Operation,
  send: () => Promise<Answer>,
): Promise<S3Outcome<Answer>> {
  try {
    return { answer: await send() };
  } catch (error) {
    return { refusal: toS3Refusal(error, step, connection.address) };
  }
}

const longestHeadDelay = 2_000;
const firstHeadDelay = 50;

/**
 * An answer to HEAD has no body, so the SDK cannot read the code of a refusal that passes (RequestTimeout, throttling:
 * HTTP 400) and does not repeat the request, as it does with every other. So Muster repeats it, as often as the SDK.
 */
export async function headObject(
  connection: S3Connection,
  step: S3Operation,
  input: HeadObjectCommandInput,
): Promise<S3Outcome<HeadObjectCommandOutput>> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await attemptRequest(connection, step, () => connection.client.send(new HeadObjectCommand(input)));
    if ('answer' in outcome || tries === maximumSdkAttempts || !unexplainedStatuses.has(outcome.refusal.status)) {
      return outcome;
    }
    const delay = connection.random() * Math.min(longestHeadDelay, firstHeadDelay * 2 ** tries);
    await connection.clock.sleep(delay, neverAborted);
  }
}

const unexplainedStatuses: ReadonlySet<number | undefined> = new Set([400, 408]);
const neverAborted = new AbortController().signal;

export async function requireAnswer<Answer>(
  connection: S3Connection,
  step: S3Operation,
  send: () => Promise<Answer>,
): Promise<Answer> {
  const outcome = await attemptRequest(connection, step, send);
  if ('refusal' in outcome) {
    throw outcome.refusal.error;
  }
  return outcome.answer;
}

export function isMissing({ status, code }: S3Refusal): boolean {
  return status === 404 && code !== 'NoSuchBucket';
}
