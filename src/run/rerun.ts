/** Runs a published slot again: what the attempt fixes, which sources are read again, and what may replace it. */

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

/** The slot's moment, a person's acceptance, and the alerts and notices that are not sent again. */
export function pickFixedFacts(
  earlier: Facts | undefined,
  state: Pick<StateHead, 'openAlerts' | 'noticed'> | undefined,
): Partial<Pick<Facts, 'moment' | 'accepted' | 'openAlerts' | 'noticed'>> {
  const { moment, accepted } = earlier ?? {};
  const { openAlerts = [], noticed } = state ?? {};
  return moment === undefined ? {} : { moment, ...omitUndefined({ accepted, noticed }), openAlerts };
}

/**
 * Memories of the instruments after the head, and after unpublished attempts at its slot. A later slot has the head's
 * in the state, so that it needs them only where there were such attempts.
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

/** Adds unpublished readings to the memories; a source may be known by such readings alone. */
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

/** Sources of which the attempt read something new that removes proof. */
export function listReadingsToKeep({ facts, night }: Pick<JudgedRun, 'facts' | 'night'>): SourceFacts[] {
  return facts.sources.filter((source) => {
    const { instrumentMemory: after } = night.state.sources.find((one) => isSameSource(one, source)) ?? {};
    const before = facts.earlierReadings?.find((one) => isSameSource(one, source))?.instrumentMemory;
    return after?.broken !== undefined && JSON.stringify(after) !== JSON.stringify(before);
  });
}

/**
 * Names of the published sources to read again: all that were not complete. A healing start (`schedule.healAfterHours`)
 * repeats only unread ones: sources without an answer of their own or with unread devices, and those that are untrusted
 * only because something could not be read. A suspect answer waits for a person's judgement, and an instrument that was
 * read as wrong for its repair: asking again the same morning would change neither.
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

/** Whether every instrument check that takes trust from the source failed because something could not be read. */
function isOnlyUnread({ findings }: SourceFacts): boolean {
  const broken = findings.filter(isUnsound);
  return broken.length > 0 && broken.every(({ unread }) => unread === true);
}

/** Facts of the settings' sources that are not read again. */
export function selectFactsToKeep(
  { sources }: Facts,
  reread: ReadonlySet<string>,
  wanted: readonly Pick<Source, 'name' | 'kind'>[],
): SourceFacts[] {
  return sources.filter((facts) => !reread.has(facts.name) && wanted.some((source) => isSameSource(source, facts)));
}

/**
 * Whether a result is better: fewer sources are missing, or else fewer are carried. With equal numbers, one source must
 * be sounder or fewer devices unread, and none less sound.
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
