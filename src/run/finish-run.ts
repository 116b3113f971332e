/**
 * What follows publishing: copies, messages, retention. Every step can be done twice, and whoever starts next does
 * what a killed run left undone.
 */

import type { AlertContext } from '../alerts/delivery/compose-messages.ts';
import { type Delivery, deliver } from '../alerts/delivery/deliver.ts';
import { updateCopies } from '../storage/runs/copies.ts';
import type { CurrentRun } from '../storage/runs/published-runs.ts';
import { applyRetention } from '../storage/runs/retention.ts';
import type { Store } from '../storage/store.ts';

export interface FinishParts {
  readonly store: Store;
  /** Where manifests are also kept. */
  readonly audit?: Store;
  /** Where messages go; without it none are made. */
  readonly alerts?: AlertContext;
}

/** What was delivered; undefined without channels. */
export async function finishRun(
  { store, audit, alerts }: FinishParts,
  currentRun: CurrentRun,
): Promise<Delivery | undefined> {
  let last = currentRun;
  let delivery: Delivery | undefined;
  try {
    last = await updateCopies(store, currentRun, audit);
  } finally {
    // Copies that cannot be made silence nobody.
    delivery = alerts && (await deliver(store, last, alerts));
  }
  await applyRetention(store, last);
  return delivery;
}
