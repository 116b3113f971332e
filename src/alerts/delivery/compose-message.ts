/** Composes the message about a range of runs from stored data alone: the same range gives the same bytes. Pure. */
import type { AlertEvent } from '../../core/facts/alert-event.ts';
import type { AlertState } from '../../core/facts/remembered.ts';
import { pluralize } from '../../core/text/pluralize.ts';
import type { PublishedRun } from '../../storage/commits/commit.ts';
import type { Channel } from '../channel.ts';
import { selectEventsForPeople } from '../message/channel-scope.ts';
import { buildRunMessage, type DigestSection } from '../message/digest.ts';
import { type DigestEvent, selectEvents } from '../message/digest-event.ts';
import { type DueSettings, decideDue, isQuietChannel, isRangeUrgent } from './decide-due.ts';
import type { DeliveryRuns } from './delivery-log.ts';
import { listLostAlerts, mergeRange } from './merge-range.ts';

/** A part of the log: its readable runs and, where others were missed, the alerts that are open after them. */
export interface ComposedRange extends DeliveryRuns {
  /** The number of the first commit. */
  readonly first: number;
  /** Missing where no run was missed, so that the events alone say which alerts are open. */
  readonly open?: readonly AlertState[] | undefined;
}

/** Events of the runs of a range, oldest first. */
type RangeEvents = readonly Pick<ComposedRange['runs'][number], 'events'>[];

export interface ComposeSettings extends DueSettings {
  /** The place of a run's report. */
  readonly link: (slot: string) => string;
}

/** Idempotency key of a part of a message, by which a receiver recognizes it. No other message has it. */
export function formatMessageKey(
  { audience, name }: Pick<Channel, 'audience' | 'name'>,
  first: number,
  { commit: { slot, number }, sha256 }: PublishedRun,
  part: number,
): string {
  const range = audience === 'people' && first < number ? `${first}-${number}` : number;
  return `muster/${slot}/${range}/${sha256.slice(0, 16)}/${name}-${part}`;
}

/** The events of the range that the channel asks for, oldest first. */
export function selectChannelEvents(channel: Channel, { runs }: { readonly runs: RangeEvents }): readonly AlertEvent[] {
  const events = runs.flatMap((one) => one.events.events);
  return selectForChannel(channel, events, findScope(channel, runs)?.overdue);
}

/** Selects a channel's events, without those about its own undelivered messages. */
function selectForChannel(
  { name, audience, only }: Channel,
  events: readonly AlertEvent[],
  overdue: Parameters<typeof selectEventsForPeople>[2],
): readonly AlertEvent[] {
  const others = events.filter(({ key }) => key !== `channel:${name}`);
  return audience === 'programs' ? selectEvents(others, only) : selectEventsForPeople(others, only, overdue);
}

/** Composes the message's payloads, as the channel renders them. */
export function composeMessage(channel: Channel, range: ComposedRange, settings: ComposeSettings): readonly unknown[] {
  const last = range.runs.at(-1);
  const scope = findScope(channel, range.runs);
  if (last === undefined || scope === undefined) {
    return [];
  }
  const { only } = channel;
  const { agent, slot, difference, later } = last.events;
  const link = settings.link(slot);
  const { number: commit } = last.run.commit;
  const run = { agent, slot, commit, difference, later, figures: scope.figures };
  if (channel.audience === 'programs') {
    const events = listEventsForPrograms(channel, range, { slot, commit });
    return channel.render(buildRunMessage(run, events, { link, only }));
  }
  const own = selectChannelEvents(channel, range);
  const lost = selectForChannel(channel, listLost(range), scope.overdue);
  const { events, ended } = mergeRange({ first: range.first, events: own, open: range.open, lost });
  const lead = describeRange(channel, own, range, ended, settings);
  const isQuiet = isQuietChannel(channel, settings);
  const isDaily = settings.everyNight === true && !isQuiet;
  const isSummary = !isDaily && range.missed === 0 && !isRangeUrgent({ first: range.first, events: own }, isQuiet);
  return channel.render(buildRunMessage(run, events, { link, only, lead, isSummary }));
}

/** The channel's own figures where the run measured them, otherwise those of all devices. */
function findScope({ name, address, only }: Channel, runs: RangeEvents) {
  const last = runs.at(-1)?.events;
  const listed = last?.channels.find((one) => one.name === name && one.address === address);
  return only === undefined ? last : (listed?.scope ?? last);
}

function listLost({ first, runs, open = [], missed }: ComposedRange): readonly AlertEvent[] {
  const readable = new Set(runs.map(({ run }) => run.commit.number));
  return missed === 0 ? [] : listLostAlerts(open, first, readable);
}

/** The channel's events, preceded by a notice about missed runs and by their alerts that are still open. */
function listEventsForPrograms(
  channel: Channel,
  range: ComposedRange,
  { slot, commit }: { readonly slot: string; readonly commit: number },
): readonly DigestEvent[] {
  const own = selectChannelEvents(channel, range);
  const { missed } = range;
  if (missed === 0) {
    return own;
  }
  const known = new Set(own.filter(({ phase }) => phase === 'first').map(({ key }) => key));
  const lost = selectEvents(listLost(range), channel.only).filter(({ key }) => !known.has(key));
  // A lost alert's opening replaces its repetition in the range.
  const opened = new Set(lost.map(({ key }) => key));
  const others = own.filter(({ key }) => !opened.has(key));
  const word: DigestEvent = {
    kind: 'runs.missed',
    key: `missed:${channel.name}`,
    phase: 'notice',
    slot,
    since: slot,
    opened: commit,
    text: describeMissed(missed),
    figures: { runs: missed },
  };
  return [word, ...lost.map((event): DigestEvent => ({ ...event, slot, phase: 'first' })), ...others];
}

function describeMissed(missed: number): string {
  const are = pluralize(missed, 'run is', 'runs are');
  return `${missed} earlier ${are} no longer kept: of ${pluralize(missed, 'it', 'them')}, only alerts that are still open are named.`;
}

/** The first section of a message about several runs; undefined where it says no more than one run's message would. */
function describeRange(
  channel: Channel,
  own: readonly AlertEvent[],
  { first, runs, missed }: ComposedRange,
  ended: number,
  settings: DueSettings,
): DigestSection | undefined {
  const slot = runs.at(-1)?.events.slot ?? '';
  const since = own[0]?.slot ?? runs[0]?.events.slot ?? slot;
  const earlier = runs.slice(0, -1);
  const before = {
    first,
    events: selectChannelEvents(channel, { runs: earlier }),
    slot: earlier.at(-1)?.events.slot ?? slot,
    missed: 0,
  };
  const isLate = missed > 0 || (earlier.length > 0 && decideDue(channel, before, settings) === 'due');
  const isSummary = isQuietChannel(channel, settings) && since < slot;
  if (!isLate && !isSummary && ended === 0) {
    return undefined;
  }
  const lines = [
    ...(ended === 0 ? [] : [`${ended} ${pluralize(ended, 'alert')} opened and ended meanwhile.`]),
    ...(missed === 0 ? [] : [describeMissed(missed)]),
  ];
  const ask = isLate
    ? 'No message was sent about these runs at the time; this one is about all of them.'
    : 'This message also says what could wait.';
  return { title: `Since ${since}`, ask, count: 1, lines, more: 0 };
}
