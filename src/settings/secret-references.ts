/** Secret references: `env:NAME`, `aws-secret:NAME_OR_ARN#json-key`, `aws-ssm:/path`. A literal secret is refused. */
import * as v from 'valibot';

export interface SecretReference {
  readonly from: 'env' | 'aws-secret' | 'aws-ssm';
  readonly name: string;
  /** A key of the secret where that is a JSON object. */
  readonly jsonKey?: string;
}

/** Forms of names, by the secret's place. */
const nameForms: Readonly<Record<SecretReference['from'], RegExp>> = {
  env: /^[A-Za-z_][A-Za-z0-9_]*$/,
  'aws-secret': /^[A-Za-z0-9/_+=.@:-]+$/,
  'aws-ssm': /^\/?[A-Za-z0-9_./-]+$/,
};

/** Parses a reference; undefined for other text, which callers must keep out of messages: it may be the secret. */
export function parseReference(text: string): SecretReference | undefined {
  const [, place, rest = ''] = /^(env|aws-secret|aws-ssm):(.+)$/s.exec(text) ?? [];
  if (place === undefined) {
    return undefined;
  }
  const from = place as SecretReference['from'];
  const [name = '', jsonKey] = from === 'aws-secret' ? rest.split('#', 2) : [rest];
  return nameForms[from].test(name) ? { from, name, ...(jsonKey && { jsonKey }) } : undefined;
}

type Path = readonly (string | number)[];

/** Lists every value that is neither a block nor a list, with its path. */
export function listValues(value: unknown, path: Path = []): { readonly path: Path; readonly value: unknown }[] {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, item]) =>
        listValues(item, [...path, Array.isArray(value) ? Number(key) : key]),
      )
    : [{ path, value }];
}

/** Every reference in the settings, with its path. */
export function listReferences(settings: object) {
  return listValues(settings).flatMap(({ path, value }) => {
    const reference = typeof value === 'string' ? parseReference(value) : undefined;
    return reference === undefined ? [] : [{ path, text: String(value), reference }];
  });
}

export const mustBeReference =
  'must be a reference to a secret (env:NAME, aws-secret:NAME#key or aws-ssm:/path), never the secret itself';

/** A secret, which must be a reference. */
export const secretSchema = v.pipe(
  v.string(mustBeReference),
  v.check((text) => parseReference(text) !== undefined, mustBeReference),
  v.metadata({ isSecret: true }),
);

/** A public value, such as a client id: a reference or the value itself. */
export const publicSchema = v.pipe(v.string('must be text'), v.nonEmpty('must not be empty'));
