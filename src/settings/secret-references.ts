/** Secret references: `env:NAME`, `aws-secret:NAME_OR_ARN#json-key`, `aws-ssm:/path`. A literal secret is refused. */
import * as v from 'valibot';
import { omitUndefined } from '../base/omit-undefined.ts';

export interface SecretReference {
  readonly from: 'env' | 'aws-secret' | 'aws-ssm';
  readonly name: string;
  /** A key of the secret where it holds a JSON object. */
  readonly jsonKey?: string;
}

/** Undefined when the text is not a reference. Callers must not put the text into a message: it may be the secret. */
export function parseReference(text: string): SecretReference | undefined {
  const match = /^(env|aws-secret|aws-ssm):(.+)$/s.exec(text);
  const from = match?.[1];
  const rest = match?.[2];
  if (rest === undefined) {
    return undefined;
  }
  if (from === 'env') {
    return /^[A-Za-z_][A-Za-z0-9_]*$/.test(rest) ? { from, name: rest } : undefined;
  }
  if (from === 'aws-ssm') {
    return /^\/?[A-Za-z0-9_./-]+$/.test(rest) ? { from, name: rest } : undefined;
  }
  const [name = '', jsonKey] = rest.split('#', 2);
  if (!/^[A-Za-z0-9/_+=.@:-]+$/.test(name)) {
    return undefined;
  }
  return omitUndefined({ from: 'aws-secret' as const, name, jsonKey: jsonKey || undefined });
}

export const mustBeReference =
  'must be a reference to a secret (env:NAME, aws-secret:NAME#key or aws-ssm:/path), never the secret itself';

/** A secret is always a reference. */
export const secretSchema = v.pipe(
  v.string(mustBeReference),
  v.check((text) => parseReference(text) !== undefined, mustBeReference),
  v.metadata({ isSecret: true }),
);

/** A public value, such as a client id: a reference or the value itself. */
export const publicSchema = v.pipe(v.string('must be text'), v.nonEmpty('must not be empty'));
