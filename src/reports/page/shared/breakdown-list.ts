/** The devices divided by a field, with the figures of each value. */
import type { BreakdownRow } from '../../document/coverage-by.ts';
import type { ReportDocument } from '../../document/report-document.ts';
import { formatNumber, formatOperatingSystem, formatPercent } from './format.ts';
import { type ListColumn, type ListDescription, toRows } from './list.ts';
import { breakdownTexts, listTexts, columnTitles as titles } from './list-texts.ts';
import { sectionTitles, sourceTexts } from './texts.ts';

type Titles = ReportDocument['platformTitles'];

export type DivisionField = BreakdownRow['field'] | 'user';

/** The devices with one value. Where people divide them, only those that need action are counted. */
export type Division = Pick<BreakdownRow, 'value' | 'notInstalled'> & Partial<BreakdownRow>;

/** The field of a device, and its filter, by the name that coverage-by.csv has for it. */
export function toDeviceField(field: DivisionField) {
  return field === 'os_version' ? 'osVersion' : field;
}

export function describeBreakdown(field: DivisionField, platformTitles: Titles): ListDescription<Division> {
  const filter = toDeviceField(field);
  const figure = (
    key: keyof Division,
    title: string,
    list: 'all-devices' | 'needs-action',
    filters: Readonly<Record<string, string>>,
  ): ListColumn<Division> => ({
    key,
    title,
    kind: 'figure',
    text: (row) => formatNumber(Number(row[key])),
    counts: ({ value }) => toRows(list, { [filter]: value, ...filters }),
  });
  const counted = { counted: 'yes' };
  const installed = { ...counted, status: 'Installed' };
  const value: ListColumn<Division> = {
    key: 'value',
    title: titles[filter],
    kind: 'head',
    text: (row) => formatDivision(field, row.value, platformTitles),
  };
  const missing = figure('notInstalled', sectionTitles['needs-action'], 'needs-action', {});
  const all: readonly ListColumn<Division>[] = [
    value,
    figure('devices', titles.devices, 'all-devices', {}),
    figure('counted', titles.counted, 'all-devices', counted),
    figure('installed', breakdownTexts.installed, 'all-devices', installed),
    missing,
    figure('provenInstalled', breakdownTexts.provenInstalled, 'all-devices', { ...installed, proven: 'proven' }),
    figure('provenNotInstalled', breakdownTexts.provenNotInstalled, 'needs-action', { proven: 'proven' }),
    { key: 'coverage', title: sourceTexts.coverage, kind: 'figure', text: ({ coverage }) => formatPercent(coverage) },
    { key: 'interval', title: sourceTexts.interval, kind: 'figure', text: formatInterval },
  ];
  return {
    id: 'breakdown',
    label: `${sectionTitles.breakdown}: ${titles[filter]}`,
    empty: listTexts.none,
    columns: field === 'user' ? [value, missing] : all,
  };
}

export function formatDivision(field: DivisionField, value: string, platformTitles: Titles): string {
  if (value === '') {
    return listTexts.unknown;
  }
  return field === 'platform' ? formatOperatingSystem(platformTitles, value) : value;
}

export function formatInterval({ low, high }: { readonly low?: number; readonly high?: number }): string {
  return low === undefined ? '–' : `${formatPercent(low)} – ${formatPercent(high)}`;
}
