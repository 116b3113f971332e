/** Bodies out of S3. A connection that breaks in the middle is taken up again; a body that differs is never given on. */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import {
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
} from '@aws-sdk/client-s3';
import { MusterError } from '../../errors.ts';
import type { Held } from '../store.ts';
import { isMismatch, refusalOf, type Step } from './s3-errors.ts';
import { attempt, isMissing, type Place, target } from './s3-request.ts';

const maximumTries = 3;

export async function readObject(place: Place, key: string): Promise<Held | undefined> {
  const step = reading(key);
  for (let tries = 1; ; tries += 1) {
    const outcome = await attempt(place, step, () => get(place, key));
    if ('refusal' in outcome) {
      if (isMissing(outcome.refusal)) return undefined;
      throw outcome.refusal.error;
    }
    const { Body, ETag = '', LastModified = new Date(0) } = outcome.answer;
    try {
      const body = Buffer.from((await Body?.transformToByteArray()) ?? []);
      return { body, version: ETag, writtenAt: LastModified };
    } catch (error) {
      if (tries === maximumTries) throw brokenOff(place, step, error);
    }
  }
}

export async function* streamObject(place: Place, key: string): AsyncGenerator<Buffer> {
  const step = reading(key);
  const hash = createHash('sha256');
  let at = 0;
  let whole: GetObjectCommandOutput | undefined;
  for (let tries = 1; ; tries += 1) {
    const rest = whole === undefined ? {} : { Range: `bytes=${at}-`, IfMatch: whole.ETag };
    const outcome = await attempt(place, step, () => get(place, key, rest));
    if ('refusal' in outcome) {
      if (isMissing(outcome.refusal)) throw damaged(place, key, 'is missing');
      throw outcome.refusal.error;
    }
    whole ??= outcome.answer;
    let broken: unknown;
    try {
      for await (const piece of outcome.answer.Body as Readable) {
        hash.update(piece);
        at += piece.length;
        yield piece;
      }
    } catch (error) {
      broken = error;
    }
    if (!isMismatch(broken) && at === whole.ContentLength) break;
    if (isMismatch(broken) || tries === maximumTries) throw brokenOff(place, step, broken);
  }
  const expected = wholeSha256(whole);
  if (expected !== undefined && hash.digest('hex') !== expected) throw damaged(place, key, 'is damaged');
}

export async function digestOf(place: Place, key: string): Promise<string | undefined> {
  const outcome = await attempt(place, reading(key), () =>
    place.client.send(new HeadObjectCommand({ ...target(place, key), ChecksumMode: 'ENABLED' })),
  );
  if ('refusal' in outcome) {
    if (isMissing(outcome.refusal)) return undefined;
    throw outcome.refusal.error;
  }
  const kept = wholeSha256(outcome.answer);
  if (kept !== undefined) return kept;
  const hash = createHash('sha256');
  for await (const piece of streamObject(place, key)) hash.update(piece);
  return hash.digest('hex');
}

/** S3's own SHA-256 of the object, as hex; of an object made of parts it has none. */
function wholeSha256(answer: Pick<HeadObjectCommandOutput, 'ChecksumSHA256' | 'ChecksumType'>): string | undefined {
  const { ChecksumSHA256: kept, ChecksumType: type } = answer;
  if (kept === undefined || kept.includes('-') || type === 'COMPOSITE') return undefined;
  return Buffer.from(kept, 'base64').toString('hex');
}

function get(place: Place, key: string, rest: { Range?: string; IfMatch?: string | undefined } = {}) {
  return place.client.send(new GetObjectCommand({ ...target(place, key), ...rest, ChecksumMode: 'ENABLED' }));
}

function reading(key: string): Step {
  return { doing: 'Reading', key, action: 's3:GetObject' };
}

function brokenOff(place: Place, step: Step, error: unknown): MusterError {
  if (isMismatch(error)) return damaged(place, step.key, 'is damaged: it differs from the checksum that S3 has for it');
  return refusalOf(error, step, place.address).error;
}

export function damaged(place: Place, key: string, how: string): MusterError {
  return new MusterError('store-damaged', `${key} ${how} in ${place.address}. Run muster verify.`);
}
