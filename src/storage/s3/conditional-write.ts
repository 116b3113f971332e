/**
 * Writes on a condition. S3 decides who is first, but not everybody hears of it: a write whose answer got lost is sent
 * again by the SDK and then refused by itself (412), and two at once may both be told to come back (409). So a refusal
 * is only believed after a look at what is there now.
 */
import { randomUUID } from 'node:crypto';
import { HeadObjectCommand } from '@aws-sdk/client-s3';
import { MusterError } from '../../errors.ts';
import { computeSha256 } from '../runs/pack.ts';
import type { Body, BodyDigest } from '../store.ts';
import { otherBucketAdvice, type S3Refusal } from './s3-errors.ts';
import { readObject } from './s3-read.ts';
import { attemptRequest, isMissing, type S3Connection, type S3Outcome, toBucketAndKey } from './s3-request.ts';
import { nonceMetadataName, writeObject } from './s3-write.ts';

/** What is there now: our write, what it was to replace, or somebody else's. */
type KeyState = 'ours' | 'open' | 'taken';

const maximumConditionalTries = 8;
const firstDelay = 50;
const longestDelay = 2_000;

export async function createObject(place: S3Connection, key: string, body: Body): Promise<BodyDigest> {
  const nonce = randomUUID();
  const step = { doing: 'Creating', key, action: 's3:PutObject' };
  const writing = { key, step, nonce, condition: { IfNoneMatch: '*' } } as const;
  const stored = await writeObject(place, writing, body, (commit) =>
    settleWrite(place, commit, () => readKeyState(place, key, nonce)),
  );
  if (stored) {
    return stored;
  }
  throw new MusterError('key-taken', `${key} exists already in ${place.address}, and is never written twice.`);
}

/** Without a condition; still, an upload in parts whose last answer got lost is unknown when it is asked again. */
export async function putObject(place: S3Connection, key: string, body: Body): Promise<BodyDigest> {
  const nonce = randomUUID();
  const step = { doing: 'Writing', key, action: 's3:PutObject' };
  const look = async (): Promise<KeyState> => ((await readKeyState(place, key, nonce)) === 'ours' ? 'ours' : 'open');
  const stored = await writeObject(place, { key, step, nonce }, body, (commit) => settleWrite(place, commit, look));
  if (stored) {
    return stored;
  }
  throw new MusterError('unexpected', `A write of ${key} did nothing. Please report this.`);
}

/**
 * Contents never repeat under a swapped key (the pointer has a nonce), so contents like ours are ours. Ours, already
 * replaced by somebody who read it, counts as not done: whoever replaced it took it for published, and goes on from it.
 */
export async function swapObject(
  place: S3Connection,
  key: string,
  body: Buffer,
  expected: string | undefined,
): Promise<boolean> {
  const step = { doing: 'Swapping', key, action: 's3:PutObject' };
  const condition = expected === undefined ? ({ IfNoneMatch: '*' } as const) : { IfMatch: expected };
  const look = async (): Promise<KeyState> => {
    const held = await readObject(place, key);
    if (held && computeSha256(held.body) === computeSha256(body)) {
      return 'ours';
    }
    return held?.version === expected ? 'open' : 'taken';
  };
  return (
    (await writeObject(place, { key, step, condition }, body, (commit) => settleWrite(place, commit, look))) !==
    undefined
  );
}

/** True when our write is there, false when somebody else was first. */
async function settleWrite(
  place: S3Connection,
  commit: () => Promise<S3Outcome<unknown>>,
  look: () => Promise<KeyState>,
): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await commit();
    if ('answer' in outcome) {
      return true;
    }
    const { refusal } = outcome;
    if (!isInDoubt(refusal)) {
      throw refusal.error;
    }
    // Where nothing can be read either, the first refusal says more than the second.
    const found = await look().catch((error: unknown) => {
      throw refusal.isUncertain ? refusal.error : error;
    });
    if (found === 'ours') {
      return true;
    }
    if (found === 'taken') {
      return false;
    }
    const mayComeBack = refusal.status === 409 || refusal.status === 412;
    if (!mayComeBack || tries === maximumConditionalTries) {
      throw refusal.status === 412 ? createConditionRefusedError(place) : refusal.error;
    }
    const delay = place.random() * Math.min(longestDelay, firstDelay * 2 ** tries);
    await place.clock.sleep(delay, neverAborted);
  }
}

function createConditionRefusedError({ address }: S3Connection): MusterError {
  return new MusterError(
    'store-unsuited',
    `${address} refuses a write on a condition that holds. ${otherBucketAdvice}`,
  );
}

const neverAborted = new AbortController().signal;

/** Refusals that our own write, done already, may be the cause of. */
function isInDoubt(refusal: S3Refusal): boolean {
  if (refusal.isUncertain || refusal.status === 412 || refusal.status === 409) {
    return true;
  }
  return isMissing(refusal);
}

async function readKeyState(place: S3Connection, key: string, nonce: string): Promise<KeyState> {
  const step = { doing: 'Reading', key, action: 's3:GetObject' };
  const outcome = await attemptRequest(place, step, () =>
    place.client.send(new HeadObjectCommand(toBucketAndKey(place, key))),
  );
  if ('answer' in outcome) {
    return outcome.answer.Metadata?.[nonceMetadataName] === nonce ? 'ours' : 'taken';
  }
  if (isMissing(outcome.refusal)) {
    return 'open';
  }
  throw outcome.refusal.error;
}
