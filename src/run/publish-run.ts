/** Publishes a judged night, unless what stands is as good or somebody else was first. */

import type { DroppedCount } from '../alerts/delivery/deliver.ts';
import { prepareOutbox } from '../alerts/delivery/prepare-outbox.ts';
import type { CurrentRun } from '../storage/commits/commit.ts';
import { readCurrentRun } from '../storage/commits/log.ts';
import { nameAttempt, publish } from '../storage/runs/publish.ts';
import { readFactsHead } from '../storage/runs/run-files.ts';
import { keepReadings } from '../storage/runs/unpublished.ts';
import { combineFinished, finishPublishedRun } from './finish-run.ts';
import { carryRows, createCarriedRowsReader } from './gathering/carry-rows.ts';
import { type JudgedRun, judgeFacts, readBeforeHead } from './judge-facts.ts';
import {
  createDryRunOutcome,
  createPublishedOutcome,
  createSupersededOutcome,
  createUnchangedOutcome,
  type RunOutcome,
} from './outcome.ts';
import type { Parts, RunRequest } from './parts.ts';
import { isMoreComplete, listReadingsToKeep } from './rerun.ts';
import { refuseOlder } from './standing-run.ts';

interface PublishedJudgement extends Pick<JudgedRun, 'night' | 'earlier'> {
  readonly dropped: readonly DroppedCount[];
}

type PublishResult = PublishedJudgement | { readonly outcome: RunOutcome };

/** The outcome itself where nothing is published. */
export async function publishIfBetter(
  judged: JudgedRun,
  { dryRun }: Pick<RunRequest, 'dryRun'>,
  parts: Parts,
): Promise<PublishResult> {
  const { night, currentRun, earlier } = judged;
  if (dryRun) {
    return { outcome: createDryRunOutcome(night) };
  }
  const standing = currentRun?.commit.slot === night.slot ? currentRun : undefined;
  if (standing && !isMoreComplete(judged, standing, await readFactsHead(parts.store, standing))) {
    await keepWrongReadings(judged, standing, parts);
    return { outcome: { ...createUnchangedOutcome(standing, earlier), isRetry: true } };
  }
  return publishRun(judged, parts);
}

export async function publishRun(judged: JudgedRun, parts: Parts): Promise<PublishResult> {
  const { store, tables, reports = [], clock, signer } = parts;
  const { facts, night, earlier } = judged;
  const at = clock.now();
  const run = { ...judged, attempt: nameAttempt(at) };
  const { outbox, dropped } = await prepareOutbox(run, store, parts.alerts);
  if (await publish(store, { ...run, outbox, tables, reports, at, signer })) {
    return { night, earlier, dropped };
  }
  const currentRun = await readCurrentRun(store);
  refuseOlder(facts.slot, currentRun);
  if (currentRun === undefined || currentRun.commit.slot === facts.slot) {
    await keepWrongReadings(judged, currentRun, parts);
    return { outcome: createSupersededOutcome() };
  }
  // An older night was repaired or accepted meanwhile; this one is still to be published, compared with that.
  const before = await readBeforeHead(facts.slot, currentRun, store);
  const read = createCarriedRowsReader(store, facts.slot, currentRun, before);
  return publishRun(await judgeFacts(await carryRows(facts, read), { currentRun, earlier }, parts), parts);
}

/** Nothing of an attempt stands that is not published, but a wrong instrument that it saw counts. */
async function keepWrongReadings(
  judged: JudgedRun,
  standing: CurrentRun | undefined,
  { store, clock }: Parts,
): Promise<void> {
  const readings = listReadingsToKeep(judged);
  if (standing !== undefined && readings.length > 0) {
    await keepReadings(store, standing, nameAttempt(clock.now()), readings);
  }
}

/** What follows publishing; the outcome of the run. */
export async function finishPublished(published: PublishResult, parts: Parts): Promise<RunOutcome> {
  if ('outcome' in published) {
    return published.outcome;
  }
  const { night, earlier = {}, dropped } = published;
  const later = await finishPublishedRun(parts, dropped);
  return createPublishedOutcome(night, combineFinished(earlier, later));
}
