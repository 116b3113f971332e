/** What `muster check` says of the lists of machines: how old each file is, how many rows it has, and which columns are used. */

import type { Night } from '../../core/facts/judged.ts';
import { type ListFile, listNames } from '../../core/facts/lists.ts';
import { formatCount } from '../../core/text/format-count.ts';
import { pluralize } from '../../core/text/pluralize.ts';
import { toPrintableText } from '../../reports/cell.ts';
import type { CheckReport } from './findings.ts';

export function checkLists({
  lists,
  moment,
}: Pick<Night, 'lists' | 'moment'>): { title: string; report: CheckReport }[] {
  return listNames.flatMap((name) => {
    const list = lists[name];
    if (list === undefined) {
      return [];
    }
    const { machine, date } = list.ignored;
    const machines = `${formatCount(list.machines)} ${pluralize(list.machines, 'machine')}`;
    const rows = `${formatCount(machine)} rows name none, ${formatCount(date)} have a date that cannot be read, ${formatCount(list.doubled)} repeat one`;
    const facts = [...list.files.map((file) => describeFile(file, moment)), `${list.soundness}: ${machines}; ${rows}`];
    const problems = list.problem === undefined ? [] : [toPrintableText(list.problem.message)];
    return [{ title: `lists.${name}`, report: { facts, problems } }];
  });
}

function describeFile({ name, rows, columns, date, maxAgeDays }: ListFile, moment: string): string {
  const days = date === undefined ? undefined : (Date.parse(moment) - Date.parse(date)) / 86_400_000;
  const age = days === undefined ? 'of unknown date' : `${Math.max(0, days).toFixed(1)} days old`;
  return toPrintableText(
    `${name}: ${formatCount(rows)} ${pluralize(rows, 'row')}, ${age} (at most ${maxAgeDays}), columns ${columns.join(', ') || 'none'}`,
  );
}
