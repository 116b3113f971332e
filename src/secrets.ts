/** The only reader of secrets: from a reference in the settings to its value. Values are never logged or kept in files. */
import { MusterError } from './errors.ts';
import { readReference } from './settings/references.ts';

/** Reads a secret; `again` asks its keeper once more, for when a platform says that the last value is wrong. */
export type SecretReader = (reference: string, again?: boolean) => Promise<string>;

export function secretReader(environment: Readonly<Record<string, string | undefined>>): SecretReader {
  return async (text) => {
    const reference = readReference(text);
    // Public settings (a client id) may stand in the file itself.
    if (reference === undefined) return text;
    if (reference.from === 'env') return fromEnvironment(reference.name, environment);
    throw new MusterError(
      'settings-invalid',
      `The secret ${text} is kept in AWS, which this version does not read. Use env:NAME instead.`,
    );
  };
}

function fromEnvironment(name: string, environment: Readonly<Record<string, string | undefined>>): string {
  const value = (environment[name] ?? '').replace(/^\uFEFF/, '').trim();
  if (value === '') {
    throw new MusterError(
      'settings-invalid',
      `The environment variable ${name} is not set, though the settings refer to it as env:${name}.`,
    );
  }
  return value;
}
