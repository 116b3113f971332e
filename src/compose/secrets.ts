/** The only reader of secrets: from a reference in the settings to its value. Values are never logged or kept in files. */
import { nameOf } from '../aws/failure.ts';
import { fromParameterStore, fromSecretsManager } from '../aws/secret-stores.ts';
import { MusterError } from '../errors.ts';
import { type Reference, readReference } from '../settings/references.ts';

/** Reads a secret; `again` asks its keeper once more, for when a platform says that the last value is wrong. */
export type SecretReader = (reference: string, again?: boolean) => Promise<string>;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What AWS keeps is asked for once, however many settings refer to it, and once more when a platform refuses it. The
 * values live as long as the reader.
 */
export function secretReader(environment: Environment): SecretReader {
  const held = new Map<string, Promise<string>>();
  const renewed = new Set<string>();

  function kept(reference: Reference, again: boolean): Promise<string> {
    const name = told(reference);
    const before = held.get(name);
    if (before !== undefined && (!again || renewed.has(name))) return before;
    if (before !== undefined) renewed.add(name);
    const asked = ask(reference);
    held.set(name, asked);
    // A failure is not kept: whoever asks next asks AWS.
    asked.catch(() => held.delete(name));
    return asked;
  }

  return async (text, again = false) => {
    const reference = readReference(text);
    // Public settings (a client id) may stand in the file itself.
    if (reference === undefined) return text;
    if (reference.from === 'env') return fromEnvironment(reference.name, environment);
    return usable(await kept(reference, again), reference);
  };
}

function fromEnvironment(name: string, environment: Environment): string {
  const value = cleaned(environment[name] ?? '');
  if (value === '') {
    throw new MusterError(
      'settings-invalid',
      `The environment variable ${name} is not set, though the settings refer to it as env:${name}.`,
    );
  }
  return value;
}

/** Editors and shells leave a byte order mark in front and a line break behind. */
function cleaned(text: string): string {
  return text.replace(/^\uFEFF/, '').trim();
}

async function ask(reference: Reference): Promise<string> {
  const { from, name } = reference;
  const kept = await (from === 'aws-ssm' ? fromParameterStore(name) : fromSecretsManager(name)).catch((error) => {
    const action = from === 'aws-ssm' ? 'ssm:GetParameter' : 'secretsmanager:GetSecretValue';
    throw new MusterError(
      'secret-unreadable',
      `AWS did not give the secret ${told(reference)} (${nameOf(error)}). ` +
        `Check its name and region, and that the role may ${action} and kms:Decrypt.`,
    );
  });
  return typeof kept === 'string' ? kept : textOf(kept ?? new Uint8Array(), reference);
}

function textOf(bytes: Uint8Array, reference: Reference): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unusable(reference, 'holds bytes that are no text');
  }
}

function usable(text: string, reference: Reference): string {
  const whole = cleaned(text);
  if (whole === '') throw unusable(reference, 'is empty');
  const fields = fieldsOf(whole);
  if (reference.jsonKey === undefined) {
    // Sent as it is, it would only be refused, and some platforms lock whoever is refused too often.
    if (fields !== undefined)
      throw unusable(reference, 'holds a JSON object: add the key that is meant, as in #clientSecret');
    return whole;
  }
  if (fields === undefined) throw unusable(reference, `holds no JSON object, so it has no key "${reference.jsonKey}"`);
  const value = Object.hasOwn(fields, reference.jsonKey) ? fields[reference.jsonKey] : undefined;
  if (typeof value !== 'string') throw unusable(reference, `holds no text under the key "${reference.jsonKey}"`);
  if (cleaned(value) === '') throw unusable(reference, `is empty under the key "${reference.jsonKey}"`);
  return cleaned(value);
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function unusable(reference: Reference, why: string): MusterError {
  return new MusterError('secret-unreadable', `The secret ${told(reference)} ${why}. Nothing of it is shown here.`);
}

function told({ from, name }: Reference): string {
  return `${from}:${name}`;
}
