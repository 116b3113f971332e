/** What a list was worth tonight, worst first, and why in a sentence. A list that is not sound says nothing of any device. */

import { addDays, countDaysBetween, millisecondsPerDay } from '../facts/calendar.ts';
import type { Facts, Problem } from '../facts/facts.ts';
import type { JudgedList, ListFacts, ListFile, ListMemory, ListName } from '../facts/lists.ts';
import type { State } from '../facts/state.ts';
import type { ListSoundness } from '../facts/vocabulary.ts';
import { isAboveLimit } from '../source/breaker.ts';
import { formatCount } from '../text/format-count.ts';
import type { ListIndex } from './list-rows.ts';

/** A person has so many days to notice that a list is cut off; then fewer machines are taken for what there is. */
const daysDoubted = 7;

type ListNight = Pick<Facts, 'slot' | 'moment' | 'policy'>;

export interface JudgedRows {
  readonly list: JudgedList;
  readonly memory: ListMemory | undefined;
}

export function judgeList(
  name: ListName,
  facts: ListFacts,
  { bySerial, byName, ignored, doubled }: ListIndex<unknown>,
  previous: Pick<State, 'lists'> | undefined,
  night: ListNight,
): JudgedRows {
  const { slot, policy } = night;
  const before = previous?.lists?.[name];
  const { files, readAt } = facts;
  const machines = [...bySerial.values(), ...byName.values()].filter((entry) => entry !== undefined).length;
  const dates = files.map((file) => readFileDate(file, readAt));
  const date = dates.includes(undefined) ? undefined : dates.sort()[0];
  const common = { files, date, rows: facts.rows.length, ignored, doubled, machines };
  const unsound = findProblem(name, facts, machines, night);
  if (unsound !== undefined) {
    return { list: { ...unsound, ...common }, memory: before };
  }
  const gone = (before?.machines ?? 0) - machines;
  const { maximumFleetDropPercent, minimumDevices } = policy.breaker;
  if (before !== undefined && isAboveLimit(gone, before.machines, maximumFleetDropPercent, minimumDevices)) {
    const shrunkSince = before.shrunkSince ?? slot;
    if (countDaysBetween(shrunkSince, slot) < daysDoubted) {
      const problem = describeShrunk(name, machines, before, shrunkSince);
      return { list: { soundness: 'shrunk', problem, ...common }, memory: { ...before, shrunkSince } };
    }
  }
  return { list: { soundness: 'sound', problem: undefined, ...common }, memory: { slot, machines } };
}

type Unsound = { readonly soundness: ListSoundness; readonly problem: Problem };

function findProblem(name: ListName, facts: ListFacts, machines: number, night: ListNight): Unsound | undefined {
  const { files, readAt } = facts;
  for (const soundness of ['unreadable', 'incomplete'] as const) {
    const problem = files.find((file) => file.problem?.code === `list-${soundness}`)?.problem;
    if (problem !== undefined) {
      return { soundness, problem };
    }
  }
  if (machines === 0) {
    const message = `No row of lists.${name} names a machine. Export the list again, and see that its columns are those of the settings.`;
    return { soundness: 'incomplete', problem: { code: 'list-incomplete', message } };
  }
  const old = files.find((file) => isTooOld(file, readAt, night.moment));
  return old && { soundness: 'stale', problem: describeStale(name, old, readFileDate(old, readAt)) };
}

/** Undefined where it is not known, or lies more than a day after the moment of reading. */
function readFileDate({ date }: ListFile, readAt: string): string | undefined {
  return date !== undefined && Date.parse(date) <= Date.parse(readAt) + millisecondsPerDay ? date : undefined;
}

function isTooOld(file: ListFile, readAt: string, moment: string): boolean {
  const date = readFileDate(file, readAt);
  return date === undefined || Date.parse(moment) - Date.parse(date) > file.maxAgeDays * millisecondsPerDay;
}

function describeStale(name: ListName, file: ListFile, date: string | undefined): Problem {
  const age =
    date === undefined
      ? 'nobody knows when it was written'
      : `it was written on ${date.slice(0, 10)}, and may be ${formatCount(file.maxAgeDays)} days old`;
  const message = `${file.name} of lists.${name} is too old: ${age}. Export it again, or raise its maxAgeDays.`;
  return { code: 'list-stale', message };
}

function describeShrunk(name: ListName, machines: number, before: ListMemory, since: string): Problem {
  const drop = `lists.${name} names ${formatCount(machines)} machines, and named ${formatCount(before.machines)} on ${before.slot}`;
  const message = `${drop}. Export it again if it is cut off. If it is right, wait: the run of ${addDays(since, daysDoubted)} believes it.`;
  return { code: 'list-shrunk', message };
}
