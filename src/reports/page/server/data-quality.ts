/** The data quality section: completeness, checks, the ages of the answers, and what is not counted. */
import type { AgeBucket, ReportDocument, SourceReport } from '../../document/report-document.ts';
import { fillText, formatNumber, formatPlatform } from '../shared/format.ts';
import { toRows } from '../shared/list.ts';
import { listTexts } from '../shared/list-texts.ts';
import { sourceTexts, dataQualityTexts as texts } from '../shared/texts.ts';
import { renderFirstRows } from './first-rows.ts';
import { renderReceivedRows, renderTable, renderTime, renderWord } from './fragments.ts';
import { type Html, html, renderIsolatedText } from './html.ts';

export function renderDataQuality(document: ReportDocument): Html {
  const { sources } = document;
  return html`<section id="data-quality" aria-labelledby="data-quality-title"><h2 id="data-quality-title">${texts.title}</h2>
<h3 id="completeness">${texts.completeness}</h3>${renderCompleteness(document)}
${renderUnread(document)}
<h3 id="checks">${texts.checks}</h3>${renderChecks(sources)}
<h3 id="ages">${texts.ages}</h3><p class="lead">${fillText(texts.agesLead, { days: document.policy.staleAfterDays })}</p>
<div class="ages">${sources.map((source) => renderAges(source, document))}</div>
<h3 id="exemptions">${texts.exemptions}</h3><div class="list" data-list="exemptions">${renderFirstRows(document, 'exemptions')}</div>
<h3 id="excluded">${listTexts.excluded}</h3><div class="list" data-list="excluded">${renderFirstRows(document, 'excluded')}</div></section>`;
}

export interface UnreadMatter {
  readonly source: string;
  readonly what: string;
  readonly why: string;
  readonly advice: string;
}

/** What could not be read although its source is complete: members of a group, and what a check looks at. */
export function listUnread({ sources, groups }: ReportDocument): UnreadMatter[] {
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
  const rows = matters.map(
    ({ source, what, why, advice }) =>
      html`<tr><td>${renderIsolatedText(source)}</td><th scope="row">${renderIsolatedText(what)}</th><td>${renderIsolatedText(why)}</td><td>${renderIsolatedText(advice)}</td></tr>`,
  );
  const heads = [sourceTexts.source, texts.check, texts.found, texts.advice];
  return html`<h3 id="unread">${texts.unread}</h3><p class="lead">${texts.unreadLead}</p>${renderTable(texts.unread, heads, rows)}`;
}

function renderCompleteness({ sources, coverage, platformTitles: titles }: ReportDocument): Html {
  const heads = [
    sourceTexts.source,
    sourceTexts.quality,
    sourceTexts.rows,
    texts.pages,
    texts.walks,
    texts.retries,
    texts.firstId,
    texts.lastId,
    texts.readingPeriod,
    texts.overview,
    texts.unlisted,
  ];
  const rows = sources.map((source) => {
    const { name, platform, soundness, receipt } = source;
    const devices = coverage.find((row) => row.source === name)?.devices;
    return html`<tr><th scope="row">${renderIsolatedText(name)} <span class="quiet">${formatPlatform(titles, platform)}</span></th><td>${renderWord('soundness', soundness)}</td>
<td class="figure">${renderReceivedRows(source, formatReceivedRows(receipt), devices)}${renderAnswers(receipt)}</td><td class="figure">${formatNumber(receipt.pages)}</td><td class="figure">${formatNumber(receipt.walks)}</td><td class="figure">${formatNumber(receipt.retries)}</td>
<td class="id">${renderIsolatedText(receipt.firstId)}</td><td class="id">${renderIsolatedText(receipt.lastId)}</td><td>${renderTime(receipt.started)} <span class="quiet">${texts.until}</span> ${renderTime(receipt.ended)}</td><td class="figure">${formatKnown(receipt.overview)}</td><td class="figure">${formatKnown(receipt.unlisted)}</td></tr>`;
  });
  return renderTable(texts.completeness, heads, rows);
}

function renderAnswers({ answersReceived, answersClaimed, answersProof }: SourceReport['receipt']): Html {
  const received =
    answersReceived === undefined
      ? ''
      : html`<span class="quiet below">${fillText(sourceTexts.answers, { received: formatNumber(answersReceived), claimed: formatKnown(answersClaimed) })}</span>`;
  const proof =
    answersProof === undefined ? '' : html`<span class="quiet below">${renderWord('proof', answersProof)}</span>`;
  return html`${received}${proof}`;
}

function formatReceivedRows({ received, claimed }: SourceReport['receipt']): string {
  return claimed === undefined ? formatNumber(received) : `${formatNumber(received)} / ${formatNumber(claimed)}`;
}

function formatKnown(figure: number | undefined): string {
  return figure === undefined ? '–' : formatNumber(figure);
}

/** The results that need action come first. */
const resultsByUrgency = ['fail', 'unknown', 'not-checked', 'pass'];

function renderChecks(sources: readonly SourceReport[]): Html {
  const rows = sources.flatMap((source) => source.findings.map((finding) => ({ source: source.name, ...finding })));
  rows.sort((left, right) => resultsByUrgency.indexOf(left.result) - resultsByUrgency.indexOf(right.result));
  if (rows.length === 0) {
    return html`<p class="quiet">${texts.noChecks}</p>`;
  }
  const heads = [sourceTexts.source, texts.check, texts.result, texts.expected, texts.found, texts.advice];
  const lines = rows.map(
    (row) =>
      html`<tr><td>${renderIsolatedText(row.source)}</td><th scope="row">${renderIsolatedText(row.check)}${row.instrument ? html`<span class="quiet below">${texts.deciding}</span>` : ''}</th><td>${renderWord('result', row.result)}</td><td>${renderIsolatedText(row.expected)}</td><td>${renderIsolatedText(row.found)}</td><td>${renderIsolatedText(row.advice)}</td></tr>`,
  );
  return renderTable(texts.checks, heads, lines, 'checks');
}

/** Two bars a bucket: the value's age, and the last contact's. */
function renderAges(
  { name, platform, ages: buckets }: SourceReport,
  { platformTitles: titles, policy: { staleAfterDays } }: ReportDocument,
): Html {
  const most = buckets.reduce((largest, bucket) => Math.max(largest, bucket.values, bucket.contacts), 1);
  const shown = buckets.filter((bucket) => bucket.values + bucket.contacts > 0);
  return html`<figure><figcaption>${renderIsolatedText(name)} <span class="quiet">${formatPlatform(titles, platform)}</span></figcaption><table class="bars"><thead><tr><th scope="col"><span class="hidden">${texts.ages}</span></th><th scope="col" colspan="2">${texts.values}</th><th scope="col" colspan="2">${texts.contacts}</th></tr></thead><tbody>${shown.map(
    (bucket) =>
      html`<tr class="${(bucket.upToDays ?? Number.POSITIVE_INFINITY) > staleAfterDays ? 'old' : ''}"><th scope="row">${formatBucket(bucket)}</th>${renderBar(bucket.values, most, toAgeRows(name, 'valueAge', bucket))}${renderBar(bucket.contacts, most, toAgeRows(name, 'contactAge', bucket))}</tr>`,
  )}</tbody></table></figure>`;
}

function formatBucket({ upToDays }: AgeBucket): string {
  if (upToDays === undefined) {
    return texts.unknown;
  }
  return Number.isFinite(upToDays) ? fillText(texts.upTo, { days: upToDays }) : texts.older;
}

function toAgeRows(source: string, facet: string, { upToDays }: AgeBucket): string {
  return toRows('all-devices', { source, counted: 'yes', [facet]: String(upToDays ?? '') });
}

function renderBar(value: number, most: number, rows: string): Html {
  return html`<td class="figure"><a href="#all-devices" data-rows="${rows}">${formatNumber(value)}</a></td><td class="bar"><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect x="0" y="0" height="10" width="${Math.round((value / most) * 1000) / 10}"/></svg></td>`;
}
