/** Parts of settings that a deployment looks at, of its own and of tenants'. Pure. */
import { normalize } from 'node:path';
import type { Settings } from '../../src/compose/read-settings.ts';
import { findSourceKind } from '../../src/compose/source-kinds.ts';

/** Settings that name a file that a run reads; the files are uploaded with the settings. */
const documentSettings = ['exemptions', 'acknowledged', 'notes'] as const;

export interface NamedDocument {
  readonly setting: (typeof documentSettings)[number];
  /** Relative to the settings. */
  readonly path: string;
}

export function listDocuments(settings: Settings): NamedDocument[] {
  return documentSettings.flatMap((setting) => {
    const path = settings[setting];
    return path === undefined ? [] : [{ setting, path: normalize(path) }];
  });
}

/** Of the tokens that the role of the run asks AWS for. */
export function listAudiences({ sources }: Settings): string[] {
  return sources.flatMap((source) => findSourceKind(source.platform).listAudiences?.(source) ?? []);
}

/** As one parameter of the deployment. */
export function joinNames(names: readonly string[]): string {
  return [...new Set(names)].sort().join(',');
}
