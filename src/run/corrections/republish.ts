/** Judges the head's run again from its kept facts with a person's decision: accepted, or pruned. Asks no platform. */

import { MusterError } from '../../base/errors.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { version } from '../../base/version.ts';
import { toListKey } from '../../core/alerts/list-alerts.ts';
import type { Facts } from '../../core/facts/facts.ts';
import { listNames } from '../../core/facts/lists.ts';
import { pluralize } from '../../core/text/pluralize.ts';
import type { Commit } from '../../storage/commits/commit.ts';
import { readFacts } from '../../storage/runs/run-files.ts';
import type { Store } from '../../storage/store.ts';
import { type FinishParts, finishAllOwed, finishEarlierRun, toHousekeepingFacts } from '../finish-run.ts';
import { type Head, listRunsLeft, readHead, settleRace } from '../head.ts';
import { judgeFacts } from '../judge-facts.ts';
import { createSupersededOutcome, createUnchangedOutcome, type RunOutcome } from '../outcome.ts';
import type { Parts } from '../parts.ts';
import { finishPublished, publishRun } from '../publish-run.ts';

/** Publishes a suspect run or a shrunk list once more, without the anomaly check. */
export async function acceptRun(slot: string, by: string, parts: Parts): Promise<RunOutcome> {
  const head = await readHead(parts);
  if (head === undefined || head.run.commit.slot !== slot) {
    const last = head === undefined ? 'nothing is published' : `the last one is ${head.run.commit.slot}`;
    throw new MusterError(
      'not-suspect',
      `The run of ${slot} cannot be accepted: only the last published run can, and ${last}.`,
    );
  }
  const suspects = head.run.commit.sources.filter((source) => source.soundness === 'suspect').map(({ name }) => name);
  const { openAlerts = [] } = head.state;
  const shrunk = listNames.filter((name) =>
    openAlerts.some(({ key, about }) => key === toListKey(name) && about === 'shrunk'),
  );
  if (suspects.length + shrunk.length === 0) {
    const message = `The run of ${slot} is not suspect, and none of its lists is shrunk; there is nothing to accept.`;
    throw new MusterError('not-suspect', message);
  }
  const at = parts.clock.now().toISOString();
  const why = [...suspects.map((name) => `suspect: ${name}`), ...shrunk.map((name) => `shrunk: ${name}`)].join(', ');
  return republishRun(head, parts, { accepts: { by, why } }, ({ accepted }) => ({
    accepted: {
      ...accepted,
      by,
      at,
      sources: [...(accepted?.sources ?? []), ...suspects],
      ...(shrunk.length > 0 && { lists: [...(accepted?.lists ?? []), ...shrunk] }),
    },
  }));
}

export interface HeldBackRuns {
  readonly head: Head;
  /** Slots beyond the limit, and released ones whose files are still there, oldest first. */
  readonly slots: readonly string[];
  /** True where a run has to release some of them first. */
  readonly isHeldBack: boolean;
}

/** Finds the runs beyond the limit; undefined where nothing is published. Throws if the log is damaged. */
export async function findHeldBackRuns(parts: FinishParts, keptNights: number): Promise<HeldBackRuns | undefined> {
  const head = await readHead(parts);
  if (head === undefined) {
    return undefined;
  }
  const { kept, owed = [] } = head.state.runs;
  const beyond = kept.slice(0, Math.max(0, kept.length + 1 - keptNights)).map(({ slot }) => slot);
  const left: string[] = [];
  for (const { work, run } of owed) {
    if (work === 'remove' && (await isThere(parts.store, `runs/${run.slot}/`))) {
      left.push(run.slot);
    }
  }
  return { head, slots: [...left, ...beyond], isHeldBack: beyond.length > 0 };
}

/** Phrase such as `3 runs, 2026-11-01 to 2026-11-03`; undefined where there are none. */
export function describeHeldBackSlots(found: HeldBackRuns | undefined): string | undefined {
  const { slots = [] } = found ?? {};
  const [first] = slots;
  return first && `${slots.length} ${pluralize(slots.length, 'run')}, ${first} to ${slots.at(-1)}`;
}

/** A sentence for people. */
export function describeNothingHeldBack({ name }: Pick<Store, 'name'>, keptNights: number): string {
  return `Nothing to remove: no run in ${name} is older than retention.nights (${keptNights}) allows.`;
}

async function isThere(store: Store, folder: string): Promise<boolean> {
  for await (const _ of store.list(folder)) {
    return true;
  }
  return false;
}

/**
 * Publishes the head's run again with the confirmation in its facts; its housekeeping then removes the others. Where
 * they are released already, removes what is left and publishes nothing.
 */
export async function pruneRuns(
  { head, isHeldBack }: HeldBackRuns,
  keptNights: number,
  by: string,
  parts: Parts,
): Promise<RunOutcome> {
  if (!isHeldBack) {
    return createUnchangedOutcome(head.run, await finishAllOwed(parts, head));
  }
  const pruned = { by, at: parts.clock.now().toISOString() };
  return republishRun(head, parts, { prunes: { by } }, () => ({ keptNights, pruned }));
}

async function republishRun(
  head: Head,
  parts: Parts,
  correction: Pick<Commit, 'accepts' | 'prunes'>,
  decide: (stored: Facts) => Partial<Facts>,
): Promise<RunOutcome> {
  const { run, state } = head;
  return settleRace(head, parts, async () => {
    const earlier = await finishEarlierRun(parts, head);
    // The first attempt at the slot already reported runs that failed or were retracted.
    const { failedRuns: _, retracts: __, retractedFindings: ___, ...stored } = await readFacts(parts.store, run);
    const facts: Facts = {
      ...stored,
      ...toHousekeepingFacts(earlier),
      muster: version,
      ...omitUndefined({ openAlerts: state.openAlerts, noticed: state.noticed }),
      runsBefore: listRunsLeft(head, earlier),
      ...decide(stored),
    };
    const judged = await judgeFacts(facts, { head, repeated: run, earlier }, parts);
    const published = await publishRun({ ...judged, correction }, parts);
    // The person decided about a run that another run has replaced as the head.
    return 'taken' in published ? createSupersededOutcome() : finishPublished(published, parts);
  });
}
