/** Events about the store: what follows publishing, and runs that are past their retention. */
import type { UnfinishedStep } from '../facts.ts';
import { describeHeldBack } from '../retention.ts';
import type { HeldBack } from '../state.ts';
import { type HousekeepingStep, housekeepingSteps } from '../vocabulary.ts';
import type { AlertLog } from './alert-log.ts';

const housekeepingKeyPrefix = 'housekeeping:';

export function toHousekeepingAlertKey(step: HousekeepingStep): string {
  return `${housekeepingKeyPrefix}${step}`;
}

/** Where nothing was tried, nobody knows whether it could be done. */
export function decideHousekeepingAlerts(unfinished: readonly UnfinishedStep[] | undefined, alertLog: AlertLog): void {
  if (unfinished === undefined) {
    return;
  }
  for (const step of Object.keys(housekeepingSteps) as HousekeepingStep[]) {
    const key = toHousekeepingAlertKey(step);
    const { doing, resolved } = housekeepingSteps[step];
    const failed = unfinished.find((one) => one.step === step);
    if (failed === undefined) {
      alertLog.resolve(key, 'housekeeping.unfinished', { text: `${doing} works again; ${resolved}.` });
    } else {
      alertLog.raise(key, 'housekeeping.unfinished', { text: `${doing} could not be finished: ${failed.message}` });
    }
  }
}

export function decideRetentionAlerts(heldBack: HeldBack | undefined, alertLog: AlertLog): void {
  if (heldBack === undefined) {
    alertLog.resolve('retention', 'retention.held-back', { text: 'No run is older than retention.nights allows.' });
    return;
  }
  alertLog.raise(
    'retention',
    'retention.held-back',
    { text: describeHeldBack(heldBack), figures: { nights: heldBack.nights, limit: heldBack.limit } },
    { about: heldBack.since },
  );
}
