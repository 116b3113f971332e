/**
 * A healing start (`schedule.healAfterHours`): a later start that repeats, for the last slot, only what was not read.
 */
import type { Facts, SourceFacts } from '../core/facts/facts.ts';
import { isUnsound } from '../core/source/instrument.ts';
import type { Source } from '../sources/source.ts';
import type { PublishedRun } from '../storage/commits/commit.ts';
import { selectWantedFacts } from './rerun.ts';

type WantedSource = Pick<Source, 'name' | 'kind'>;

/** Whether a published slot has a source that a healing start asks again. */
export function hasSourcesToHeal(
  facts: Facts | undefined,
  currentRun: PublishedRun,
  wanted: readonly WantedSource[],
): boolean {
  const toHeal = listSourcesToHeal(facts, currentRun);
  return wanted.some(({ name }) => toHeal.has(name));
}

/** Facts of every other source that is published and still wanted. */
export function selectFactsToKeep(
  facts: Facts | undefined,
  currentRun: PublishedRun | undefined,
  wanted: readonly WantedSource[],
): SourceFacts[] {
  const toHeal = listSourcesToHeal(facts, currentRun);
  return selectWantedFacts(facts, wanted).filter(({ name }) => !toHeal.has(name));
}

/**
 * Those without an answer of their own, and those that are untrusted only because something could not be read. A suspect
 * answer is for a person to judge, and an instrument that was read and is wrong stays wrong until somebody repairs it:
 * to ask them again the same morning would change neither.
 */
function listSourcesToHeal(facts: Facts | undefined, currentRun: PublishedRun | undefined): Set<string> {
  const unread = new Set(facts?.sources.filter(isOnlyUnread).map(({ name }) => name));
  const toHeal = currentRun?.commit.sources.filter(
    ({ name, soundness }) =>
      soundness === 'carried' || soundness === 'missing' || (soundness === 'untrusted' && unread.has(name)),
  );
  return new Set(toHeal?.map(({ name }) => name));
}

/** Each instrument check that keeps the source from being trusted could not be made. */
function isOnlyUnread({ findings }: SourceFacts): boolean {
  const broken = findings.filter(isUnsound);
  return broken.length > 0 && broken.every(({ unread }) => unread === true);
}

/** Another run of the slot is under way or was faster: then nothing is left to do for a healing start. */
export function settleHealing<Outcome extends { readonly did: string }>(outcome: Outcome): Outcome {
  return outcome.did === 'superseded' ? { ...outcome, exit: 0 } : outcome;
}
