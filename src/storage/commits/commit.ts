/** A commit: what it says, how it is written, and reading it back. */

import * as v from 'valibot';
import type { Receipt } from '../../core/facts/facts.ts';
import { type Soundness, soundnesses } from '../../core/facts/vocabulary.ts';
import { parseReportFile, toCopyKeys } from '../keys.ts';
import { type Signature, signatureAlgorithms } from '../signing/signer.ts';
import { keyPartSchema, parseRecord, runKeySchema, sha256Schema } from '../stored-json.ts';

export interface FileEntry {
  readonly key: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly rows?: number;
}

/** One entry of the log. It is created once, and never changed or removed. */
export interface Commit {
  readonly schema: 1;
  /** The id that the first commit made up: no commit holds in another store. */
  readonly store: string;
  readonly number: number;
  readonly kind: 'run' | 'retraction';
  readonly at: string;
  readonly slot: string;
  /** The folder of what this commit publishes: below `runs/<slot>/`. */
  readonly attempt: string;
  /** The attempt of the same slot that this one takes the place of. */
  readonly replaces?: string;
  /** The slot's scheduled moment. */
  readonly moment: string;
  /** Muster's version. */
  readonly muster: string;
  readonly exit: 0 | 3;
  readonly sources: readonly { readonly name: string; readonly soundness: Soundness; readonly receipt: Receipt }[];
  /** None of a retraction. */
  readonly files: readonly FileEntry[];
  /** Runs of earlier slots were removed, and stay so. */
  readonly keptFrom?: string;
  /** The number of the run that is shown from now on: of a run its own. */
  readonly stands: number;
  readonly previous: { readonly number: number; readonly sha256: string } | null;
  /** Who retracted the run, and why. */
  readonly by?: string;
  readonly why?: string;
  /** From this number on, every commit is signed. */
  readonly signedSince?: number;
  /** Signs the text of everything above. */
  readonly signature?: Signature;
}

export interface StoredCommit {
  readonly commit: Commit;
  /** Lower-case hex, over its bytes. */
  readonly sha256: string;
}

/** A commit of the kind `run`. */
export type PublishedRun = StoredCommit;

export interface Retraction extends StoredCommit {
  /** The run that was taken back. */
  readonly run: PublishedRun;
}

/** The run that stands. */
export interface CurrentRun extends PublishedRun {
  /** The last commit, which the next one follows. */
  readonly head: StoredCommit;
  /** What was taken back since it was published, oldest first: it stands again. */
  readonly retractions: readonly Retraction[];
}

const slot = v.pipe(v.string(), v.isoDate());
const number = v.pipe(v.number(), v.integer(), v.minValue(1));

const commitSchema = v.object({
  schema: v.literal(1),
  store: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
  number,
  kind: v.picklist(['run', 'retraction']),
  at: v.string(),
  slot,
  attempt: keyPartSchema,
  replaces: v.optional(keyPartSchema),
  moment: v.string(),
  muster: v.string(),
  exit: v.picklist([0, 3]),
  sources: v.array(
    v.looseObject({
      name: v.string(),
      soundness: v.picklist(soundnesses),
      receipt: v.record(v.string(), v.unknown()),
    }),
  ),
  files: v.array(
    v.object({ key: runKeySchema, bytes: v.number(), sha256: sha256Schema, rows: v.optional(v.number()) }),
  ),
  keptFrom: v.optional(slot),
  stands: number,
  previous: v.nullable(v.object({ number, sha256: sha256Schema })),
  by: v.optional(v.string()),
  why: v.optional(v.string()),
  signedSince: v.optional(number),
  signature: v.optional(
    v.object({ algorithm: v.picklist(signatureAlgorithms), value: v.pipe(v.string(), v.base64()) }),
  ),
});

/** One of a run's reports, and where its copies for people and query engines are. */
export interface PublishedReport extends Pick<FileEntry, 'key' | 'sha256'> {
  readonly dated: string;
  readonly latest: string;
}

export function listReports({ commit }: PublishedRun): PublishedReport[] {
  return commit.files.flatMap(({ key, sha256 }) => {
    const file = parseReportFile(key);
    if (file === undefined) {
      return [];
    }
    const [dated, latest] = toCopyKeys(file, commit.slot);
    return [{ key, sha256, dated, latest }];
  });
}

export function parseCommit(body: Buffer, where: string): Commit {
  return parseRecord(commitSchema, body, where) as Commit;
}
