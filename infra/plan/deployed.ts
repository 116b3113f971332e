/** The stack as it is deployed, by its template. Pure. */
import type { GivenOptions } from './options.ts';

export interface Resource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<Record<string, { readonly Value?: unknown }>>;
}

/** Settings that only an option of a deployment has said. */
export function readKeptOptions(deployed: Template | undefined): GivenOptions {
  const kept = deployed?.Outputs?.SetByOptions?.Value;
  return typeof kept === 'string' ? (JSON.parse(kept) as GivenOptions) : {};
}

/** The name of a bucket that the stack has. */
export function readBucketName(deployed: Template | undefined, resource: string): unknown {
  return deployed?.Resources[resource]?.Properties?.BucketName;
}
