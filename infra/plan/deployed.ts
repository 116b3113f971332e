/** The deployed stack, read from its template. Pure. */
import type { GivenOptions } from './options.ts';

export interface Resource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

interface Parts {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<Record<string, { readonly Value?: unknown }>>;
}

export interface Template extends Parts {
  /** Settings that come from options of a deployment alone. */
  readonly options: GivenOptions;
}

type Parameters = Readonly<Record<string, { readonly Default?: string }>>;

/** Parses a template. A stack of an earlier version has parameters in places of today's values; their defaults are the values. */
export function parseTemplate(text: string): Template {
  const { Parameters = {} } = JSON.parse(text) as { readonly Parameters?: Parameters };
  const { Resources, Outputs = {} } = JSON.parse(text, (_key, value) => {
    const name = typeof value?.Ref === 'string' ? value.Ref : '';
    return Parameters[name]?.Default ?? value;
  }) as Parts;
  return { Resources, Outputs, options: readOptions(String(Outputs.SetByOptions?.Value ?? '{}'), Parameters) };
}

function readOptions(written: string, parameters: Parameters): GivenOptions {
  if (written.startsWith('{')) {
    return JSON.parse(written) as GivenOptions;
  }
  const toParameter = (name: string) => parameters[`${name.charAt(0).toUpperCase()}${name.slice(1)}`];
  const values = written.split(',').map((name) => [name, toParameter(name)?.Default]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** The name of a bucket of the stack; undefined where it has none. */
export function readBucketName(deployed: Template | undefined, resource: string): unknown {
  return deployed?.Resources[resource]?.Properties?.BucketName;
}
