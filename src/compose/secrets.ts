/** The only reader of secrets: resolves a reference in the settings to its value. Values are never logged or kept in files. */
import { toSafeErrorName } from '../aws/client.ts';
import { readFromParameterStore, readFromSecretsManager } from '../aws/secret-stores.ts';
import { MusterError } from '../base/errors.ts';
import { isRecord } from '../base/is-record.ts';
import type { SecretProvider } from '../http/secrets.ts';
import { parseReference, type SecretReference } from '../settings/secret-references.ts';
import { type Environment, readVariable } from '../settings/tenants.ts';

/** Turns a reference into its provider, which reads the secret only when it is used. */
export type SecretReader = (reference: string) => SecretProvider;

/**
 * Makes a reader. It reads a secret of AWS once, however many settings refer to it, and again when a platform rejects
 * it. Values are kept as long as the reader.
 */
export function createSecretReader(environment: Environment): SecretReader {
  const secrets = new Map<string, Promise<string>>();
  const renewed = new Set<string>();

  function readSecret(reference: SecretReference, refresh: boolean): Promise<string> {
    const name = formatReference(reference);
    const known = secrets.get(name);
    if (known !== undefined && (!refresh || renewed.has(name))) {
      return known;
    }
    if (known !== undefined) {
      renewed.add(name);
    }
    const fetched = fetchSecret(reference);
    secrets.set(name, fetched);
    // Forgets a failure, so that the next reader asks AWS again.
    fetched.catch(() => secrets.delete(name));
    return fetched;
  }

  return (text) => async (refresh) => {
    const reference = parseReference(text);
    // Public settings, such as a client id, may be in the file itself.
    if (reference === undefined) {
      return text;
    }
    if (reference.from === 'env') {
      return readEnvironmentVariable(reference.name, environment);
    }
    return extractSecret(await readSecret(reference, refresh), reference);
  };
}

function readEnvironmentVariable(name: string, environment: Environment): string {
  const value = trimSecret(readVariable(environment, name) ?? '');
  if (value === '') {
    throw new MusterError(
      'settings-invalid',
      `The environment variable ${name} is not set, though the settings refer to it as env:${name}.`,
    );
  }
  return value;
}

/** Removes the byte-order mark and line break that editors and shells add. */
function trimSecret(text: string): string {
  return text.replace(/^\uFEFF/, '').trim();
}

async function fetchSecret(reference: SecretReference): Promise<string> {
  const { from, name } = reference;
  const value = await (from === 'aws-ssm' ? readFromParameterStore(name) : readFromSecretsManager(name)).catch(
    (error) => {
      const action = from === 'aws-ssm' ? 'ssm:GetParameter' : 'secretsmanager:GetSecretValue';
      throw new MusterError(
        'secret-unreadable',
        `AWS did not return the secret ${formatReference(reference)} (${toSafeErrorName(error)}). ` +
          `Check its name and region, and that the role may ${action} and kms:Decrypt.`,
      );
    },
  );
  return typeof value === 'string' ? value : decodeSecret(value ?? new Uint8Array(), reference);
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
    // Throws before sending it: the platform would refuse it, and some lock accounts after repeated refusals.
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
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
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
