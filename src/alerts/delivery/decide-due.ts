/** The one decision of what a channel is due: nothing, later, or a message now. Pure. */
import type { AlertEvent } from '../../core/facts/alert-event.ts';
import { isReminder } from '../../core/facts/event-kinds.ts';
import { countDaysBetween } from '../../core/time/calendar.ts';
import type { Channel } from '../channel.ts';
import { isUrgent } from '../message/digest-event.ts';

export interface DueSettings {
  /** People get one summary a week, and errors at once. */
  readonly quiet?: boolean | undefined;
  /** People get a message of every run, also where nothing asks anything of them. */
  readonly everyNight?: boolean | undefined;
}

/** The part of the log that a channel lacks, as far as it asks for it. */
export interface LackedEvents {
  /** The number of the first commit of the range. */
  readonly first: number;
  /** Oldest first; each has the slot of its run. */
  readonly events: readonly AlertEvent[];
  /** The slot of the last run. */
  readonly slot: string;
  /** Runs that cannot be read any more. */
  readonly missed: number;
}

/** `nothing`: the range is marked without a message; `later`: it stays as it is. */
export type Due = 'nothing' | 'later' | 'due';

/** A weekly message follows the first event in it by so many days. */
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

/** Events that nothing in the range has overtaken: an alert that opened and ended in it is counted, and waits. */
function selectStanding({ first, events }: Pick<LackedEvents, 'first' | 'events'>): readonly AlertEvent[] {
  const last = new Map(events.map(({ key, phase }) => [key, phase]));
  const isOver = ({ key, phase, opened }: AlertEvent) =>
    last.get(key) === 'over' && (phase !== 'over' || opened >= first);
  return events.filter((event) => event.phase === 'notice' || !isOver(event));
}

/** Whether people hear of the range at once. */
export function isRangeUrgent(range: Pick<LackedEvents, 'first' | 'events'>, isQuiet: boolean): boolean {
  return selectStanding(range).some((event) => isUrgent(event, isQuiet));
}

export function isQuietChannel({ isWeekly }: Pick<Channel, 'isWeekly'>, { quiet }: DueSettings): boolean {
  return quiet === true || isWeekly === true;
}
