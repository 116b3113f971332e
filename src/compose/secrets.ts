/** The only reader of secrets: from a reference in the settings to its value. Values are never logged or kept in files. */
import { toSafeErrorName } from '../aws/failure.ts';
import { readFromParameterStore, readFromSecretsManager } from '../aws/secret-stores.ts';
import { MusterError } from '../errors.ts';
import { parseReference, type SecretReference } from '../settings/secret-references.ts';

/** Reads a secret; `again` asks its keeper once more, for when a platform says that the last value is wrong. */
export type SecretReader = (reference: string, again?: boolean) => Promise<string>;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What AWS keeps is asked for once, however many settings refer to it, and once more when a platform refuses it. The
 * values live as long as the reader.
 */
export function createSecretReader(environment: Environment): SecretReader {
  const held = new Map<string, Promise<string>>();
  const renewed = new Set<string>();

  function kept(reference: SecretReference, again: boolean): Promise<string> {
    const name = formatReference(reference);
    const before = held.get(name);
    if (before !== undefined && (!again || renewed.has(name))) {
      return before;
    }
    if (before !== undefined) {
      renewed.add(name);
    }
    const asked = fetchSecret(reference);
    held.set(name, asked);
    // A failure is not kept: whoever asks next asks AWS.
    asked.catch(() => held.delete(name));
    return asked;
  }

  return async (text, again = false) => {
    const reference = parseReference(text);
    // Public settings (a client id) may stand in the file itself.
    if (reference === undefined) {
      return text;
    }
    if (reference.from === 'env') {
      return readEnvironmentVariable(reference.name, environment);
    }
    return extractSecret(await kept(reference, again), reference);
  };
}

function readEnvironmentVariable(name: string, environment: Environment): string {
  const value = trimSecret(environment[name] ?? '');
  if (value === '') {
    throw new MusterError(
      'settings-invalid',
      `The environment variable ${name} is not set, though the settings refer to it as env:${name}.`,
    );
  }
  return value;
}

/** Editors and shells leave a byte order mark in front and a line break behind. */
function trimSecret(text: string): string {
  return text.replace(/^\uFEFF/, '').trim();
}

async function fetchSecret(reference: SecretReference): Promise<string> {
  const { from, name } = reference;
  const kept = await (from === 'aws-ssm' ? readFromParameterStore(name) : readFromSecretsManager(name)).catch(
    (error) => {
      const action = from === 'aws-ssm' ? 'ssm:GetParameter' : 'secretsmanager:GetSecretValue';
      throw new MusterError(
        'secret-unreadable',
        `AWS did not return the secret ${formatReference(reference)} (${toSafeErrorName(error)}). ` +
          `Check its name and region, and that the role may ${action} and kms:Decrypt.`,
      );
    },
  );
  return typeof kept === 'string' ? kept : decodeSecret(kept ?? new Uint8Array(), reference);
}

function decodeSecret(bytes: Uint8Array, reference: SecretReference): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw createSecretError(reference, 'contains bytes that are not text');
  }
}

function extractSecret(text: string, reference: SecretReference): string {
  const whole = trimSecret(text);
  if (whole === '') {
    throw createSecretError(reference, 'is empty');
  }
  const fields = parseJsonObject(whole);
  if (reference.jsonKey === undefined) {
    // Sent as it is, it would only be refused, and some platforms lock whoever is refused too often.
    if (fields !== undefined) {
      throw createSecretError(reference, 'contains a JSON object: name the key in it, as in #clientSecret');
    }
    return whole;
  }
  if (fields === undefined) {
    throw createSecretError(reference, `contains no JSON object, so it has no key "${reference.jsonKey}"`);
  }
  const value = Object.hasOwn(fields, reference.jsonKey) ? fields[reference.jsonKey] : undefined;
  if (typeof value !== 'string') {
    throw createSecretError(reference, `contains no text under the key "${reference.jsonKey}"`);
  }
  if (trimSecret(value) === '') {
    throw createSecretError(reference, `is empty under the key "${reference.jsonKey}"`);
  }
  return trimSecret(value);
}

function parseJsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.startsWith('{')) {
    return undefined;
  }
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function createSecretError(reference: SecretReference, why: string): MusterError {
  return new MusterError(
    'secret-unreadable',
    `The secret ${formatReference(reference)} ${why}. Nothing of it is shown here.`,
  );
}

function formatReference({ from, name }: SecretReference): string {
  return `${from}:${name}`;
}
