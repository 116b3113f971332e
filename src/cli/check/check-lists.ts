/** Reports on the lists of machines for `muster check`: the age and the rows of each file, and the used columns. */

import type { Night } from '../../core/facts/judged.ts';
import { type JudgedList, type ListFile, type ListName, listNames } from '../../core/facts/lists.ts';
import { formatCount } from '../../core/text/format-count.ts';
import { pluralize } from '../../core/text/pluralize.ts';
import { millisecondsPerDay } from '../../core/time/calendar.ts';
import { toPrintableText } from '../../reports/cell.ts';
import type { CheckReport } from './check-report.ts';

export function checkLists({ lists, moment }: Pick<Night, 'lists' | 'moment'>): (CheckReport & { title: string })[] {
  return listNames.flatMap((name) => (lists[name] ? [checkList(name, lists[name], moment)] : []));
}

function checkList(name: ListName, list: JudgedList, moment: string): CheckReport & { title: string } {
  const { machine, date } = list.ignored;
  const machines = `${formatCount(list.machines)} ${pluralize(list.machines, 'machine')}`;
  const rows = `${formatCount(machine)} rows name none, ${formatCount(date)} have a date that cannot be read, ${formatCount(list.doubled)} repeat one`;
  const facts = [
    ...list.files.flatMap((file) => [describeFile(file, moment), ...describeProblems(file)]),
    `${list.soundness}: ${machines}; ${rows}`,
  ];
  return { title: `lists.${name}`, facts, problems: list.problem ? [toPrintableText(list.problem.message)] : [] };
}

function describeProblems({ name, notUnderstood }: ListFile): string[] {
  if (notUnderstood === undefined) {
    return [];
  }
  const { rows, first } = notUnderstood;
  const more = rows > first.length ? `, and ${formatCount(rows - first.length)} more` : '';
  return [
    toPrintableText(
      `${name}: ${formatCount(rows)} ${pluralize(rows, 'row')} not understood: ${first.join('; ')}${more}`,
    ),
  ];
}

function describeFile({ name, rows, columns, date, maxAgeDays }: ListFile, moment: string): string {
  const days = date === undefined ? undefined : (Date.parse(moment) - Date.parse(date)) / millisecondsPerDay;
  const age = days === undefined ? 'of unknown date' : `${Math.max(0, days).toFixed(1)} days old`;
  return toPrintableText(
    `${name}: ${formatCount(rows)} ${pluralize(rows, 'row')}, ${age} (at most ${maxAgeDays}), columns ${columns.join(', ') || 'none'}`,
  );
}
