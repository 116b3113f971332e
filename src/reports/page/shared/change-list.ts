/** The list of changes: since each source's last complete run, as in changes.csv, or between two runs. */
import type { Change } from '../../../core/facts/judged.ts';
import { type DifferenceKind, shareKinds } from '../../../core/facts/vocabulary.ts';
import type { ChangeReport, ReportedDevice } from '../../document/devices.ts';
import { formatOperatingSystem } from './format.ts';
import type { ListColumn, ListDescription } from './list.ts';
import { changeTexts as texts, columnTitles as titles } from './list-texts.ts';
import { createTextColumns } from './report-lists.ts';
import { sectionTitles } from './texts.ts';

/** A machine that changed, under its standing record; it has a user while it is listed. */
export interface ChangedMachine
  extends Pick<ReportedDevice, 'source' | 'id' | 'platform'>,
    Partial<Pick<ReportedDevice, 'name' | 'serialNumber' | 'site' | 'department' | 'user'>> {
  readonly change: DifferenceKind;
  readonly before: string;
  readonly after: string;
  readonly reason: ChangeReport['reason'];
  readonly flow?: NonNullable<Change['flow']>;
}

export function describeChangeList(
  platformTitles: Readonly<Record<string, string>>,
  rows: readonly ChangedMachine[],
): ListDescription<ChangedMachine> {
  const platform = (row: ChangedMachine) => formatOperatingSystem(platformTitles, row.platform);
  const columns: readonly ListColumn<ChangedMachine>[] = [
    ...createTextColumns<ChangedMachine>('change', 'name'),
    { key: 'platform', title: titles.platform, text: platform },
    ...createTextColumns<ChangedMachine>('site', 'department', 'user', 'before', 'after', 'source'),
    ...createTextColumns<ChangedMachine>('serialNumber', 'id').map((column) => ({ ...column, isHidden: true })),
    { key: 'reason', title: titles.why, text: ({ reason }) => reason, isHidden: true },
  ];
  return {
    id: 'changes',
    label: sectionTitles.changes,
    empty: texts.none,
    columns: columns.map((column) => ({
      ...column,
      // Hides a field that is empty in every row.
      isHidden: column.isHidden || (rows.length > 0 && rows.every((row) => column.text(row) === '')),
    })),
  };
}

/** Rows of changes.csv, the most important first. Listed machines are among `devices`. */
export function listChangesOfRun(
  changes: readonly (ChangeReport & Pick<ChangedMachine, 'flow'>)[],
  devices: readonly Pick<ReportedDevice, 'source' | 'id' | 'user'>[],
): ChangedMachine[] {
  const users = new Map<string, string | undefined>(changes.map((change) => [toKey(change), undefined]));
  for (const device of devices) {
    if (users.has(toKey(device))) {
      users.set(toKey(device), device.user);
    }
  }
  const rows = changes.map(({ from, to, ...change }): ChangedMachine => {
    const user = users.get(toKey(change));
    return { ...change, ...(user !== undefined && { user }), ...describeEnds(change.change, from, to) };
  });
  return sortChanges(rows);
}

const toKey = ({ source, id }: Pick<ReportedDevice, 'source' | 'id'>) => `${source}/${id}`;

function describeEnds(
  change: DifferenceKind,
  from: string = texts.notListed,
  to: string = texts.notListed,
): Pick<ChangedMachine, 'before' | 'after'> {
  return {
    before: change === 'included' ? texts.notCounted : from,
    after: change === 'excluded' ? texts.notCounted : to,
  };
}

export function sortChanges(rows: readonly ChangedMachine[]): ChangedMachine[] {
  return rows.toSorted((left, right) => shareKinds.indexOf(left.change) - shareKinds.indexOf(right.change));
}
