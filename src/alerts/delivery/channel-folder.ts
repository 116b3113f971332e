/**
 * A channel's folder below `deliveries/`: which messages were sent or are being sent. Whoever can write to the store
 * may put any file there, so that damaged or unsigned ones, and those of another history, are skipped and reported.
 */
import { type ErrorCode, MusterError } from '../../base/errors.ts';
import type { Clock } from '../../http/clock.ts';
import type { PublishedRun } from '../../storage/commits/commit.ts';
import {
  type DeliveryRange,
  findRecordProblem,
  makeClaim,
  makeMark,
  parseClaim,
  parseMark,
  type Receiver,
} from '../../storage/deliveries/delivery-record.ts';
import { type DeliveryKey, parseDeliveryKey, toChannelFolder, toClaimKey, toMarkKey } from '../../storage/keys.ts';
import type { Signing } from '../../storage/signing/signing.ts';
import type { TrustedKeys } from '../../storage/signing/trusted-keys.ts';
import type { Store } from '../../storage/store.ts';
import { type ReportIgnored, readUnnamedFile, unnamedFileAdvice } from '../../storage/unnamed-files.ts';
import type { DeliveryLog } from './delivery-log.ts';

export interface FolderParts {
  readonly store: Store;
  readonly log: DeliveryLog;
  readonly clock: Clock;
  readonly signing?: Signing | undefined;
  readonly keys?: TrustedKeys | undefined;
  readonly report: ReportIgnored;
}

/** The progress of a channel in the log. */
export interface ChannelStanding {
  /** The number of the first commit that it lacks. */
  readonly first: number;
  /** The last commit of the first valid claim that begins with `first`. */
  readonly claimed: PublishedRun | undefined;
  /** The key of that claim; undefined where there is none. */
  readonly claimKey: string | undefined;
  /** The smallest number that no claim with that beginning has. */
  readonly nextTry: number;
  /** Keys that the last valid mark makes useless: earlier marks, and claims of commits up to it. */
  readonly superseded: readonly string[];
}

/** Claims with one beginning that are read and made; honest runs leave one for each run that was killed. */
const maximumTries = 100;

/** Reads a channel's progress. Marks before commit `from`, where it begins, belong to an earlier channel of its name. */
export async function readStanding(to: Receiver, from: number, parts: FolderParts): Promise<ChannelStanding> {
  const keys: (DeliveryKey & { readonly key: string })[] = [];
  for await (const key of parts.store.list(toChannelFolder(to.name))) {
    const parsed = parseDeliveryKey(key);
    if (parsed !== undefined) {
      keys.push({ ...parsed, key });
    }
  }
  let first = from;
  let superseded: readonly string[] = [];
  const marks = keys.flatMap((one) => (one.kind === 'mark' && one.last >= from ? [one] : []));
  // Looks up the newest commit once, however many marks are above the head.
  const isAbove = marks.some(({ last }) => last > parts.log.head.commit.number);
  const newest = isAbove ? await parts.log.findNewest() : parts.log.head.commit.number;
  for (const { key, last } of marks.sort((left, right) => right.last - left.last)) {
    if (last > newest) {
      ignore(key, to, parts, 'store-damaged', 'it names a commit that this log does not have.');
    } else if ((await readRecord(key, parseMark, last, to, parts)) !== undefined) {
      first = last + 1;
      superseded = keys.filter((one) => isSuperseded(one, last)).map((one) => one.key);
      break;
    }
  }
  const claims = keys
    .flatMap((one) => (one.kind === 'claim' && one.first === first && one.tryNumber <= maximumTries ? [one] : []))
    .sort((left, right) => left.tryNumber - right.tryNumber);
  const free = claims.findIndex(({ tryNumber }, index) => tryNumber !== index + 1);
  const nextTry = (free === -1 ? claims.length : free) + 1;
  for (const { key } of claims) {
    const claimed = await readRecord(key, parseClaim, first, to, parts);
    // Skips a claim whose message cannot be composed again. The later run of a claim above the head reads its own.
    if (claimed !== undefined && (isAboveHead(claimed, parts) || (await parts.log.hasEvents(claimed)))) {
      return { first, claimed, claimKey: key, nextTry, superseded };
    }
  }
  return { first, claimed: undefined, claimKey: undefined, nextTry, superseded };
}

function isSuperseded(key: DeliveryKey, marked: number): boolean {
  return (key.kind === 'mark' && key.last < marked) || (key.kind === 'claim' && key.first <= marked);
}

/** Files removed in one run at most, in case somebody has put thousands there. */
const mostRemovals = 20;

/** Removes superseded files. Where the store refuses, they stay without effect. */
export async function removeSuperseded({ superseded }: ChannelStanding, { store }: FolderParts): Promise<void> {
  try {
    for (const key of superseded.slice(0, mostRemovals)) {
      await store.remove(key);
    }
  } catch (error) {
    if (!(error instanceof MusterError)) {
      throw error;
    }
  }
}

function isAboveHead({ commit }: PublishedRun, { log }: FolderParts): boolean {
  return commit.number > log.head.commit.number;
}

function ignore(
  key: string,
  { name }: Receiver,
  { report }: Pick<FolderParts, 'report'>,
  ...[code, why]: readonly [ErrorCode, string]
): void {
  const sentence = `${key} was ignored, and ${name} is sent what it lacks: ${why}`;
  report(new MusterError(code, `${sentence} ${unnamedFileAdvice}`));
}

/** The commit at the end of a record's range; undefined where the record is invalid. `place` is the number in its key. */
async function readRecord(
  key: string,
  parse: typeof parseMark | typeof parseClaim,
  place: number,
  to: Receiver,
  parts: FolderParts,
): Promise<PublishedRun | undefined> {
  const { store, log, keys } = parts;
  return readUnnamedFile(
    async () => {
      const body = await store.read(key);
      if (body === undefined) {
        return undefined;
      }
      const record = parse(body, key);
      const last = await log.findCommit(record.last);
      const isInPlace = place === (record.record === 'mark' ? record.last : record.first);
      const problem = isInPlace ? findRecordProblem(record, to, last, keys) : 'its key names another number';
      if (problem !== undefined) {
        ignore(key, to, parts, 'store-damaged', `${problem}.`);
      }
      return problem === undefined ? last : undefined;
    },
    (code, why) => ignore(key, to, parts, code, why),
  );
}

/** Creates a claim and returns its key; undefined where another run was first. Throws `claims-exhausted`. */
export async function createClaim(
  to: Receiver,
  range: DeliveryRange,
  tryNumber: number,
  { store, clock, signing }: FolderParts,
): Promise<string | undefined> {
  if (tryNumber > maximumTries) {
    throw new MusterError(
      'claims-exhausted',
      `No message was sent to ${to.name}: below ${toChannelFolder(to.name)} are more than ${maximumTries} claims that begin with commit ${range.first}. Remove those that no Muster wrote; the next run sends the message.`,
    );
  }
  const key = toClaimKey(to.name, range.first, tryNumber);
  return (await create(store, key, await makeClaim(to, range, clock.now(), signing))) ? key : undefined;
}

/** Creates a mark; replaces an invalid file under its key. */
export async function createMark(to: Receiver, range: DeliveryRange, parts: FolderParts): Promise<void> {
  const { store, clock, signing } = parts;
  const key = toMarkKey(to.name, range.last.commit.number);
  const mark = await makeMark(to, range, clock.now(), signing);
  if (await create(store, key, mark)) {
    return;
  }
  if ((await readRecord(key, parseMark, range.last.commit.number, to, parts)) === undefined) {
    await store.remove(key);
    await store.create(key, mark);
  }
}

/** Creates a key; false where it is taken. */
export async function create(store: Store, key: string, body: Buffer): Promise<boolean> {
  try {
    await store.create(key, body);
    return true;
  } catch (error) {
    if (error instanceof MusterError && error.code === 'key-taken') {
      return false;
    }
    throw error;
  }
}
