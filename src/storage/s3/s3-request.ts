/** A place in a bucket, and how it is asked: every request to S3 goes through here. */
import { S3Client } from '@aws-sdk/client-s3';
import type { Clock } from '../../http/clock.ts';
import { type S3Operation, type S3Refusal, toS3Refusal } from './s3-errors.ts';

export interface S3Location {
  readonly bucket: string;
  /** Without a slash at either end; empty for the whole bucket. */
  readonly prefix: string;
}

export interface S3Connection extends S3Location {
  readonly client: S3Client;
  /** `s3://bucket/prefix`, for people. */
  readonly address: string;
  readonly clock: Pick<Clock, 'sleep'>;
  /** From 0 to 1, to spread what is tried again. */
  readonly random: () => number;
}

export type S3Outcome<Answer> = { readonly answer: Answer } | { readonly refusal: S3Refusal };

const connectTimeout = 5_000;
/** Without a byte either way. */
const idleTimeout = 30_000;
const maximumSdkAttempts = 5;

export function createS3Client({ region, endpoint }: { region?: string; endpoint?: string }): S3Client {
  return new S3Client({
    ...(region === undefined ? {} : { region }),
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: !isAmazon(endpoint) }),
    maxAttempts: maximumSdkAttempts,
    requestHandler: { connectionTimeout: connectTimeout, socketTimeout: idleTimeout },
  });
}

/** Others rarely answer to a name for each bucket. */
function isAmazon(endpoint: string): boolean {
  return /\.amazonaws\.com(\.cn)?$/.test(URL.canParse(endpoint) ? new URL(endpoint).hostname : '');
}

export function toFullKey({ prefix }: S3Location, key: string): string {
  return prefix === '' ? key : `${prefix}/${key}`;
}

export function toBucketAndKey(place: S3Connection, key: string): { Bucket: string; Key: string } {
  return { Bucket: place.bucket, Key: toFullKey(place, key) };
}

/** What came back, or why not. */
export async function attemptRequest<Answer>(
  place: S3Connection,
  step: S3Operation,
  send: () => Promise<Answer>,
): Promise<S3Outcome<Answer>> {
  try {
    return { answer: await send() };
  } catch (error) {
    return { refusal: toS3Refusal(error, step, place.address) };
  }
}

export async function requireAnswer<Answer>(
  place: S3Connection,
  step: S3Operation,
  send: () => Promise<Answer>,
): Promise<Answer> {
  const outcome = await attemptRequest(place, step, send);
  if ('refusal' in outcome) {
    throw outcome.refusal.error;
  }
  return outcome.answer;
}

export function isMissing({ status, code }: S3Refusal): boolean {
  return status === 404 && code !== 'NoSuchBucket';
}
