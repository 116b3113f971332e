/** The weekly verification on one machine: into the log, and to whoever watches the heartbeat. */
import { sendHeartbeat } from '../../alerts/delivery/heartbeat.ts';
import type { Log } from '../../base/log.ts';
import { verifyRuns } from '../../storage/verify/verify.ts';
import type { FinishParts } from '../finish-run.ts';
import { logVerification } from './log-progress.ts';

const heartbeatTimeLimit = 10_000;

export async function verifyAndReport({ store, audit, alerts, signer }: FinishParts, log: Log): Promise<void> {
  const verification = await verifyRuns(store, { audit, keys: await signer?.readKeys() });
  logVerification(verification, log);
  if (verification.damage.length > 0 && alerts?.heartbeat !== undefined) {
    await sendHeartbeat(alerts.heartbeat, 'fail', heartbeatTimeLimit);
  }
}
