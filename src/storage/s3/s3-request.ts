/** A location in a bucket and its client, through which every request to S3 goes. */
import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { buildAwsRequestHandler } from '../../aws/client.ts';
import type { Clock } from '../../http/clock.ts';
import { type S3Operation, type S3Refusal, toS3Refusal } from './s3-errors.ts';

export interface S3Location {
  readonly bucket: string;
  /** Prefix without a slash at either end; empty for the whole bucket. */
  readonly prefix: string;
}

export interface S3Connection extends S3Location {
  readonly client: S3Client;
  /** `s3://bucket/prefix`, for messages. */
  readonly address: string;
}

/** Milliseconds without a byte in either direction before a request is abandoned. */
const idleTimeout = 30_000;
const maximumAttempts = 5;

export function createS3Client(): S3Client {
  return new S3Client({
    maxAttempts: maximumAttempts,
    requestHandler: buildAwsRequestHandler({ socketTimeout: idleTimeout }),
  });
}

/**
 * Lets the SDK repeat two passing refusals that it does not know: S3 may refuse both of two conditional writes at once
 * (409), and an answer to HEAD has no body that would name RequestTimeout or throttling (400 and 408).
 */
export function repeatPassingRefusals(client: S3Client): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        try {
          return await next(args);
        } catch (error) {
          if (error instanceof S3ServiceException) {
            const { httpStatusCode: status } = error.$metadata;
            const isUnexplained = commandName === 'HeadObjectCommand' && (status === 400 || status === 408);
            if (isUnexplained || status === 409) {
              error.$retryable = {};
            }
          }
          throw error;
        }
      },
    // Runs first in each repetition.
    { step: 'deserialize', priority: 'high' },
  );
}

/** Reports the Date header of every answer, also of refusals. */
export function reportServerDates({ client, address }: S3Connection, report: NonNullable<Clock['onServerDate']>): void {
  // The last step sees an answer before the SDK turns it into an error.
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const { headers } = result.response as { headers?: Record<string, string> };
      report(address, headers?.date);
      return result;
    },
    { step: 'deserialize', priority: 'low' },
  );
}

export function toFullKey({ prefix }: S3Location, key: string): string {
  return prefix === '' ? key : `${prefix}/${key}`;
}

export function toBucketAndKey(location: S3Location, key: string): { Bucket: string; Key: string } {
  return { Bucket: location.bucket, Key: toFullKey(location, key) };
}

/** The answer, or undefined where there is no such key. */
export function findAnswer<Answer>(
  { address }: S3Connection,
  step: S3Operation,
  sent: Promise<Answer>,
): Promise<Answer | undefined> {
  return sent.catch((error: unknown) => {
    const refusal = toS3Refusal(error, step, address);
    if (isMissing(refusal)) {
      return undefined;
    }
    throw refusal.error;
  });
}

export function requireAnswer<Answer>(
  { address }: S3Connection,
  step: S3Operation,
  sent: Promise<Answer>,
): Promise<Answer> {
  return sent.catch((error: unknown) => {
    throw toS3Refusal(error, step, address).error;
  });
}

export function isMissing({ status, code }: S3Refusal): boolean {
  return status === 404 && code !== 'NoSuchBucket';
}
