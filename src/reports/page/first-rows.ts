/** The first rows of every list as plain tables: what is read while the script is at work, and where it is not. */
import { listDevicesNeedingAction } from '../../core/needs-action.ts';
import type { DeviceReport, ReportDocument } from '../document/report-document.ts';
import { type Html, html, renderIsolatedText } from './html.ts';
import {
  breakdownTexts,
  columnTitles,
  fillText,
  formatNumber,
  formatPercent,
  groupTexts,
  listTexts,
  sourceTexts,
  pageTexts as texts,
} from './texts.ts';

/** The lists whose rows the page's script fills in. */
export type ListName =
  | 'needs-action'
  | 'breakdown'
  | 'not-seen-recently'
  | 'changes'
  | 'groups'
  | 'all-devices'
  | 'exemptions'
  | 'excluded';

interface PlainList {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly (string | undefined)[])[];
  /** How many rows there are; those above are the first of them. */
  readonly count: number;
  /** The file that has all. */
  readonly file: string;
}

const mostShown = 20;

export function renderFirstRows(document: ReportDocument, name: ListName): Html {
  const { heads, rows, count, file } = readPlainList[name](document);
  if (rows.length === 0) {
    return html`<p class="quiet">${listTexts.none}</p>`;
  }
  const shown = rows.slice(0, mostShown);
  return html`<div class="scroll-x" tabindex="0" role="region" aria-label="${fillText(texts.firstRowsOf, { name })}"><table class="plain"><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${shown.map((cells) => html`<tr>${cells.map((cell) => html`<td>${renderIsolatedText(shorten(cell))}</td>`)}</tr>`)}</tbody></table></div><p class="status">${fillText(texts.firstRows, { shown: formatNumber(shown.length), all: formatNumber(count), file })}</p>`;
}

const longestCell = 120;

function shorten(text: string | undefined): string | undefined {
  return text === undefined || text.length <= longestCell ? text : `${text.slice(0, longestCell).toWellFormed()}…`;
}

const deviceHeads = [
  columnTitles.name,
  columnTitles.serialNumber,
  columnTitles.user,
  columnTitles.status,
  columnTitles.reason,
  columnTitles.notInstalledSince,
];

function listPlainDevices(devices: readonly DeviceReport[], file: string, count = devices.length): PlainList {
  const rows = devices
    .slice(0, mostShown)
    .map(({ name, serialNumber, user, status, reason, notInstalledSince }) => [
      name,
      serialNumber,
      user,
      status,
      reason,
      notInstalledSince,
    ]);
  return { heads: deviceHeads, rows, count, file };
}

const readPlainList: Readonly<Record<ListName, (document: ReportDocument) => PlainList>> = {
  'needs-action': ({ devices }) =>
    listPlainDevices(
      listDevicesNeedingAction(devices, ({ id }) => id),
      'not-installed.csv',
    ),
  'not-seen-recently': ({ devices }) =>
    listPlainDevices(
      devices.filter(({ counted, status, stale }) => counted && status === 'Installed' && stale),
      'devices.csv',
    ),
  'all-devices': ({ devices, coverage }) => listPlainDevices(devices, 'devices.csv', coverage.at(-1)?.devices),
  excluded: ({ devices }) => {
    const excluded = devices.filter(({ counted }) => !counted);
    const rows = excluded
      .slice(0, mostShown)
      .map(({ excludedBecause, name, serialNumber }) => [excludedBecause, name, serialNumber]);
    const heads = [columnTitles.excludedBecause, columnTitles.name, columnTitles.serialNumber];
    return { heads, rows, count: excluded.length, file: 'devices.csv' };
  },
  changes: ({ changes }) => ({
    heads: [
      columnTitles.change,
      columnTitles.name,
      columnTitles.serialNumber,
      columnTitles.from,
      columnTitles.to,
      columnTitles.why,
    ],
    rows: changes
      .slice(0, mostShown)
      .map(({ change, name, serialNumber, from, to, reason }) => [change, name, serialNumber, from, to, reason]),
    count: changes.length,
    file: 'changes.csv',
  }),
  groups: ({ groups }) => ({
    heads: [groupTexts.group, columnTitles.source, groupTexts.members, groupTexts.joined, groupTexts.left],
    rows: groups.map(({ group, source, members, joined, left }) => [
      group,
      source,
      ...[members, joined, left].map(formatNumber),
    ]),
    count: groups.length,
    file: 'groups.csv',
  }),
  breakdown: ({ coverageBy }) => ({
    heads: [breakdownTexts.by, columnTitles.value, columnTitles.counted, listTexts.needsAction, sourceTexts.coverage],
    rows: coverageBy
      .slice(0, mostShown)
      .map(({ field, value, counted, notInstalled, coverage }) => [
        field,
        value === '' ? listTexts.unknown : value,
        formatNumber(counted),
        formatNumber(notInstalled),
        formatPercent(coverage),
      ]),
    count: coverageBy.length,
    file: 'coverage-by.csv',
  }),
  exemptions: ({ exemptions }) => ({
    heads: [columnTitles.result, columnTitles.match, columnTitles.value, columnTitles.owner, columnTitles.expires],
    rows: exemptions
      .slice(0, mostShown)
      .map(({ result, match, value, owner, expires }) => [result, match, value, owner, expires]),
    count: exemptions.length,
    file: 'exemptions.csv',
  }),
};
