/** A commit: what it says, how it is written, and reading it back. */

import * as v from 'valibot';
import { isRecord } from '../../base/is-record.ts';
import type { Receipt } from '../../core/facts/facts.ts';
import { soundnesses } from '../../core/facts/vocabulary.ts';
import { parseReportFile, toCopyKeys } from '../keys.ts';
import { signatureAlgorithms } from '../signing/signer.ts';
import { keyPartSchema, parseRecord, runKeySchema, sha256Schema } from '../stored-json.ts';

const slot = v.pipe(v.string(), v.isoDate());
const number = v.pipe(v.number(), v.integer(), v.minValue(1));

const fileSchema = v.object({
  key: runKeySchema,
  bytes: v.number(),
  sha256: sha256Schema,
  rows: v.exactOptional(v.number()),
});

const commitSchema = v.object({
  schema: v.literal(1),
  /** The id that the first commit made up: no commit holds in another store. */
  store: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
  number,
  kind: v.picklist(['run', 'retraction']),
  at: v.string(),
  slot,
  /** The folder of what this commit publishes: below `runs/<slot>/`. */
  attempt: keyPartSchema,
  /** The attempt of the same slot that this one takes the place of. */
  replaces: v.exactOptional(keyPartSchema),
  /** The slot's scheduled moment. */
  moment: v.string(),
  /** Muster's version. */
  muster: v.string(),
  exit: v.picklist([0, 3]),
  sources: v.array(
    v.looseObject({ name: v.string(), soundness: v.picklist(soundnesses), receipt: v.custom<Receipt>(isRecord) }),
  ),
  /** None of a retraction. */
  files: v.array(fileSchema),
  /** Runs of earlier slots were removed, and stay so. */
  keptFrom: v.exactOptional(slot),
  /** The number of the run that is shown from now on: of a run its own. */
  stands: number,
  previous: v.nullable(v.object({ number, sha256: sha256Schema })),
  /** Who retracted the run, and why. */
  by: v.exactOptional(v.string()),
  why: v.exactOptional(v.string()),
  /** From this number on, every commit is signed. */
  signedSince: v.exactOptional(number),
  /** Signs the text of everything above. */
  signature: v.exactOptional(
    v.object({ algorithm: v.picklist(signatureAlgorithms), value: v.pipe(v.string(), v.base64()) }),
  ),
});

export type FileEntry = Readonly<v.InferOutput<typeof fileSchema>>;

/** One entry of the log. It is created once, and never changed or removed. */
export type Commit = Readonly<v.InferOutput<typeof commitSchema>>;

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

/** A run's reports, and where their copies for people and query engines are. */
export function listReports({ commit }: PublishedRun) {
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
  return parseRecord(commitSchema, body, where);
}
