/** Renders the first rows of every list, for reading before the script has run, or without it. */

import { type Html, html } from '../../../base/html.ts';
import type { ReportDocument } from '../../document/report-document.ts';
import { describeBreakdown, sortDivisions } from '../shared/breakdown-list.ts';
import { describeChangeList, listChangesOfRun } from '../shared/change-list.ts';
import { describeDeviceList, selectDevices } from '../shared/device-lists.ts';
import { fillText, formatNumber } from '../shared/format.ts';
import type { DeviceListName, ListColumn, ListDescription, ListName } from '../shared/list.ts';
import { describeExemptionList, describeGroupList, describeUnenrolledList } from '../shared/report-lists.ts';
import { sectionTitles, pageTexts as texts } from '../shared/texts.ts';
import { renderIsolatedText, renderSection, renderTable, renderTime } from './html.ts';

/** Lists that begin a section of the page. */
export type FirstList = Exclude<ListName, 'members'>;

/** Renders a section with one list, of which the page's script shows all rows. */
export function renderListSection(
  document: ReportDocument,
  name: FirstList & keyof typeof sectionTitles,
  lead: string,
  isOpen = false,
  below: Html = html``,
): Html {
  return renderSection(
    name,
    sectionTitles[name],
    html`<p class="lead">${lead}</p>${below}${renderFirstRows(document, name)}`,
    isOpen,
  );
}

export function renderFirstRows(document: ReportDocument, name: FirstList): Html {
  return html`<div class="list" data-list="${name}">${renderList[name](document)}</div>`;
}

const renderList: Readonly<Record<FirstList, (document: ReportDocument) => Html>> = {
  'needs-action': (document) => renderDevices(document, 'needs-action', 'not-installed.csv'),
  'all-devices': (document) => renderDevices(document, 'all-devices', 'devices.csv', document.coverage.at(-1)?.devices),
  excluded: (document) => renderDevices(document, 'excluded', 'devices.csv'),
  unenrolled: ({ lists }) =>
    renderRows(describeUnenrolledList(lists?.expected), lists?.expected?.unenrolled ?? [], 'unenrolled.csv'),
  changes: ({ changes, devices, platformTitles }) => {
    const rows = listChangesOfRun(changes, devices);
    return renderRows(describeChangeList(platformTitles, rows), rows, 'changes.csv');
  },
  groups: ({ groups, platformTitles }) => renderRows(describeGroupList(platformTitles), groups, 'groups.csv'),
  breakdown: ({ coverageBy, platformTitles }) => {
    const rows = sortDivisions(coverageBy.filter(({ field }) => field === 'source'));
    return renderRows(describeBreakdown('source', platformTitles), rows, 'coverage-by.csv', coverageBy.length);
  },
  exemptions: ({ exemptions }) => renderRows(describeExemptionList(), exemptions, 'exemptions.csv'),
};

function renderDevices(document: ReportDocument, name: DeviceListName, file: string, count?: number): Html {
  return renderRows(describeDeviceList(name, document), selectDevices(name, document.devices), file, count);
}

const mostShown = 20;

/** Renders the first rows of `count`; the file has all. */
function renderRows<Row>(
  { label, columns, empty }: ListDescription<Row>,
  rows: readonly Row[],
  file: string,
  count = rows.length,
): Html {
  if (rows.length === 0) {
    return html`<p class="quiet">${empty}</p>`;
  }
  const shown = rows.slice(0, mostShown);
  const visible = columns.filter(({ isHidden }) => isHidden !== true);
  const cells = visible.map((column) => ({ ...column, cell: (row: Row) => renderContent(column, row) }));
  const sentence = fillText(texts.firstRows, { shown: formatNumber(shown.length), all: formatNumber(count), file });
  return html`${renderTable(label, cells, shown, 'rows')}<p class="status">${sentence}</p>`;
}

function renderContent<Row>({ kind, text, note }: ListColumn<Row>, row: Row): Html {
  const shown = shorten(text(row));
  const more = note?.(row) ?? '';
  return html`${kind === 'time' && shown !== '' ? renderTime(shown) : renderIsolatedText(shown)}${more === '' ? '' : html`<span class="quiet">${renderIsolatedText(more)}</span>`}`;
}

const longestText = 120;

function shorten(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText).toWellFormed()}…`;
}
