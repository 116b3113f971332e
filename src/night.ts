/**
 * The whole way of a night, once, on one page:
 *
 *   facts = gather(sources)  →  night = judge(facts, what the last night left)  →  publish(night)  →  finish
 *
 * The ways to start it (CLI, schedule, Lambda) call `runNight` and decide nothing.
 */

import type { Facts, Platform, SourceFacts } from './core/facts.ts';
import { soundnesses } from './core/figures.ts';
import { judge } from './core/judge.ts';
import type { Night } from './core/judged.ts';
import type { PlatformRules } from './core/rules.ts';
import { MusterError } from './errors.ts';
import { type Frame, type Gathering, gather } from './gather.ts';
import type { Table } from './reports/table.ts';
import type { Slot } from './settings/slot.ts';
import { finish } from './storage/finish.ts';
import { readBefore, readFacts, readStanding, readState, type Standing } from './storage/past.ts';
import { exitOf, type Publication, publish } from './storage/publish.ts';
import type { Store } from './storage/store.ts';

/** Everything a night is made with. */
export interface Parts extends Gathering {
  readonly store: Store;
  readonly tables: readonly Table[];
  readonly rulesOf: (platform: Platform) => PlatformRules;
}

export interface Order extends Slot {
  /** What a night is told besides its sources' answers. */
  readonly frame: () => Promise<Omit<Frame, 'slot' | 'moment' | 'accepted'>>;
  /** When the process that wants this night began: what was published after that was published meanwhile. */
  readonly began?: Date;
  /** Gather and judge, but write nothing. */
  readonly dryRun?: boolean;
}

export interface Outcome {
  /** 0 published and complete · 3 published, but a source was not · 4 somebody else published this slot meanwhile. */
  readonly exit: 0 | 3 | 4;
  readonly did: 'published' | 'stood' | 'overtaken' | 'looked';
  /** The night as judged now; undefined where what stands was left as it is. */
  readonly night: Night | undefined;
}

export async function runNight(order: Order, parts: Parts): Promise<Outcome> {
  const { store } = parts;
  const standing = await readStanding(store);
  if (standing && !order.dryRun) await finish(store, standing);
  refuseOlder(order, standing);
  const isPublished = standing?.manifest.slot === order.slot;
  if (isPublished && order.began && standing.writtenAt > order.began) return overtaken;
  if (isPublished && standing.manifest.exit === 0 && !order.dryRun) return stood(standing);

  const before = isPublished ? await readBefore(store, standing) : standing && (await readState(store, standing));
  const earlier = isPublished ? await readFacts(store, standing) : undefined;
  const frame = { ...(await order.frame()), slot: order.slot, moment: order.moment.toISOString(), ...kept(earlier) };
  const facts = await gather(parts, frame, before, completeOf(earlier, standing, parts));
  const night = judge(facts, before, parts.rulesOf);

  if (order.dryRun) return { exit: exitOf(night), did: 'looked', night };
  if (isPublished && !isMoreComplete(night, standing)) return stood(standing);
  return commit(parts, { facts, night, before, standing });
}

/** Judges a suspect night's kept facts again without the breaker; no platform is asked. */
export async function acceptNight(slot: string, by: string, parts: Parts): Promise<Outcome> {
  const { store } = parts;
  const standing = await readStanding(store);
  if (standing === undefined || standing.manifest.slot !== slot) {
    const last = standing === undefined ? 'nothing is published' : `the last one is ${standing.manifest.slot}`;
    throw new MusterError(
      'not-suspect',
      `The night of ${slot} cannot be accepted: only the last published night can, and ${last}.`,
    );
  }
  await finish(store, standing);
  const suspects = standing.manifest.sources.filter((source) => source.soundness === 'suspect').map(({ name }) => name);
  if (suspects.length === 0) {
    throw new MusterError('not-suspect', `The night of ${slot} is not suspect; there is nothing to accept.`);
  }
  const stored = await readFacts(store, standing);
  const sources = [...(stored.accepted?.sources ?? []), ...suspects];
  const facts: Facts = { ...stored, accepted: { by, at: parts.clock.now().toISOString(), sources } };
  const before = await readBefore(store, standing);
  return commit(parts, { facts, night: judge(facts, before, parts.rulesOf), before, standing });
}

async function commit(parts: Parts, made: Omit<Publication, 'tables' | 'now'>): Promise<Outcome> {
  const { store, tables, clock } = parts;
  if (!(await publish(store, { ...made, tables, now: clock.now() }))) return overtaken;
  const standing = await readStanding(store);
  if (standing) await finish(store, standing);
  return { exit: exitOf(made.night), did: 'published', night: made.night };
}

const overtaken: Outcome = { exit: 4, did: 'overtaken', night: undefined };

function stood(standing: Standing): Outcome {
  return { exit: standing.manifest.exit, did: 'stood', night: undefined };
}

function refuseOlder(order: Order, standing: Standing | undefined): void {
  if (standing === undefined || order.slot >= standing.manifest.slot) return;
  throw new MusterError(
    'slot-refused',
    `The night of ${order.slot} was not run: ${standing.manifest.slot} is already published, and nights only go forward.`,
  );
}

/** What an earlier attempt at this slot fixed: its moment, and what a person accepted. */
function kept(earlier: Facts | undefined): Partial<Pick<Facts, 'moment' | 'accepted'>> {
  if (earlier === undefined) return {};
  return { moment: earlier.moment, ...(earlier.accepted === undefined ? {} : { accepted: earlier.accepted }) };
}

/** Facts of sources whose published answer was complete; the others are asked again. */
function completeOf(earlier: Facts | undefined, standing: Standing | undefined, parts: Parts): SourceFacts[] {
  const wanted = new Set(parts.sources.map(({ name }) => name));
  const published = standing?.manifest.sources ?? [];
  const complete = new Set(published.filter(({ soundness }) => soundness === 'complete').map(({ name }) => name));
  return earlier?.sources.filter(({ name }) => wanted.has(name) && complete.has(name)) ?? [];
}

/** Better for at least one source, worse for none. */
function isMoreComplete(night: Night, standing: Standing): boolean {
  const before = new Map(
    standing.manifest.sources.map(({ name, soundness }) => [name, soundnesses.indexOf(soundness)]),
  );
  let better = false;
  for (const { name, soundness } of night.sources) {
    const difference = soundnesses.indexOf(soundness) - (before.get(name) ?? -1);
    if (difference < 0) return false;
    if (difference > 0) better = true;
  }
  return better;
}
