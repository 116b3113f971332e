/** A commit: its fields, and its parser. Each commit is a run. */

import * as v from 'valibot';
import { isRecord } from '../../base/is-record.ts';
import { computeSha256 } from '../../base/sha256.ts';
import type { Receipt } from '../../core/facts/facts.ts';
import { soundnesses } from '../../core/facts/vocabulary.ts';
import { parseReportFile, toCopyKeys } from '../keys.ts';
import { signatureAlgorithms } from '../signing/signer.ts';
import {
  createDamageError,
  keyPartSchema,
  parseRecord,
  runKeySchema,
  serializeRecord,
  sha256Schema,
} from '../stored-json.ts';

const slot = v.pipe(v.string(), v.isoDate());
const number = v.pipe(v.number(), v.integer(), v.minValue(1));

const fileSchema = v.object({
  key: runKeySchema,
  bytes: v.number(),
  sha256: sha256Schema,
  rows: v.exactOptional(v.number()),
});

const by = v.string();
const why = v.string();

/** Fields in the order in which they are written. */
const commitSchema = v.object({
  schema: v.literal(2),
  /** Random id from the first commit, so that a commit is valid in one store only. */
  store: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
  number,
  at: v.string(),
  slot,
  /** The folder of its files: below `runs/<slot>/`. */
  attempt: keyPartSchema,
  /** The slot's scheduled moment. */
  moment: v.string(),
  /** Muster's version. */
  muster: v.string(),
  exit: v.picklist([0, 3]),
  sources: v.array(
    v.looseObject({ name: v.string(), soundness: v.picklist(soundnesses), receipt: v.custom<Receipt>(isRecord) }),
  ),
  files: v.array(fileSchema),
  /** The first slot that is kept; runs of earlier slots are released for good. */
  keptFrom: v.exactOptional(slot),
  /** The attempt of the same slot that this one replaces. */
  replaces: v.exactOptional(keyPartSchema),
  /** Set where a person took the run of a later slot back; this run shows the one before it once more. */
  retracts: v.exactOptional(v.object({ slot, by, why })),
  /** Set where a person overrode the anomaly check. */
  accepts: v.exactOptional(v.object({ by, why })),
  /** Set where a person confirmed the removal of all runs beyond the limit. */
  prunes: v.exactOptional(v.object({ by })),
  previous: v.nullable(v.object({ number, sha256: sha256Schema })),
  /** The signature of the text of all other fields. */
  signature: v.exactOptional(
    v.object({ algorithm: v.picklist(signatureAlgorithms), value: v.pipe(v.string(), v.base64()) }),
  ),
});

export type FileEntry = Readonly<v.InferOutput<typeof fileSchema>>;

/** One entry of the log. It is created once, and never changed or removed. */
export type Commit = Readonly<v.InferOutput<typeof commitSchema>>;

export interface PublishedRun {
  readonly commit: Commit;
  /** Lower-case hex, over the bytes of the commit. */
  readonly sha256: string;
}

/** Lists a run's reports with the places of their copies for people and query engines. */
export function listReports({ commit }: PublishedRun) {
  return commit.files.flatMap(({ key, bytes, sha256 }) => {
    const file = parseReportFile(key);
    if (file === undefined) {
      return [];
    }
    const [dated, latest] = toCopyKeys(file, commit.slot);
    return [{ key, bytes, sha256, dated, latest }];
  });
}

/** Parses a commit; throws `store-damaged` unless the bytes are those that Muster writes for these fields. */
export function parseCommit(body: Buffer, where: string): PublishedRun {
  const commit = parseRecord(commitSchema, body, where, 2);
  if (!serializeRecord(commit).equals(body)) {
    throw createDamageError(where, 'it is not written as Muster writes it');
  }
  return { commit, sha256: computeSha256(body) };
}
