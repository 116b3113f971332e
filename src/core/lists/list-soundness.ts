/** The soundness of a list, worst first, and the reason in a sentence. A list that is not sound says nothing about any device. */

import type { Facts } from '../facts/facts.ts';
import type { JudgedList, ListFile, ListMemory, ListName } from '../facts/lists.ts';
import type { ListSoundness } from '../facts/vocabulary.ts';
import { isAboveLimit } from '../source/breaker.ts';
import { formatCount } from '../text/format-count.ts';
import { millisecondsPerDay } from '../time/calendar.ts';
import type { ListIndex } from './list-rows.ts';

type JudgingFacts = Pick<Facts, 'slot' | 'moment' | 'policy' | 'accepted'>;

export function judgeList(
  name: ListName,
  { list: { files, rows, readAt }, bySerial, byName, ignored }: ListIndex<unknown>,
  before: ListMemory | undefined,
  night: JudgingFacts,
): JudgedList {
  const machines = [...bySerial.values(), ...byName.values()].filter((entry) => entry !== undefined).length;
  const dated = files.map((file) => ({ ...file, date: readFileDate(file, readAt) }));
  const dates = dated.map(({ date }) => date);
  const [soundness, message] = findProblem(name, dated, machines, before, night) ?? ['sound' as const];
  return {
    soundness,
    problem: message === undefined ? undefined : { code: `list-${soundness}`, message },
    files,
    date: dates.includes(undefined) ? undefined : dates.sort()[0],
    rows: rows.length,
    ignored,
    doubled: rows.length - ignored.machine - ignored.date - machines,
    machines,
  };
}

/** Finds the worst problem of a list; the dates of its files are undefined where they are not known. */
function findProblem(
  name: ListName,
  files: readonly (Omit<ListFile, 'date'> & { readonly date: string | undefined })[],
  machines: number,
  before: ListMemory = { machines: 0, slot: '' },
  { slot, moment, policy: { breaker }, accepted }: JudgingFacts,
): readonly [ListSoundness, message: string] | undefined {
  for (const soundness of ['unreadable', 'incomplete'] as const) {
    const problem = files.find((file) => file.problem?.code === `list-${soundness}`)?.problem;
    if (problem !== undefined) {
      return [soundness, problem.message];
    }
  }
  if (machines === 0) {
    const advice = 'Export the list again, and see that its columns are those of the settings.';
    return ['incomplete', `No row of lists.${name} names a machine. ${advice}`];
  }
  const old = files.find(
    ({ date, maxAgeDays }) =>
      date === undefined || Date.parse(moment) - Date.parse(date) > maxAgeDays * millisecondsPerDay,
  );
  if (old !== undefined) {
    const age = old.date
      ? `it was written on ${old.date.slice(0, 10)}, and may be ${formatCount(old.maxAgeDays)} days old`
      : 'nobody knows when it was written';
    return ['stale', `${old.name} of lists.${name} is too old: ${age}. Export it again, or raise its maxAgeDays.`];
  }
  const gone = before.machines - machines;
  const isShrunk = isAboveLimit(gone, before.machines, breaker.maximumFleetDropPercent, breaker.minimumDevices);
  if (isShrunk && !accepted?.lists?.includes(name)) {
    const numbers = `names ${formatCount(machines)} machines, and named ${formatCount(before.machines)} on ${before.slot}`;
    const advice = `Export it again if it is cut off. If it is right, run "muster accept ${slot}".`;
    return ['shrunk', `lists.${name} ${numbers}. ${advice}`];
  }
  return undefined;
}

/** The date of a file; undefined where it is not known, or more than a day after the reading. */
function readFileDate({ date }: ListFile, readAt: string): string | undefined {
  return date !== undefined && Date.parse(date) <= Date.parse(readAt) + millisecondsPerDay ? date : undefined;
}
