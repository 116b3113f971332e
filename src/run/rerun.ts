/** A published slot run again: what the published attempt fixes, which sources are not read again, and what may replace it. */

import { omitUndefined } from '../base/omit-undefined.ts';
import type { Facts, SourceFacts } from '../core/facts/facts.ts';
import type { SourceState } from '../core/facts/state.ts';
import { soundnesses } from '../core/facts/vocabulary.ts';
import { isSameSource } from '../core/record/references.ts';
import { isUnsound, rememberUnpublishedReading } from '../core/source/instrument.ts';
import type { Source } from '../sources/source.ts';
import type { PublishedRun } from '../storage/commits/commit.ts';
import type { FactsHead } from '../storage/runs/run-files.ts';
import type { StateHead } from '../storage/runs/state-files.ts';
import { type KeptReading, readKeptReadings } from '../storage/runs/unpublished.ts';
import type { Store } from '../storage/store.ts';
import type { Head } from './head.ts';
import type { JudgedRun } from './judge-facts.ts';

/** The slot's moment, what a person accepted, and the alerts and notices that are not sent again. */
export function pickFixedFacts(
  earlier: Facts | undefined,
  state: Pick<StateHead, 'openAlerts' | 'noticed'> | undefined,
): Partial<Pick<Facts, 'moment' | 'accepted' | 'openAlerts' | 'noticed'>> {
  const { moment, accepted } = earlier ?? {};
  const { openAlerts = [], noticed } = state ?? {};
  return moment === undefined ? {} : { moment, ...omitUndefined({ accepted, noticed }), openAlerts };
}

/**
 * Readings of the instruments: by the head, and then by attempts at its slot that were not published.
 * A later slot finds the first in the state, so it needs them only where there are others.
 */
export async function readEarlierReadings(
  slot: string,
  head: Head | undefined,
  store: Store,
): Promise<Pick<Facts, 'earlierReadings'>> {
  const readings = head === undefined ? [] : await readKeptReadings(store, head.run);
  if (head === undefined || (readings.length === 0 && slot !== head.run.commit.slot)) {
    return {};
  }
  return { earlierReadings: rememberReadings(head.state.sources, readings, head.run.commit) };
}

/** The memories after readings of attempts that were not published; a source may be known by such readings alone. */
export function rememberReadings(
  sources: readonly Pick<SourceState, 'name' | 'kind' | 'instrumentMemory'>[],
  readings: readonly KeptReading[],
  run: Pick<Facts, 'slot' | 'moment'>,
): NonNullable<Facts['earlierReadings']> {
  const memories = sources.map(({ name, kind, instrumentMemory }) => ({ name, kind, instrumentMemory }));
  for (const reading of readings) {
    const { name, kind } = reading;
    const at = memories.findIndex((memory) => isSameSource(memory, reading));
    const before = memories[at]?.instrumentMemory ?? {};
    const memory = { name, kind, instrumentMemory: rememberUnpublishedReading(reading, before, run) };
    memories.splice(at === -1 ? memories.length : at, 1, memory);
  }
  return memories;
}

/** Sources of which the attempt read something new that takes proof away. */
export function listReadingsToKeep({ facts, night }: Pick<JudgedRun, 'facts' | 'night'>): SourceFacts[] {
  return facts.sources.filter((source) => {
    const { instrumentMemory: after } = night.state.sources.find((one) => isSameSource(one, source)) ?? {};
    const before = facts.earlierReadings?.find((one) => isSameSource(one, source))?.instrumentMemory;
    return after?.broken !== undefined && JSON.stringify(after) !== JSON.stringify(before);
  });
}

/**
 * Names of the published sources that are read again: all that were not complete. A healing start
 * (`schedule.healAfterHours`) repeats only what was not read: sources without an answer of their own or with unread devices, and those that are
 * untrusted only because something could not be read. A suspect answer is for a person to judge, and an instrument that
 * was read and is wrong stays wrong until somebody repairs it: to ask them again the same morning would change neither.
 */
export function listSourcesToReread(facts: Facts, { commit }: PublishedRun, heals?: boolean): Set<string> {
  const unread = new Set(facts.sources.filter(isOnlyUnread).map(({ name }) => name));
  const reread = commit.sources.filter(({ name, soundness }) =>
    heals
      ? ['carried', 'missing', 'partial'].includes(soundness) || (soundness === 'untrusted' && unread.has(name))
      : soundness !== 'complete',
  );
  return new Set(reread.map(({ name }) => name));
}

/** Each instrument check that keeps the source from being trusted could not be made. */
function isOnlyUnread({ findings }: SourceFacts): boolean {
  const broken = findings.filter(isUnsound);
  return broken.length > 0 && broken.every(({ unread }) => unread === true);
}

/** Facts of the sources that the settings still have and that are not read again. */
export function selectFactsToKeep(
  { sources }: Facts,
  reread: ReadonlySet<string>,
  wanted: readonly Pick<Source, 'name' | 'kind'>[],
): SourceFacts[] {
  return sources.filter((facts) => !reread.has(facts.name) && wanted.some((source) => isSameSource(source, facts)));
}

/**
 * Fewer sources are missing, or else carried. Where these are as many, no source is less sound than it was, and one is
 * sounder, or fewer devices are unread in all.
 */
export function isMoreComplete({ facts, night }: JudgedRun, { commit }: PublishedRun, published: FactsHead): boolean {
  const before = new Map(commit.sources.map(({ name, soundness }) => [name, soundness]));
  const pairs = night.sources.map(({ name, soundness }) => [before.get(name) ?? 'missing', soundness] as const);
  for (const word of ['missing', 'carried'] as const) {
    const fewer = pairs.filter(([was]) => was === word).length - pairs.filter(([, is]) => is === word).length;
    if (fewer !== 0) {
      return fewer > 0;
    }
  }
  const steps = pairs.map(([was, is]) => soundnesses.indexOf(is) - soundnesses.indexOf(was));
  const isBetter = steps.some((step) => step > 0) || countUnread(facts) < countUnread(published);
  return isBetter && steps.every((step) => step >= 0);
}

function countUnread({ sources }: Pick<FactsHead, 'sources'>): number {
  return sources.reduce((sum, { unread = [] }) => sum + unread.length, 0);
}
