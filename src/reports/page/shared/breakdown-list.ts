/** The devices divided by a field, with the figures of each value. */
import type { CountedFigures } from '../../../core/source/coverage.ts';
import type { BreakdownRow } from '../../document/coverage-by.ts';
import type { ReportDocument } from '../../document/report-document.ts';
import { formatNumber, formatOperatingSystem, formatPercent } from './format.ts';
import { type ListColumn, type ListDescription, toRows } from './list.ts';
import { breakdownTexts, listTexts, columnTitles as titles } from './list-texts.ts';
import { sectionTitles, sourceTexts } from './texts.ts';

type Titles = ReportDocument['platformTitles'];

export type DivisionField = BreakdownRow['field'] | 'user';

/** The devices with one value. A user has a name as spelled, and the platforms of all their machines. */
export type Division = Omit<BreakdownRow, 'field'> & { readonly name?: string; readonly platforms?: readonly string[] };

/** The field of a device, and its filter, for a field of coverage-by.csv. */
export function toDeviceField(field: DivisionField) {
  return field === 'os_version' ? 'osVersion' : field;
}

/** Folds a user, whom platforms spell in several ways. */
export function foldUser(user: string | undefined): string {
  return user?.toLowerCase() ?? '';
}

/** Sorts by devices that need action, then by lower coverage; "not known" is last. */
export function sortDivisions<Row extends Division>(rows: readonly Row[]): Row[] {
  return rows.toSorted(
    (left, right) =>
      Number(left.value === '') - Number(right.value === '') ||
      right.notInstalled - left.notInstalled ||
      (left.coverage ?? Number.POSITIVE_INFINITY) - (right.coverage ?? Number.POSITIVE_INFINITY) ||
      0,
  );
}

export function describeBreakdown(field: DivisionField, platformTitles: Titles): ListDescription<Division> {
  const filter = toDeviceField(field);
  const figure = (
    key: keyof CountedFigures,
    title: string,
    list: 'all-devices' | 'needs-action',
    filters: Readonly<Record<string, string>>,
  ): ListColumn<Division> => ({
    key,
    title,
    kind: 'figure',
    text: (row) => formatNumber(row[key]),
    sortKey: (row) => row[key],
    counts: ({ value }) => toRows(list, { [filter]: value, ...filters }),
  });
  const counted = { counted: 'yes' };
  const installed = { ...counted, status: 'Installed' };
  const value: ListColumn<Division> = {
    key: 'value',
    title: titles[filter],
    kind: 'head',
    text: (row) => formatDivision(field, row, platformTitles),
    sortKey: (row) => (row.value === '' ? undefined : formatDivision(field, row, platformTitles).toLowerCase()),
  };
  const platforms: ListColumn<Division> = {
    key: 'platforms',
    title: breakdownTexts.platforms,
    text: ({ platforms: names = [] }) => names.map((name) => formatOperatingSystem(platformTitles, name)).join(', '),
  };
  const columns: readonly ListColumn<Division>[] = [
    value,
    ...(field === 'user' ? [platforms] : []),
    figure('devices', titles.devices, 'all-devices', {}),
    figure('counted', titles.counted, 'all-devices', counted),
    figure('installed', breakdownTexts.installed, 'all-devices', installed),
    figure('notInstalled', sectionTitles['needs-action'], 'needs-action', {}),
    figure('provenInstalled', breakdownTexts.provenInstalled, 'all-devices', { ...installed, proven: 'proven' }),
    figure('provenNotInstalled', breakdownTexts.provenNotInstalled, 'needs-action', { proven: 'proven' }),
    {
      key: 'coverage',
      title: sourceTexts.coverage,
      kind: 'figure',
      text: ({ coverage }) => formatPercent(coverage),
      sortKey: ({ coverage }) => coverage,
    },
    { key: 'interval', title: sourceTexts.interval, kind: 'figure', text: formatInterval, sortKey: ({ low }) => low },
  ];
  return {
    id: 'breakdown',
    label: `${sectionTitles.breakdown}: ${titles[filter]}`,
    empty: listTexts.none,
    columns,
  };
}

export function formatDivision(
  field: DivisionField,
  { value, name = value }: Pick<Division, 'value' | 'name'>,
  platformTitles: Titles,
): string {
  if (value === '') {
    return listTexts.unknown;
  }
  return field === 'platform' ? formatOperatingSystem(platformTitles, value) : name;
}

export function formatInterval({ low, high }: { readonly low?: number; readonly high?: number }): string {
  return low === undefined ? '–' : `${formatPercent(low)} – ${formatPercent(high)}`;
}
