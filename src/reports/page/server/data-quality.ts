/** Renders the data quality section: completeness, checks, the ages of the answers, and the exclusions. */

import { type Html, html } from '../../../base/html.ts';
import { isLeftOut } from '../../../core/source/instrument.ts';
import type { ReportDocument } from '../../document/report-document.ts';
import type { AgeBucket, SourceReport } from '../../document/sources.ts';
import { fillText, formatNumber, formatOperatingSystem } from '../shared/format.ts';
import { toRows } from '../shared/list.ts';
import { columnTitles, listTexts } from '../shared/list-texts.ts';
import { printTexts, sectionTitles, sourceTexts, dataQualityTexts as texts } from '../shared/texts.ts';
import { renderFirstRows } from './first-rows.ts';
import {
  type HtmlColumn,
  renderIsolatedText,
  renderPart,
  renderRowsLink,
  renderSection,
  renderTable,
  renderTime,
  renderWord,
} from './html.ts';
import { describeSourceColumns, formatKnown, renderReceipt, renderSourceTable } from './source-table.ts';

export function renderDataQuality(document: ReportDocument): Html {
  const { sources } = document;
  const ages = html`<p class="lead">${fillText(texts.agesLead, { days: document.policy.staleAfterDays })}</p>
<div class="ages">${sources.map((source) => renderAges(source, document))}</div>`;
  const content = html`${renderSourceTable(document)}
${renderUnread(document)}
${renderChecks(sources)}
${renderPart('completeness', texts.completeness, renderCompleteness(document))}
${renderPart('ages', texts.ages, ages)}
${renderPart('exemptions', texts.exemptions, renderFirstRows(document, 'exemptions'))}
${renderPart('excluded', listTexts.excluded, renderFirstRows(document, 'excluded'))}`;
  return renderSection('data-quality', sectionTitles['data-quality'], content, true);
}

/** Unread parts of complete sources: members of groups, and subjects of checks. */
export function listUnread({ sources, groups }: ReportDocument) {
  return sources.flatMap(({ name: source, soundness, findings }) => [
    ...(soundness === 'complete' ? groups : []).flatMap(({ source: of, group, problem: why }) =>
      of === source && why !== undefined ? [{ source, what: fillText(texts.group, { group }), why, advice: '' }] : [],
    ),
    ...findings.flatMap(({ check, result, instrument, found, advice }) =>
      result === 'unknown' && !instrument ? [{ source, what: check, why: found, advice }] : [],
    ),
  ]);
}

function renderUnread(document: ReportDocument): Html {
  const matters = listUnread(document);
  if (matters.length === 0) {
    return html``;
  }
  const columns: readonly HtmlColumn<(typeof matters)[number]>[] = [
    { title: columnTitles.source, cell: ({ source }) => renderIsolatedText(source) },
    { title: texts.check, kind: 'head', cell: ({ what }) => renderIsolatedText(what) },
    { title: texts.found, cell: ({ why }) => renderIsolatedText(why) },
    { title: texts.advice, cell: ({ advice }) => renderIsolatedText(advice) },
  ];
  return html`<h3 id="unread">${texts.unread}</h3><p class="lead">${texts.unreadLead}</p>${renderTable(texts.unread, columns, matters)}`;
}

function renderCompleteness(document: ReportDocument): Html {
  const columns: readonly HtmlColumn<SourceReport>[] = [
    ...describeSourceColumns(document),
    { title: sourceTexts.rows, kind: 'figure', cell: (source) => renderReceipt(source, document) },
    { title: texts.pages, kind: 'figure', cell: ({ receipt }) => formatNumber(receipt.pages) },
    { title: texts.walks, kind: 'figure', cell: ({ receipt }) => formatNumber(receipt.walks) },
    { title: texts.retries, kind: 'figure', cell: ({ receipt }) => formatNumber(receipt.retries) },
    { title: texts.firstId, kind: 'id', cell: ({ receipt }) => renderIsolatedText(receipt.firstId) },
    { title: texts.lastId, kind: 'id', cell: ({ receipt }) => renderIsolatedText(receipt.lastId) },
    {
      title: texts.readingPeriod,
      cell: ({ receipt: { started, ended } }) =>
        html`${renderTime(started)} <span class="quiet">${texts.until}</span> ${renderTime(ended)}`,
    },
    { title: texts.overview, kind: 'figure', cell: ({ receipt }) => formatKnown(receipt.overview) },
    { title: texts.unlisted, kind: 'figure', cell: ({ receipt }) => formatKnown(receipt.unlisted) },
  ];
  return renderTable(texts.completeness, columns, document.sources);
}

/** Results in the order of urgency; those as expected open on demand. */
const resultsByUrgency = ['fail', 'unknown', 'not-checked', 'pass'];

function renderChecks(sources: readonly SourceReport[]): Html {
  const rows = sources.flatMap((source) =>
    source.findings.filter((finding) => !isLeftOut(finding)).map((finding) => ({ source: source.name, ...finding })),
  );
  rows.sort((left, right) => resultsByUrgency.indexOf(left.result) - resultsByUrgency.indexOf(right.result));
  const columns: readonly HtmlColumn<(typeof rows)[number]>[] = [
    { title: columnTitles.source, cell: ({ source }) => renderIsolatedText(source) },
    {
      title: texts.check,
      kind: 'head',
      cell: ({ check, instrument }) =>
        html`${renderIsolatedText(check)}${instrument ? html`<span class="quiet below">${texts.deciding}</span>` : ''}`,
    },
    { title: columnTitles.result, cell: ({ result }) => renderWord('result', result) },
    { title: texts.expected, cell: ({ expected }) => renderIsolatedText(expected) },
    { title: texts.found, cell: ({ found }) => renderIsolatedText(found) },
    { title: texts.advice, cell: ({ advice }) => renderIsolatedText(advice) },
  ];
  const wrong = rows.filter(({ result }) => result === 'fail' || result === 'unknown');
  const others = rows.slice(wrong.length);
  const none = html`<p class="quiet">${rows.length === 0 ? texts.noChecks : printTexts.noTroubles}</p>`;
  const title = fillText(texts.otherChecks, { count: others.length });
  return html`<h3 id="checks">${texts.checks}</h3>${wrong.length === 0 ? none : renderTable(texts.checks, columns, wrong, 'checks')}
${others.length === 0 ? '' : renderPart('other-checks', title, renderTable(title, columns, others, 'checks'))}`;
}

/** Renders two bars for each bucket: the value's age, and the last contact's. */
function renderAges(
  { name, platform, ages: buckets }: SourceReport,
  { platformTitles: titles, policy: { staleAfterDays } }: ReportDocument,
): Html {
  const most = buckets.reduce((largest, bucket) => Math.max(largest, bucket.values, bucket.contacts), 1);
  const shown = buckets.filter((bucket) => bucket.values + bucket.contacts > 0);
  return html`<figure><figcaption>${renderIsolatedText(name)} <span class="quiet">${formatOperatingSystem(titles, platform)}</span></figcaption><table class="bars"><thead><tr><th scope="col"><span class="hidden">${texts.ages}</span></th><th scope="col" colspan="2">${texts.values}</th><th scope="col" colspan="2">${columnTitles.lastSeenAt}</th></tr></thead><tbody>${shown.map(
    (bucket) =>
      html`<tr class="${(bucket.upToDays ?? Number.POSITIVE_INFINITY) > staleAfterDays ? 'old' : ''}"><th scope="row">${formatBucket(bucket)}</th>${renderBar(bucket.values, most, toAgeRows(name, 'valueAge', bucket))}${renderBar(bucket.contacts, most, toAgeRows(name, 'contactAge', bucket))}</tr>`,
  )}</tbody></table></figure>`;
}

function formatBucket({ upToDays }: AgeBucket): string {
  if (upToDays === undefined) {
    return listTexts.unknown;
  }
  return Number.isFinite(upToDays) ? fillText(texts.upTo, { days: upToDays }) : texts.older;
}

function toAgeRows(source: string, facet: string, { upToDays }: AgeBucket): string {
  return toRows('all-devices', { source, counted: 'yes', [facet]: String(upToDays ?? '') });
}

function renderBar(value: number, most: number, rows: string): Html {
  return html`<td class="figure">${renderRowsLink(rows, value)}</td><td class="bar"><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect x="0" y="0" height="10" width="${Math.round((value / most) * 1000) / 10}"/></svg></td>`;
}
