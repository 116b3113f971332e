/** JSON in a store: always written the same way, and validated when read back. */

import { isUtf8 } from 'node:buffer';
import * as v from 'valibot';
import { MusterError } from '../base/errors.ts';

/** Serialises a record as `jq` prints it, so that anybody can make the same bytes. */
export function serializeRecord(record: object): Buffer {
  return Buffer.from(`${JSON.stringify(record, null, 2)}\n`);
}

/** Parses a record; `known` is the schema number that it must have. */
export function parseRecord<Output>(
  schema: v.GenericSchema<unknown, Output>,
  body: Buffer,
  where: string,
  known = 1,
): Output {
  const value = parseStoredJson(body, where);
  refuseOtherSchema(value, where, known);
  const result = v.safeParse(schema, value);
  if (result.success) {
    return result.output;
  }
  const path = result.issues[0].path?.map((item) => item.key).join('.') ?? '';
  throw createDamageError(where, `its ${path || 'contents'} is not what it should be`);
}

/**
 * Refuses records of another version by name, so that none is misread or overwritten. A version that changes a schema
 * migrates here: it returns today's shape for the earlier version's records.
 */
export function refuseOtherSchema(value: unknown, where: string, known: number): void {
  const schema = typeof value === 'object' && value !== null && 'schema' in value ? value.schema : undefined;
  // If `schema` is not a number, the validation of the shape reports damage.
  if (typeof schema !== 'number' || !Number.isInteger(schema) || schema === known) {
    return;
  }
  const schemas = `(schema ${schema}; this one knows ${known})`;
  if (schema > known) {
    throw new MusterError(
      'store-newer',
      `${where} was written by a newer Muster ${schemas}. Run the newer version; nothing was changed.`,
    );
  }
  throw new MusterError(
    'store-older',
    `${where} was written by a development version of Muster ${schemas}. It is not migrated: name an empty store; nothing was changed.`,
  );
}

export function parseStoredJson(body: Buffer, where: string): unknown {
  requireUtf8(body, where);
  return parseJsonText(body.toString('utf8'), where, 'it is not JSON');
}

/** Levels of nested JSON: deeper values can be read, but overflow the stack of code that writes or compares them. */
const maximumLevels = 1000;

/** Parses JSON; `otherwise` is the error's half sentence for text that is not JSON. */
export function parseJsonText(text: string, where: string, otherwise: string): unknown {
  if (text.length > maximumLevels && countLevels(text) > maximumLevels) {
    throw createDamageError(where, `it has more than ${maximumLevels} levels of JSON`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw createDamageError(where, otherwise);
  }
}

/** The most brackets and braces that are open at once; meaningless for text that is not JSON. */
function countLevels(text: string): number {
  let open = 0;
  let most = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      at = findStringEnd(text, at);
    } else if (character === '[' || character === '{') {
      open += 1;
      most = Math.max(most, open);
    } else if (character === ']' || character === '}') {
      open -= 1;
    }
  }
  return most;
}

/** Index of the closing quote, which an even number of backslashes precedes. */
function findStringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text[before] === '\\') {
      before -= 1;
    }
    if ((end - before) % 2 === 1) {
      return end;
    }
  }
  return text.length;
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

export function isDamageError(error: unknown): error is MusterError {
  return error instanceof MusterError && (error.code === 'store-damaged' || error.code === 'log-damaged');
}

/** Undefined where the body is damaged, which verification reports. */
export async function ignoreDamage<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isDamageError(error)) {
      return undefined;
    }
    throw error;
  }
}

export const sha256Schema = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
/** A name inside keys, of an attempt or a channel. */
export const keyPartSchema = v.pipe(v.string(), v.regex(/^[^./\\\0][^/\\\0]*$/));
export const runKeySchema = v.pipe(
  v.string(),
  v.regex(/^runs\/[^/\\\0]+\/[^/\\\0]+\/[^\\\0]+$/),
  v.check((key) => key.split('/').every((part) => part !== '' && !part.startsWith('.'))),
);
