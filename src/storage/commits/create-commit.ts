/** Creates the next commit, which publishes a run as a whole. */
import { randomBytes } from 'node:crypto';
import { MusterError } from '../../base/errors.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { computeSha256 } from '../../base/sha256.ts';
import { toCommitKey } from '../keys.ts';
import { type Signing, signCommit } from '../signing/signing.ts';
import type { Store } from '../store.ts';
import { serializeRecord } from '../stored-json.ts';
import { toSignedText } from './check-signatures.ts';
import type { Commit, PublishedRun } from './commit.ts';
import { type LogTrust, readNextCommit } from './head.ts';

/** Fields of a run; the log adds the others. */
export type CommitBody = Omit<Commit, 'schema' | 'store' | 'number' | 'previous' | 'signature' | OptionalField> & {
  readonly [Name in OptionalField]?: Commit[Name] | undefined;
};

type OptionalField = 'keptFrom' | 'replaces' | 'retracts' | 'accepts' | 'prunes';

/** Makes the commit after the head, signed as the settings say. Throws `signing-failed`, also for an invalid signature. */
export async function makeNextCommit(
  body: CommitBody,
  head: PublishedRun | undefined,
  signing: Signing | undefined,
): Promise<PublishedRun> {
  const { number: last = 0, store = randomBytes(16).toString('hex'), keptFrom = '' } = head?.commit ?? {};
  const { at, slot, attempt, moment, muster, exit, sources, files, replaces, retracts, accepts, prunes } = body;
  const kept = [keptFrom, body.keptFrom ?? ''].sort().at(-1) || undefined;
  const unsigned: Commit = {
    schema: 2,
    store,
    number: last + 1,
    at,
    slot,
    attempt,
    moment,
    muster,
    exit,
    sources,
    files,
    ...omitUndefined({ keptFrom: kept, replaces, retracts, accepts, prunes }),
    previous: head === undefined ? null : { number: last, sha256: head.sha256 },
  };
  const signature = await signCommit(signing, unsigned, toSignedText(unsigned));
  const commit = { ...unsigned, ...omitUndefined({ signature }) };
  return { commit, sha256: computeSha256(serializeRecord(commit)) };
}

/** Times that the same bytes are created, because an error leaves open whether the commit exists. */
const maximumCreations = 3;

/** Creates the commit, and returns the one that is there now, checked: the same one, or another run's. */
export async function createCommit(
  store: Store,
  run: PublishedRun,
  head: PublishedRun | undefined,
  trust: LogTrust,
): Promise<PublishedRun> {
  const key = toCommitKey(run.commit.number);
  const body = serializeRecord(run.commit);
  for (let creations = 1; ; creations += 1) {
    try {
      await store.create(key, body);
      return run;
    } catch (error) {
      const stored = await store.read(key).catch((cause: unknown) => {
        throw createUnknownError(store, key, cause);
      });
      if (stored?.equals(body)) {
        return run;
      }
      const other = stored && (await readNextCommit(store, head, trust));
      if (other !== undefined) {
        return other;
      }
      if (creations === maximumCreations) {
        throw error;
      }
    }
  }
}

function createUnknownError({ name }: Store, key: string, cause: unknown): MusterError {
  return new MusterError(
    'publication-unknown',
    `Whether the run is published is not known: ${key} was created in ${name}, which did not answer, and it could not be read. Start the run again: it finds out, and finishes what is left.`,
    { cause },
  );
}
