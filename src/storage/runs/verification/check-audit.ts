/** Manifests beside their copies where nobody can change them. */
import { MusterError } from '../../../errors.ts';
import type { Store } from '../../store.ts';
import { isManifestKey, toComparableSlot } from '../keys.ts';
import type { ManifestLink } from '../records.ts';
import type { Damage } from './damage.ts';

/** Each manifest that was published: there, and the same. */
export async function checkAuditCopies(audit: Store, links: readonly ManifestLink[]): Promise<Damage[]> {
  return readAudit(audit, async () => {
    const damage: Damage[] = [];
    for (const { manifest, sha256 } of links) {
      const found = await audit.digest(manifest);
      if (found === undefined) {
        damage.push({
          code: 'audit-missing',
          message: `${manifest} is missing in ${audit.name}; the next run copies it.`,
        });
      } else if (found !== sha256) {
        damage.push({
          code: 'audit-differs',
          message: `${manifest} differs from its copy in ${audit.name}: somebody changed one of the two.`,
        });
      }
    }
    return damage;
  });
}

/** Runs that the audit knows and the store does not have, or does not lead to. */
export async function findAuditOnly(audit: Store, known: ReadonlySet<string>, oldest: string): Promise<Damage[]> {
  return readAudit(audit, async () => {
    const damage: Damage[] = [];
    for await (const key of audit.list('runs/')) {
      if (isManifestKey(key) && !known.has(key) && toComparableSlot(key) >= oldest) {
        damage.push({
          code: 'audit-only',
          message: `${key} is in ${audit.name}, so it was published, but nothing in the store leads to it. Restore the run, or the newer latest.json.`,
        });
      }
    }
    return damage;
  });
}

async function readAudit(audit: Store, work: () => Promise<Damage[]>): Promise<Damage[]> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MusterError) || error.code !== 'store-unreachable') {
      throw error;
    }
    return [{ code: 'audit-unreadable', message: `Nothing was compared with ${audit.name}. ${error.message}` }];
  }
}
