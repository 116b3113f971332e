/** What stands, for whoever builds on it: refused where its log cannot be trusted. */

import { MusterError } from '../base/errors.ts';
import { requireCurrentRun } from '../storage/commits/check-log.ts';
import type { CurrentRun } from '../storage/commits/commit.ts';
import { computeHousekeepingTime, type FinishParts } from './finish-run.ts';
import { withDeadline } from './with-deadline.ts';

/** An audit store that hangs does not cost the run. */
export async function requireStandingRun(
  parts: Pick<FinishParts, 'store' | 'audit' | 'signer' | 'clock' | 'deadline'>,
): Promise<CurrentRun | undefined> {
  const { store, audit, signer } = parts;
  if (audit === undefined) {
    return requireCurrentRun(store, { signer });
  }
  const limit = new AbortController();
  const reason = new MusterError('store-unreachable', `${audit.name} did not answer in time.`);
  const timer = setTimeout(() => limit.abort(reason), computeHousekeepingTime(parts));
  try {
    return await requireCurrentRun(store, { signer, audit: withDeadline(audit, limit.signal) });
  } finally {
    clearTimeout(timer);
  }
}
