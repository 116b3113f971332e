/** A place in a bucket, and how it is asked: every request to S3 goes through here. */
import { S3Client } from '@aws-sdk/client-s3';
import type { Clock } from '../../http/clock.ts';
import { type Refusal, refusalOf, type Step } from './s3-errors.ts';

export interface S3Location {
  readonly bucket: string;
  /** Without a slash at either end; empty for the whole bucket. */
  readonly prefix: string;
}

export interface Place extends S3Location {
  readonly client: S3Client;
  /** `s3://bucket/prefix`, for people. */
  readonly address: string;
  readonly clock: Pick<Clock, 'sleep'>;
  /** From 0 to 1, to spread what is tried again. */
  readonly random: () => number;
}

export type Outcome<Answer> = { readonly answer: Answer } | { readonly refusal: Refusal };

const connectWithin = 5_000;
/** Without a byte either way. */
const silentAtMost = 30_000;
const attempts = 5;

export function makeClient({ region, endpoint }: { region?: string; endpoint?: string }): S3Client {
  return new S3Client({
    ...(region === undefined ? {} : { region }),
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: !isAmazon(endpoint) }),
    maxAttempts: attempts,
    requestHandler: { connectionTimeout: connectWithin, socketTimeout: silentAtMost },
  });
}

/** Others rarely answer to a name for each bucket. */
function isAmazon(endpoint: string): boolean {
  return /\.amazonaws\.com(\.cn)?$/.test(URL.canParse(endpoint) ? new URL(endpoint).hostname : '');
}

export function fullKey({ prefix }: S3Location, key: string): string {
  return prefix === '' ? key : `${prefix}/${key}`;
}

export function target(place: Place, key: string): { Bucket: string; Key: string } {
  return { Bucket: place.bucket, Key: fullKey(place, key) };
}

/** What came back, or why not. */
export async function attempt<Answer>(place: Place, step: Step, send: () => Promise<Answer>): Promise<Outcome<Answer>> {
  try {
    return { answer: await send() };
  } catch (error) {
    return { refusal: refusalOf(error, step, place.address) };
  }
}

export async function must<Answer>(place: Place, step: Step, send: () => Promise<Answer>): Promise<Answer> {
  const outcome = await attempt(place, step, send);
  if ('refusal' in outcome) throw outcome.refusal.error;
  return outcome.answer;
}

export function isMissing({ status, code }: Refusal): boolean {
  return status === 404 && code !== 'NoSuchBucket';
}
