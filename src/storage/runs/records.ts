/** The pointer, the manifest and their parts: their shapes, and reading them back without believing a byte of it. */

import { isUtf8 } from 'node:buffer';
import * as v from 'valibot';
import type { AlertEvent } from '../../core/alerts/alert-event.ts';
import type { Receipt } from '../../core/facts.ts';
import { type Soundness, soundnesses } from '../../core/vocabulary.ts';

import { MusterError } from '../../errors.ts';
import { type Signature, signatureAlgorithms } from '../signing/signer.ts';

/** `latest.json`: the commit point. */
export interface Pointer {
  readonly schema: 1;
  readonly slot: string;
  readonly attempt: string;
  readonly generation: number;
  /** Random, so that no two pointers ever have the same bytes. */
  readonly nonce: string;
  readonly manifest: string;
  readonly sha256: string;
  /** Runs that were taken back since the one that it names was published, oldest first. */
  readonly retracted?: readonly Retraction[];
}

export interface FileLink {
  readonly key: string;
  readonly sha256: string;
}

/** A run that was published and taken back: which, by whom, when and why. */
export interface Retraction extends ManifestLink {
  readonly slot: string;
  readonly attempt: string;
  readonly by: string;
  readonly at: string;
  readonly why: string;
  /** What the retraction has to send, and to remember. */
  readonly record: FileLink;
  readonly signature?: Signature;
}

export interface FileEntry {
  readonly key: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly rows?: number;
}

export interface ManifestLink {
  readonly manifest: string;
  readonly sha256: string;
}

/** A message as it is kept before it is sent, in the outbox of a run. */
export interface OutboxMessage {
  readonly channel: string;
  /** Of its channel, as a hash: nobody else gets the message. Missing in messages of older versions. */
  readonly address?: string;
  readonly part: number;
  /** Tells a receiver that it has had this message before; never another's. */
  readonly key: string;
  /** The run that had it to tell first; a later one can carry it on. */
  readonly slot: string;
  readonly attempt: string;
  readonly payload: unknown;
  /** What it says, where it may be folded into a later one. */
  readonly events?: readonly AlertEvent[];
  /** The first slot of those that were folded into it. */
  readonly foldedSince?: string;
  /** Alerts that opened and ended in what was folded into it. */
  readonly ended?: number;
}

/** What a channel of people gets with its next weekly summary. */
export interface HeldEvents {
  readonly channel: string;
  readonly address?: string;
  readonly since: string;
  readonly events: readonly AlertEvent[];
}

export interface Manifest {
  readonly schema: 1;
  readonly slot: string;
  readonly attempt: string;
  /** Of the pointer that was to name it; missing in manifests of versions before this was written down. */
  readonly generation?: number;
  /** The attempt of the same slot that this one takes the place of. */
  readonly replaces?: string;
  /** The slot's scheduled moment. */
  readonly moment: string;
  /** Muster's version. */
  readonly muster: string;
  readonly exit: 0 | 3;
  readonly sources: readonly { readonly name: string; readonly soundness: Soundness; readonly receipt: Receipt }[];
  readonly files: readonly FileEntry[];
  /** What the pointer named before: the chain of everything ever published. */
  readonly previous: ManifestLink | null;
  /** Nights kept beyond retention because a source's baseline is there, where the chain no longer reaches. */
  readonly baselines?: readonly ManifestLink[];
  /** Runs that were taken back before this one was published, and are still kept. */
  readonly retracted?: readonly Retraction[];
  /** Of everything above. */
  readonly signature?: Signature;
}

const sha256Schema = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const slotSchema = v.pipe(v.string(), v.isoDate());
const generationSchema = v.pipe(v.number(), v.integer(), v.minValue(1));
/** A name that stands in keys: of an attempt, of a channel. */
const keyPartSchema = v.pipe(v.string(), v.regex(/^[^./\\\0][^/\\\0]*$/));
const runKeySchema = v.pipe(
  v.string(),
  v.regex(/^runs\/[^/\\\0]+\/[^/\\\0]+\/[^\\\0]+$/),
  v.check((key) => key.split('/').every((part) => part !== '' && !part.startsWith('.'))),
);
const manifestLinkSchema = v.object({ manifest: runKeySchema, sha256: sha256Schema });

const signatureSchema = v.object({
  algorithm: v.picklist(signatureAlgorithms),
  value: v.pipe(v.string(), v.base64()),
});

const retractionSchema = v.object({
  ...manifestLinkSchema.entries,
  slot: slotSchema,
  attempt: keyPartSchema,
  by: v.string(),
  at: v.string(),
  why: v.string(),
  record: v.object({ key: runKeySchema, sha256: sha256Schema }),
  signature: v.optional(signatureSchema),
});

const pointerSchema = v.object({
  schema: v.literal(1),
  slot: slotSchema,
  attempt: keyPartSchema,
  generation: generationSchema,
  nonce: v.string(),
  manifest: runKeySchema,
  sha256: sha256Schema,
  retracted: v.optional(v.array(retractionSchema)),
});

const manifestSchema = v.object({
  schema: v.literal(1),
  slot: slotSchema,
  attempt: keyPartSchema,
  generation: v.optional(generationSchema),
  replaces: v.optional(v.string()),
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
  previous: v.nullable(manifestLinkSchema),
  baselines: v.optional(v.array(manifestLinkSchema)),
  retracted: v.optional(v.array(retractionSchema)),
  signature: v.optional(signatureSchema),
});

/** A message as any version wrote it; a payload is its channel's. */
export const outboxMessageSchema = v.looseObject({
  channel: keyPartSchema,
  address: v.optional(v.string()),
  part: v.number(),
  key: v.string(),
  slot: keyPartSchema,
  attempt: keyPartSchema,
  events: v.optional(v.array(v.looseObject({}))),
});

const outboxSchema = v.looseObject({
  messages: v.array(outboxMessageSchema),
  unread: v.optional(v.array(manifestLinkSchema)),
  held: v.optional(
    v.array(v.looseObject({ channel: v.string(), since: v.string(), events: v.array(v.looseObject({})) })),
  ),
});

export function parseOutbox(body: Buffer, where: string): unknown {
  return parseRecord(outboxSchema, body, where);
}

export function readPointer(body: Buffer, where: string): Pointer {
  return parseRecord(pointerSchema, body, where) as Pointer;
}

export function readManifest(body: Buffer, where: string): Manifest {
  return parseRecord(manifestSchema, body, where) as Manifest;
}

function parseRecord(schema: v.GenericSchema, body: Buffer, where: string): unknown {
  const value = parseStoredJson(body, where);
  refuseNewer(value, where);
  const result = v.safeParse(schema, value);
  if (result.success) {
    return result.output;
  }
  const path = result.issues[0].path?.map((item) => item.key).join('.') ?? '';
  throw createDamageError(where, `its ${path || 'contents'} is not what it should be`);
}

/** A record of a newer Muster is refused by name, so that it is never misread or overwritten. */
export function refuseNewer(value: unknown, where: string, known = 1): void {
  const schema = typeof value === 'object' && value !== null && 'schema' in value ? value.schema : undefined;
  if (typeof schema === 'number' && schema > known) {
    throw new MusterError(
      'store-newer',
      `${where} was written by a newer Muster (schema ${schema}; this one knows ${known}). Run the newer version; nothing was changed.`,
    );
  }
}

export function parseStoredJson(body: Buffer, where: string): unknown {
  requireUtf8(body, where);
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw createDamageError(where, 'it is not JSON');
  }
}

export function requireUtf8(bytes: Buffer, where: string): void {
  if (!isUtf8(bytes)) {
    throw createDamageError(where, 'it is not UTF-8 text');
  }
}

export function createDamageError(where: string, what: string): MusterError {
  return new MusterError(
    'store-damaged',
    `${where} is damaged: ${what}. Restore it from a backup or an older version.`,
  );
}

export function serializeRecord(record: object): Buffer {
  return Buffer.from(`${JSON.stringify(record, null, 2)}\n`);
}
