/** What the names of files alone show. */
import type { Store } from '../../store.ts';
import { parseSlotFromKey } from '../keys.ts';
import { findAuditOnly } from './check-audit.ts';
import type { Damage } from './damage.ts';
import { findForeignFiles } from './find-foreign-files.ts';
import { type FoundRuns, listKnownManifests } from './find-runs.ts';
import { findSetBack } from './find-set-back.ts';

/** A pointer that was set back, files that nothing names, and runs that only the audit has. */
export async function checkKeys(store: Store, found: FoundRuns, audit: Store | undefined): Promise<Damage[]> {
  const { current, keys, lost, outside, oldest } = found;
  if (current === undefined) {
    return [];
  }
  const setBack = await findSetBack(store, found, current);
  const isSetBack = setBack.some(({ code }) => code === 'pointer-set-back');
  const later = keys.flatMap((key) => parseSlotFromKey(key) ?? []).filter((slot) => slot > current.pointer.slot);
  const known = new Set([...listKnownManifests(found), ...outside.map(({ link }) => link.manifest), ...lost]);
  return [
    ...setBack,
    ...findForeignFiles(found, new Set(isSetBack ? later : [])),
    ...(audit === undefined ? [] : await findAuditOnly(audit, known, oldest)),
  ];
}
