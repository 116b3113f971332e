/**
 * Claims and marks: the message that a channel is being sent, or was sent, and its commits. Each is created once and
 * names the commit at the end of its range by SHA-256, so that a record of another history is invalid.
 */
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { PublishedRun } from '../commits/commit.ts';
import { signatureAlgorithms } from '../signing/signer.ts';
import { type Signing, signCommit } from '../signing/signing.ts';
import { judgeSignature, type SignatureVerdict, type TrustedKeys } from '../signing/trusted-keys.ts';
import { keyPartSchema, parseRecord, serializeRecord, sha256Schema } from '../stored-json.ts';

const number = v.pipe(v.number(), v.integer(), v.minValue(1));

const shared = {
  schema: v.literal(1),
  channel: keyPartSchema,
  /** A hash of the receiver's address. */
  address: v.exactOptional(v.string()),
  /** Numbers of the first and last commit that the message covers. */
  first: number,
  last: number,
  /** The SHA-256 of the last commit. */
  sha256: sha256Schema,
  at: v.string(),
};
const signature = v.exactOptional(
  v.object({ algorithm: v.picklist(signatureAlgorithms), value: v.pipe(v.string(), v.base64()) }),
);

/** Fields in the order in which they are written; `record` distinguishes the two. */
const claimSchema = v.object({ ...shared, record: v.literal('claim'), by: v.string(), signature });
const markSchema = v.object({ ...shared, record: v.literal('mark'), signature });

export type Claim = Readonly<v.InferOutput<typeof claimSchema>>;
export type Mark = Readonly<v.InferOutput<typeof markSchema>>;
type DeliveryRecord = Claim | Mark;

export interface DeliveryRange {
  readonly first: number;
  readonly last: PublishedRun;
}

export interface Receiver {
  readonly name: string;
  readonly address?: string;
}

export async function makeClaim(to: Receiver, range: DeliveryRange, at: Date, signing: Signing | undefined) {
  return sign({ ...describe(to, range, at), record: 'claim', by: randomUUID() }, range, signing);
}

export async function makeMark(to: Receiver, range: DeliveryRange, at: Date, signing: Signing | undefined) {
  return sign({ ...describe(to, range, at), record: 'mark' }, range, signing);
}

function describe({ name, address }: Receiver, { first, last: { commit, sha256 } }: DeliveryRange, at: Date) {
  return {
    schema: 1,
    channel: name,
    ...omitUndefined({ address }),
    first,
    last: commit.number,
    sha256,
    at: at.toISOString(),
  } as const;
}

async function sign(record: DeliveryRecord, { last }: DeliveryRange, signing: Signing | undefined): Promise<Buffer> {
  const text = toSignedText(record);
  const made = await signCommit(signing, last.commit, text, 'The message is not marked as sent');
  return serializeRecord({ ...record, ...omitUndefined({ signature: made }) });
}

function toSignedText({ signature: _, ...record }: DeliveryRecord): Buffer {
  return serializeRecord(record);
}

/** Throws `store-damaged` unless it is a claim as Muster writes it, and refuses another schema. */
export function parseClaim(body: Buffer, where: string): Claim {
  return parseRecord(claimSchema, body, where);
}

export function parseMark(body: Buffer, where: string): Mark {
  return parseRecord(markSchema, body, where);
}

/** Half a sentence about a record of another commit or receiver, or not signed as the settings say; otherwise undefined. */
export function findRecordProblem(
  record: DeliveryRecord,
  { name, address }: Receiver,
  last: PublishedRun | undefined,
  keys: TrustedKeys | undefined,
): string | undefined {
  if (record.channel !== name || record.address !== address) {
    return 'it is of another channel or address';
  }
  if (last === undefined || last.sha256 !== record.sha256 || record.first > record.last) {
    return 'it names a commit that this log does not have';
  }
  const { number: at, store } = last.commit;
  const signed = { number: at, store, text: toSignedText(record), signature: record.signature };
  return keys && signatureProblems[judgeSignature(keys, signed)];
}

const signatureProblems: Readonly<Record<SignatureVerdict, string | undefined>> = {
  'not-required': undefined,
  valid: undefined,
  missing: 'it carries no signature',
  invalid: 'its signature does not hold',
  'other-store': 'it is of another store',
};
