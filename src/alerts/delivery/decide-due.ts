/** Decides whether a channel's message is due now, later or never. Pure. */
import type { AlertEvent } from '../../core/facts/alert-event.ts';
import { isReminder } from '../../core/facts/event-kinds.ts';
import { countDaysBetween } from '../../core/time/calendar.ts';
import type { Channel } from '../channel.ts';
import { isUrgent } from '../message/digest-event.ts';

export interface DueSettings {
  /** True where people get one summary a week, and errors at once. */
  readonly quiet?: boolean | undefined;
  /** True where people get a message about every run, even if it needs no action. */
  readonly everyNight?: boolean | undefined;
}

/** The events of the runs that a channel lacks, selected for it. */
export interface LackedEvents {
  /** The number of the first commit of the range. */
  readonly first: number;
  /** Oldest first; each has the slot of its run. */
  readonly events: readonly AlertEvent[];
  /** The slot of the last run. */
  readonly slot: string;
  /** Number of runs that cannot be read any more. */
  readonly missed: number;
}

/** `nothing`: the range is marked without a message; `later`: it stays unmarked; `due`: a message is sent. */
export type Due = 'nothing' | 'later' | 'due';

/** Days after its first event when a weekly message is due. */
const longestWaitDays = 6;

export function decideDue(
  channel: Pick<Channel, 'audience' | 'isWeekly' | 'only'>,
  { first, events, slot, missed }: LackedEvents,
  settings: DueSettings,
): Due {
  if (channel.audience === 'programs') {
    return events.length > 0 || missed > 0 ? 'due' : 'nothing';
  }
  const isQuiet = isQuietChannel(channel, settings);
  if ((settings.everyNight === true && channel.only === undefined && !isQuiet) || missed > 0) {
    return 'due';
  }
  if (isRangeUrgent({ first, events }, isQuiet) || selectStanding({ first, events }).some(isReminder)) {
    return 'due';
  }
  const [oldest] = events;
  if (oldest === undefined) {
    return 'nothing';
  }
  return countDaysBetween(oldest.slot, slot) < longestWaitDays ? 'later' : 'due';
}

/** The events that are still current: an alert that opened and ended in the range waits. */
function selectStanding({ first, events }: Pick<LackedEvents, 'first' | 'events'>): readonly AlertEvent[] {
  const last = new Map(events.map(({ key, phase }) => [key, phase]));
  const isOver = ({ key, phase, opened }: AlertEvent) =>
    last.get(key) === 'over' && (phase !== 'over' || opened >= first);
  return events.filter((event) => event.phase === 'notice' || !isOver(event));
}

/** Whether people are told about the range at once. */
export function isRangeUrgent(range: Pick<LackedEvents, 'first' | 'events'>, isQuiet: boolean): boolean {
  return selectStanding(range).some((event) => isUrgent(event, isQuiet));
}

export function isQuietChannel({ isWeekly }: Pick<Channel, 'isWeekly'>, { quiet }: DueSettings): boolean {
  return quiet === true || isWeekly === true;
}
