/** The first rows of every list: what is read while the script is at work, and where it is not. */
import type { ReportDocument } from '../../document/report-document.ts';
import { describeBreakdown } from '../shared/breakdown-list.ts';
import { changeList, describeExemptionList } from '../shared/change-lists.ts';
import { describeDeviceList, selectDevices } from '../shared/device-lists.ts';
import { fillText, formatNumber } from '../shared/format.ts';
import { describeGroupList } from '../shared/group-lists.ts';
import type { DeviceListName, ListColumn, ListDescription, ListName } from '../shared/list.ts';
import { pageTexts as texts } from '../shared/texts.ts';
import { renderTime } from './fragments.ts';
import { type Html, html, renderIsolatedText } from './html.ts';

/** The lists that a section of the page begins with. */
export type FirstList = Exclude<ListName, 'members' | 'differences'>;

/** A section of one list, of which the page's script shows all rows. */
export function renderListSection(document: ReportDocument, name: FirstList, title: string, lead: string): Html {
  return html`<section id="${name}" aria-labelledby="${name}-title"><h2 id="${name}-title">${title}</h2><p class="lead">${lead}</p><div class="list" data-list="${name}">${renderFirstRows(document, name)}</div></section>`;
}

export function renderFirstRows(document: ReportDocument, name: FirstList): Html {
  return renderList[name](document);
}

const renderList: Readonly<Record<FirstList, (document: ReportDocument) => Html>> = {
  'needs-action': (document) => renderDevices(document, 'needs-action', 'not-installed.csv'),
  'not-seen-recently': (document) => renderDevices(document, 'not-seen-recently', 'devices.csv'),
  'all-devices': (document) => renderDevices(document, 'all-devices', 'devices.csv', document.coverage.at(-1)?.devices),
  excluded: (document) => renderDevices(document, 'excluded', 'devices.csv'),
  changes: ({ changes }) => renderRows(changeList, changes, 'changes.csv'),
  groups: ({ groups, platformTitles }) => renderRows(describeGroupList(platformTitles), groups, 'groups.csv'),
  breakdown: ({ coverageBy, platformTitles }) => {
    const rows = coverageBy.filter(({ field }) => field === 'source');
    return renderRows(describeBreakdown('source', platformTitles), rows, 'coverage-by.csv', coverageBy.length);
  },
  exemptions: ({ exemptions }) => renderRows(describeExemptionList(), exemptions, 'exemptions.csv'),
};

function renderDevices(document: ReportDocument, name: DeviceListName, file: string, count?: number): Html {
  return renderRows(describeDeviceList(name, document), selectDevices(name, document.devices), file, count);
}

const mostShown = 20;

/** Those rows are the first of `count`; the file has all. */
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
  return html`<div class="scroll rows" tabindex="0" role="group" aria-label="${label}"><table><thead><tr>${visible.map(({ key, title }) => html`<th scope="col" data-key="${key}">${title}</th>`)}</tr></thead><tbody>${shown.map((row) => html`<tr>${visible.map((column) => renderListCell(column, row))}</tr>`)}</tbody></table></div><p class="status">${fillText(texts.firstRows, { shown: formatNumber(shown.length), all: formatNumber(count), file })}</p>`;
}

function renderListCell<Row>(column: ListColumn<Row>, row: Row): Html {
  const text = shorten(column.text(row));
  const note = column.note?.(row) ?? '';
  const content = html`${column.kind === 'time' && text !== '' ? renderTime(text) : renderIsolatedText(text)}${note === '' ? '' : html`<span class="quiet">${renderIsolatedText(note)}</span>`}`;
  if (column.kind === 'head') {
    return html`<th scope="row">${content}</th>`;
  }
  return column.kind === undefined ? html`<td>${content}</td>` : html`<td class="${column.kind}">${content}</td>`;
}

const longestText = 120;

function shorten(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText).toWellFormed()}…`;
}
