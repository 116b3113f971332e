/**
 * Conditional writes. S3 decides which write is first, but its answer can mislead: the SDK repeats a write whose answer
 * was lost, and S3 then refuses the repetition because of the first (412); of two writes at once, both may be refused
 * (409). So after a refusal Muster reads the object and decides by what is there.
 */
import { randomUUID } from 'node:crypto';
import { MusterError } from '../../base/errors.ts';
import type { Body, BodyDigest } from '../store.ts';
import { otherBucketAdvice, type S3Refusal } from './s3-errors.ts';
import { headObject, isMissing, type S3Connection, type S3Outcome, toBucketAndKey } from './s3-request.ts';
import { nonceMetadataName, writeObject } from './s3-write.ts';

/** What the key holds now: our write, what it was to replace, or another process's write. */
type KeyState = 'ours' | 'open' | 'taken';

const maximumConditionalTries = 8;
const firstDelay = 50;
const longestDelay = 2_000;

export async function createObject(connection: S3Connection, key: string, body: Body): Promise<BodyDigest> {
  const nonce = randomUUID();
  const step = { doing: 'Creating', key, action: 's3:PutObject' };
  const writing = { key, step, nonce, condition: { IfNoneMatch: '*' } } as const;
  const stored = await writeObject(connection, writing, body, (commit) =>
    settleWrite(connection, commit, () => readKeyState(connection, key, nonce)),
  );
  if (stored) {
    return stored;
  }
  throw new MusterError('key-taken', `${key} already exists in ${connection.address}; Muster never writes it twice.`);
}

/** Without a condition. Yet a multipart upload whose last answer was lost is unknown to S3 when it is completed again. */
export async function putObject(connection: S3Connection, key: string, body: Body): Promise<BodyDigest> {
  const nonce = randomUUID();
  const step = { doing: 'Writing', key, action: 's3:PutObject' };
  const readState = async (): Promise<KeyState> =>
    (await readKeyState(connection, key, nonce)) === 'ours' ? 'ours' : 'open';
  const stored = await writeObject(connection, { key, step, nonce }, body, (commit) =>
    settleWrite(connection, commit, readState),
  );
  if (stored) {
    return stored;
  }
  throw new MusterError('unexpected', `A write of ${key} did nothing. Please report this.`);
}

/** True when our write is there, false when another process was first. */
async function settleWrite(
  connection: S3Connection,
  commit: () => Promise<S3Outcome<unknown>>,
  readState: () => Promise<KeyState>,
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
    // Where the key cannot be read either, the first error says more than the second.
    const found = await readState().catch((error: unknown) => {
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
      throw refusal.status === 412 ? createConditionRefusedError(connection) : refusal.error;
    }
    const delay = connection.random() * Math.min(longestDelay, firstDelay * 2 ** tries);
    await connection.clock.sleep(delay, neverAborted);
  }
}

function createConditionRefusedError({ address }: S3Connection): MusterError {
  return new MusterError(
    'store-unsuited',
    `${address} refuses a conditional write whose condition is met. ${otherBucketAdvice}`,
  );
}

const neverAborted = new AbortController().signal;

/** Refusals that our own earlier write may have caused. */
function isInDoubt(refusal: S3Refusal): boolean {
  if (refusal.isUncertain || refusal.status === 412 || refusal.status === 409) {
    return true;
  }
  return isMissing(refusal);
}

async function readKeyState(connection: S3Connection, key: string, nonce: string): Promise<KeyState> {
  const step = { doing: 'Reading', key, action: 's3:GetObject' };
  const outcome = await headObject(connection, step, toBucketAndKey(connection, key));
  if ('answer' in outcome) {
    return outcome.answer.Metadata?.[nonceMetadataName] === nonce ? 'ours' : 'taken';
  }
  if (isMissing(outcome.refusal)) {
    return 'open';
  }
  throw outcome.refusal.error;
}
