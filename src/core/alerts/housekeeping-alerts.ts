/** Events about what follows publishing: copies, messages, the audit, retention. */
import type { UnfinishedStep } from '../facts.ts';
import { type HousekeepingStep, housekeepingSteps } from '../vocabulary.ts';
import type { AlertLog } from './alert-log.ts';

const housekeepingKeyPrefix = 'housekeeping:';

export function toHousekeepingAlertKey(step: HousekeepingStep): string {
  return `${housekeepingKeyPrefix}${step}`;
}

/** Where nothing was tried, nobody knows whether it could be done. */
export function decideHousekeepingAlerts(unfinished: readonly UnfinishedStep[] | undefined, memory: AlertLog): void {
  if (unfinished === undefined) {
    return;
  }
  for (const step of Object.keys(housekeepingSteps) as HousekeepingStep[]) {
    const key = toHousekeepingAlertKey(step);
    const { doing } = housekeepingSteps[step];
    const failed = unfinished.find((one) => one.step === step);
    if (failed === undefined) {
      memory.resolve(key, 'housekeeping.unfinished', { text: `${doing} works again; what was left is done.` });
    } else {
      memory.raise(key, 'housekeeping.unfinished', { text: `${doing} could not be finished: ${failed.message}` });
    }
  }
}
