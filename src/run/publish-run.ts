/** Publishes a judged night, unless the current run is as good or another run was first. */

import { describeRunEvents } from '../alerts/delivery/list-channels.ts';
import { MusterError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { PublishedRun } from '../storage/commits/commit.ts';
import { readKeptRun } from '../storage/commits/log.ts';
import { type ListedChannel, readRunEvents } from '../storage/runs/events-record.ts';
import { nameAttempt, type Publication, publish } from '../storage/runs/publish.ts';
import { readFactsHead } from '../storage/runs/run-files.ts';
import { keepReadings } from '../storage/runs/unpublished.ts';
import type { Store } from '../storage/store.ts';
import { isDamageError } from '../storage/stored-json.ts';
import { combineFinished, finishPublishedRun, readTrust } from './finish-run.ts';
import { carryRows, createCarriedRowsReader } from './gathering/carry-rows.ts';
import { type Head, listRunsLeft, readHeadOf } from './head.ts';
import { type JudgedRun, judgeFacts, readBasisStateHead } from './judge-facts.ts';
import {
  createDryRunOutcome,
  createPublishedOutcome,
  createRetractedOutcome,
  createSupersededOutcome,
  createUnchangedOutcome,
  type RunOutcome,
} from './outcome.ts';
import type { Parts, RunRequest } from './parts.ts';
import { isMoreComplete, listReadingsToKeep } from './rerun.ts';

interface PublishedJudgement extends Pick<JudgedRun, 'night' | 'earlier'> {
  readonly run: PublishedRun;
}

export type PublishResult = PublishedJudgement | { readonly outcome: RunOutcome };

/** Publishes the run, or returns the outcome where nothing is published. */
export async function publishIfBetter(
  judged: JudgedRun,
  { dryRun, isChosen }: Pick<RunRequest, 'dryRun' | 'isChosen'>,
  parts: Parts,
): Promise<PublishResult> {
  const { night, repeated, earlier } = judged;
  if (dryRun) {
    return { outcome: createDryRunOutcome(night) };
  }
  if (repeated && !isMoreComplete(judged, repeated, await readFactsHead(parts.store, repeated))) {
    await keepWrongReadings(judged, repeated, parts);
    return { outcome: { ...createUnchangedOutcome(repeated, earlier), isRetry: true } };
  }
  return publishOnHead(judged, { isChosen }, parts);
}

/** Times that a run is judged again, each after another one was published first. */
const mostJudgedAgain = 5;

async function publishOnHead(
  judged: JudgedRun,
  request: { readonly isChosen: true | undefined },
  parts: Parts,
  judgedAgain = 0,
): Promise<PublishResult> {
  const { facts, earlier } = judged;
  const published = await publishRun(judged, parts);
  if ('run' in published) {
    return published;
  }
  // Another run has become the head, with which this one is now compared.
  const head = await readHeadOf(parts.store, published.taken);
  const isSameSlot = head.run.commit.slot === facts.slot;
  const isLate = head.run.commit.slot > facts.slot;
  const isAsGood = isSameSlot && !isMoreComplete(judged, head.run, await readFactsHead(parts.store, head.run));
  if (isLate || isAsGood) {
    await keepWrongReadings(judged, head.run, parts);
    return { outcome: createSupersededOutcome() };
  }
  if (head.state.runs.retracted?.includes(facts.slot) && !request.isChosen) {
    return { outcome: createRetractedOutcome(earlier) };
  }
  if (judgedAgain === mostJudgedAgain) {
    const message = `The run of ${facts.slot} is not published: ${judgedAgain + 1} times another run was published first in ${parts.store.name}. Let fewer runs begin at once, and run it again.`;
    throw new MusterError('publication-contended', message);
  }
  return publishOnHead(await judgeOnHead(judged, head, parts), request, parts, judgedAgain + 1);
}

/** Judges the same answers again, compared with another head. */
async function judgeOnHead(
  { facts, earlier }: Pick<JudgedRun, 'facts' | 'earlier'>,
  head: Head,
  parts: Parts,
): Promise<JudgedRun> {
  const { store } = parts;
  const basis = { head, repeated: head.run.commit.slot === facts.slot ? head.run : undefined };
  const read = createCarriedRowsReader(store, basis, await readBasisStateHead(store, basis));
  const { openAlerts = [], noticed } = head.state;
  const sent = basis.repeated && { openAlerts, ...omitUndefined({ noticed }) };
  const carried = await carryRows({ ...facts, ...sent, runsBefore: listRunsLeft(head, undefined) }, read);
  return judgeFacts(carried, { ...basis, earlier }, parts);
}

/** Publishes the run; `taken` is the checked commit of another run that was created first. */
export async function publishRun(
  judged: JudgedRun & Pick<Publication, 'correction'>,
  parts: Parts,
): Promise<PublishedJudgement | { readonly taken: PublishedRun }> {
  const { store, tables, reports = [], clock, signing } = parts;
  const { night, earlier, head } = judged;
  const at = clock.now();
  const run = { ...judged, head: head?.run, attempt: nameAttempt(at) };
  const listed = { number: (head?.run.commit.number ?? 0) + 1, before: await readListedChannels(store, head) };
  const events = describeRunEvents(night, parts.alerts?.channels ?? [], listed);
  const publication = { ...run, events, tables, reports, at, signing };
  const published = await publish(store, publication, await readTrust(parts));
  return 'run' in published ? { ...published, night, earlier } : published;
}

/** Runs whose list of channels is tried. */
const mostListsRead = 5;

/**
 * Channels of the newest kept run whose list can be read. A damaged list does not fail the run: delivery reports it
 * when its events are due.
 */
async function readListedChannels(store: Store, head: Head | undefined): Promise<readonly ListedChannel[]> {
  const { runs } = head?.state ?? { runs: { kept: [] } };
  const newest = [head?.run, ...runs.kept.toReversed()].filter((run) => run !== undefined).slice(0, mostListsRead);
  let failure: unknown;
  for (const kept of newest) {
    try {
      const { channels } = await readRunEvents(store, 'commit' in kept ? kept : await readKeptRun(store, kept));
      return channels;
    } catch (error) {
      failure = isDamageError(error) ? failure : error;
    }
  }
  if (failure !== undefined) {
    throw failure;
  }
  return [];
}

/** Keeps the wrong instrument readings of an attempt that was not published; it leaves nothing else. */
async function keepWrongReadings(judged: JudgedRun, current: PublishedRun, { store, clock }: Parts): Promise<void> {
  const readings = listReadingsToKeep(judged);
  if (readings.length > 0) {
    await keepReadings(store, current, nameAttempt(clock.now()), readings);
  }
}

/** Finishes a published run, and returns the outcome. */
export async function finishPublished(published: PublishResult, parts: Parts): Promise<RunOutcome> {
  if ('outcome' in published) {
    return published.outcome;
  }
  const { run, night, earlier = {} } = published;
  const later = await finishPublishedRun(parts, { run, state: night.state });
  return createPublishedOutcome(night, combineFinished(earlier, later));
}
