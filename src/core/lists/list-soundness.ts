/** What a list was worth tonight, worst first, and why in a sentence. A list that is not sound says nothing of any device. */

import { millisecondsPerDay } from '../facts/calendar.ts';
import type { Facts } from '../facts/facts.ts';
import type { JudgedList, ListFacts, ListFile, ListMemory, ListName } from '../facts/lists.ts';
import { isAboveLimit } from '../source/breaker.ts';
import { formatCount } from '../text/format-count.ts';
import type { ListIndex } from './list-rows.ts';

export interface JudgedRows<Entry> {
  readonly list: JudgedList;
  /** Undefined where the list is not sound. */
  readonly index: ListIndex<Entry> | undefined;
  /** The last sound list, with which the next run's is compared. */
  readonly memory: ListMemory | undefined;
}

export function judgeList<Entry>(
  name: ListName,
  facts: ListFacts,
  index: ListIndex<Entry>,
  before: ListMemory | undefined,
  night: Pick<Facts, 'slot' | 'moment' | 'policy' | 'accepted'>,
): JudgedRows<Entry> {
  const { files, rows, readAt } = facts;
  const { ignored } = index;
  const machines = [...index.bySerial.values(), ...index.byName.values()].filter((entry) => entry !== undefined).length;
  const dates = files.map((file) => readFileDate(file, readAt));
  const date = dates.includes(undefined) ? undefined : dates.sort()[0];
  const doubled = rows.length - ignored.machine - ignored.date - machines;
  const problem = findProblem(name, facts, machines, before, night);
  const list = { files, date, rows: rows.length, ignored, doubled, machines };
  return problem === undefined
    ? { list: { soundness: 'sound', problem, ...list }, index, memory: { slot: night.slot, machines } }
    : { list: { ...problem, ...list }, index: undefined, memory: before };
}

function findProblem(
  name: ListName,
  { files, readAt }: ListFacts,
  machines: number,
  before: ListMemory | undefined,
  { slot: tonight, moment, policy: { breaker }, accepted }: Pick<Facts, 'slot' | 'moment' | 'policy' | 'accepted'>,
): Pick<JudgedList, 'soundness' | 'problem'> | undefined {
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
  const old = files.find((file) => {
    const date = readFileDate(file, readAt);
    return date === undefined || Date.parse(moment) - Date.parse(date) > file.maxAgeDays * millisecondsPerDay;
  });
  if (old !== undefined) {
    const date = readFileDate(old, readAt);
    const age =
      date === undefined
        ? 'nobody knows when it was written'
        : `it was written on ${date.slice(0, 10)}, and may be ${formatCount(old.maxAgeDays)} days old`;
    const message = `${old.name} of lists.${name} is too old: ${age}. Export it again, or raise its maxAgeDays.`;
    return { soundness: 'stale', problem: { code: 'list-stale', message } };
  }
  const { machines: known, slot } = before ?? { machines: 0, slot: '' };
  const isShrunk = isAboveLimit(known - machines, known, breaker.maximumFleetDropPercent, breaker.minimumDevices);
  if (isShrunk && !accepted?.lists?.includes(name)) {
    const message = `lists.${name} names ${formatCount(machines)} machines, and named ${formatCount(known)} on ${slot}. Export it again if it is cut off. If it is right, run "muster accept ${tonight}".`;
    return { soundness: 'shrunk', problem: { code: 'list-shrunk', message } };
  }
  return undefined;
}

/** Undefined where it is not known, or lies more than a day after the moment of reading. */
function readFileDate({ date }: ListFile, readAt: string): string | undefined {
  return date !== undefined && Date.parse(date) <= Date.parse(readAt) + millisecondsPerDay ? date : undefined;
}
