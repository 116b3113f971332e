/** Parts of settings that a deployment looks at, of its own and of tenants'. Pure. */
import { normalize } from 'node:path';
import { findChannelKind } from '../../src/alerts/channel-kinds.ts';
import type { Settings } from '../../src/compose/read-settings.ts';
import { findSourceKind } from '../../src/compose/source-kinds.ts';
import { type ListName, listNames } from '../../src/core/facts/lists.ts';
import { isInBucket } from '../../src/settings/documents.ts';

/** Settings that name a file that a run reads; the files are uploaded with the settings. */
const documentSettings = ['exemptions', 'acknowledged', 'notes', 'publicKeys'] as const;

export interface NamedDocument {
  /** `lists.expected` or `lists.reporting` for a list of machines. */
  readonly setting: (typeof documentSettings)[number] | `lists.${ListName}`;
  /** Relative to the settings. */
  readonly path: string;
}

/** Those beside the settings; what lies in a bucket is read there. */
export function listDocuments(settings: Settings): NamedDocument[] {
  return listAddresses(settings)
    .filter(({ path }) => !isInBucket(path))
    .map(({ setting, path }) => ({ setting, path: normalize(path) }));
}

/** What the run reads in buckets, as `s3://bucket/key`. */
export function listBucketDocuments(settings: Settings): NamedDocument[] {
  return listAddresses(settings).filter(({ path }) => isInBucket(path));
}

function listAddresses(settings: Settings): NamedDocument[] {
  const people = documentSettings.map((setting) => ({ setting, path: settings[setting] }));
  const lists = listNames.flatMap((name) =>
    (settings.lists[name] ?? []).map(({ file }) => ({ setting: `lists.${name}` as const, path: file })),
  );
  return [...people, ...lists].flatMap(({ setting, path }) => (path === undefined ? [] : [{ setting, path }]));
}

/** Of the tokens that the role of the run asks AWS for. */
export function listAudiences({ sources, alerts }: Settings): string[] {
  return [
    ...sources.flatMap((source) => findSourceKind(source.platform).listAudiences?.(source) ?? []),
    ...alerts.channels.flatMap((channel) => findChannelKind(channel.type).listAudiences?.(channel) ?? []),
  ];
}

export function sortUnique(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort();
}
