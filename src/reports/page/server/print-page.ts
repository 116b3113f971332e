/** Renders the second printed page, for paper only: the devices that need action, why, and the checks that did not pass. */

import { type Html, html } from '../../../base/html.ts';
import type { ReportedDevice } from '../../document/devices.ts';
import type { ReportDocument } from '../../document/report-document.ts';
import { selectDevices } from '../shared/device-lists.ts';
import { fillText, formatNumber, formatOperatingSystem } from '../shared/format.ts';
import { columnTitles as titles } from '../shared/list-texts.ts';
import { dataQualityTexts, definitionSentences, sectionTitles, printTexts as texts } from '../shared/texts.ts';
import { type HtmlColumn, renderIsolatedText, renderTable } from './html.ts';
import { renderSourceTable } from './source-table.ts';

const maximumPrintedDevices = 18;
/** Characters of a serial number; no real one is longer. */
const longestSerialNumber = 120;

export function renderPrintPage(document: ReportDocument): Html {
  const needsAction = selectDevices('needs-action', document.devices);
  const shown = needsAction.slice(0, maximumPrintedDevices);
  const troubles = document.sources.flatMap(({ name, findings }) =>
    findings.filter(({ result }) => result === 'fail' || result === 'unknown').map((finding) => ({ name, ...finding })),
  );
  const columns: readonly HtmlColumn<ReportedDevice>[] = [
    { title: titles.notInstalledSince, kind: 'figure', cell: ({ notInstalledSince }) => notInstalledSince },
    { title: titles.name, cell: ({ name }) => renderShortText(name) },
    {
      title: titles.serialNumber,
      kind: 'figure',
      cell: ({ serialNumber }) => renderShortText(serialNumber, longestSerialNumber),
    },
    { title: titles.user, cell: ({ user }) => renderShortText(user) },
    { title: titles.platform, cell: ({ platform }) => formatOperatingSystem(document.platformTitles, platform) },
    { title: titles.reason, cell: ({ reason }) => reason },
  ];
  return html`<section class="paper"><h2>${sectionTitles['needs-action']}</h2>${renderTable(sectionTitles['needs-action'], columns, shown)}
${needsAction.length > shown.length ? html`<p class="quiet">${fillText(texts.more, { shown: formatNumber(shown.length), all: formatNumber(needsAction.length) })}</p>` : ''}
<div class="halves"><div><h3>${texts.reasons}</h3><table>${countReasons(needsAction).map(([reason, count]) => html`<tr><td>${reason}</td><td class="figure">${formatNumber(count)}</td></tr>`)}</table></div>
<div><h3>${texts.troubles}</h3>${troubles.length === 0 ? html`<p>${texts.noTroubles}</p>` : html`<ul>${troubles.map((trouble) => html`<li>${renderIsolatedText(trouble.name)}: ${renderIsolatedText(trouble.check)} (${trouble.result}). ${dataQualityTexts.found}: ${renderIsolatedText(trouble.found)}.${trouble.advice === '' ? '' : html` <b>${dataQualityTexts.advice}:</b> ${renderIsolatedText(trouble.advice)}`}</li>`)}</ul>`}</div></div>
${renderSourceTable(document)}
<ul class="sentences">${definitionSentences.map((sentence) => html`<li>${sentence}</li>`)}</ul></section>`;
}

function renderShortText(text: string | undefined, length = 40): Html {
  if (text === undefined || text.length <= length) {
    return renderIsolatedText(text);
  }
  return renderIsolatedText(`${Array.from(text.slice(0, length)).slice(0, -1).join('')}…`);
}

function countReasons(devices: readonly ReportedDevice[]): (readonly [reason: string, count: number])[] {
  const byReason = Map.groupBy(devices, ({ reason }) => reason);
  return [...byReason]
    .map(([reason, all]) => [reason, all.length] as const)
    .sort(([, left], [, right]) => right - left);
}
