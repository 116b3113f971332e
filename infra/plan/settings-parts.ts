/** Reads parts of settings that a deployment needs, from its own and the tenants'. Pure. */
import { normalize } from 'node:path';
import { findChannelKind } from '../../src/alerts/channel-kinds.ts';
import type { Settings } from '../../src/compose/read-settings.ts';
import { findSourceKind } from '../../src/compose/source-kinds.ts';
import { type ListName, listNames } from '../../src/core/facts/lists.ts';
import { isInBucket } from '../../src/settings/documents.ts';

/** Settings that name a file for a run; the files are uploaded with the settings. */
const documentSettings = ['exemptions', 'acknowledged', 'notes', 'publicKeys'] as const;

export interface NamedDocument {
  /** `lists.expected` or `lists.reporting` for a list of machines. */
  readonly setting: (typeof documentSettings)[number] | `lists.${ListName}`;
  /** Path relative to the settings. */
  readonly path: string;
}

/** Documents beside the settings; those in a bucket are read there. */
export function listDocuments(settings: Settings): NamedDocument[] {
  return listAddresses(settings)
    .filter(({ path }) => !isInBucket(path))
    .map(({ setting, path }) => ({ setting, path: normalize(path) }));
}

/** Documents that the run reads in buckets, as `s3://bucket/key`. */
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

/** Audiences of the tokens that the run's role requests from AWS. */
export function listAudiences({ sources, alerts }: Settings): string[] {
  return [
    ...sources.flatMap((source) => findSourceKind(source.platform).listAudiences?.(source) ?? []),
    ...alerts.channels.flatMap((channel) => findChannelKind(channel.type).listAudiences?.(channel) ?? []),
  ];
}

export function sortUnique(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort();
}
