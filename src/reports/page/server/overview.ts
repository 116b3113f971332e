/** The first screen: coverage and its interval, whether it is sound, what changed, and a line for each source. */

import { type Html, html } from '../../../base/html.ts';
import { explainInterval, isNarrow } from '../../../core/source/certainty.ts';
import { formatDifference } from '../../../core/source/difference.ts';
import { nameUnread } from '../../document/devices.ts';
import type { ReportDocument } from '../../document/report-document.ts';
import type { SourceReport } from '../../document/sources.ts';
import type { Figures } from '../../document/trend.ts';
import { chooseForms, fillText, formatNumber, formatPercent } from '../shared/format.ts';
import { toRows } from '../shared/list.ts';
import { changeTexts, columnTitles, listTexts } from '../shared/list-texts.ts';
import { dataQualityTexts, limitSentences, overviewTexts, sectionTitles } from '../shared/texts.ts';
import { listUnread } from './data-quality.ts';
import { countOverdue, renderFirstStep } from './first-step.ts';
import { fillWithHtml, renderIsolatedText, renderRowsLink, renderTime } from './html.ts';
import { renderInterval } from './interval.ts';
import { renderLists } from './lists.ts';
import type { KindTexts } from './page-data.ts';

export function renderOverview(document: ReportDocument, kinds: readonly KindTexts[]): Html {
  const all = document.coverage.at(-1);
  if (all === undefined) {
    return html``;
  }
  return html`<section id="overview" class="overview" aria-labelledby="agent">
<header class="title"><h1 id="agent">${renderIsolatedText(document.agent)}</h1><p>${fillText(overviewTexts.run, { slot: document.slot })}<span class="quiet">, ${overviewTexts.judged} ${renderTime(document.moment)}</span> <span id="nights"></span></p></header>
${renderVerdict(document, all)}
<div class="hero">
<div class="headline"><p class="number"><span id="coverage">${formatPercent(all.coverage)}</span>${all.coverage === undefined ? '' : html`<span class="unit">%</span>`}</p>
<p class="quiet">${all.coverage === undefined ? overviewTexts.empty : fillWithHtml(chooseForms(overviewTexts.have, { counted: all.counted }), { counted: renderRowsLink('all-devices.counted=yes', all.counted, 'counted') })}</p></div>
${renderInterval(all, document.policy.minimumCoverage)}
</div>
${isSaidInBanner(document, all) ? '' : html`<p class="why">${renderCertainty(document, all)}</p>`}
${renderDifference(document, all)}
${renderLists(document, all)}
<dl class="facts">
${renderFact(columnTitles.devices, renderRowsLink('all-devices', all.devices, 'devices'), all.excluded === 0 ? overviewTexts.allCounted : renderRowsLink('excluded', fillText(overviewTexts.notCounted, { count: formatNumber(all.excluded) })))}
${renderFact(sectionTitles['needs-action'], renderRowsLink('needs-action', all.notInstalled, 'needs-action-count'), renderNeedsActionCounts(document, all.provenNotInstalled), 'strong')}
${renderFact(overviewTexts.changed, renderChangeCounts(document, all), renderRowsLink('changes', formatSince(document)), 'wide')}
${renderFact(overviewTexts.stale, renderRowsLink('all-devices.counted=yes&all-devices.stale=yes', all.stale, 'stale'), fillText(overviewTexts.ofCounted, { counted: formatNumber(all.counted) }))}
</dl>
${renderFirstStep(document, kinds)}
<ul class="limits">${limitSentences.map((limit) => html`<li>${limit}</li>`)}</ul>
</section>`;
}

/** Why the number is not that of the last run, where it is not. */
function renderDifference({ difference }: ReportDocument, all: Figures): Html {
  return difference === undefined || (difference.coverage === 0 && difference.low === 0 && difference.high === 0)
    ? html``
    : html`<p class="why" id="why">${formatDifference(difference, all)}</p>`;
}

function renderFact(name: string, value: Html, under: Html | string, kind = ''): Html {
  return html`<div class="fact ${kind}"><dt>${name}</dt><dd class="value">${value}</dd><dd class="under">${under}</dd></div>`;
}

function renderNeedsActionCounts(document: ReportDocument, proven: number): Html {
  const overdue = fillText(overviewTexts.overdue, { count: formatNumber(countOverdue(document)) });
  return html`${renderRowsLink('needs-action.on=overdue', overdue, 'overdue')} ${renderRowsLink('needs-action.proven=proven', fillText(overviewTexts.proven, { count: formatNumber(proven) }))}`;
}

function renderChangeCounts({ sources }: ReportDocument, all: Figures): Html {
  if (sources.every(({ baseline }) => baseline === undefined)) {
    return html`–`;
  }
  const parts = [
    ['lost', 'change'],
    ['recovered', 'change'],
    ['joined', 'flow'],
    ['left', 'flow'],
  ] as const;
  return html`${parts.map(([part, filter]) => html`<span class="part"><b>${renderRowsLink(`changes.${filter}=${part}`, all[part], part)}</b> ${changeTexts[part]}</span> `)}`;
}

function formatSince({ sources }: ReportDocument): string {
  const slots = sources.flatMap(({ baseline, soundness }) => (soundness === 'carried' ? [] : (baseline ?? [])));
  const [slot, ...others] = new Set(slots);
  if (slot === undefined) {
    return overviewTexts.noChanges;
  }
  return others.length === 0 ? fillText(overviewTexts.since, { slot }) : overviewTexts.sinceBaselines;
}

/** Where every source is sound and the interval is wide, the banner says why. */
function isSaidInBanner({ sources }: ReportDocument, all: Figures): boolean {
  return !isNarrow(all) && sources.every(({ soundness }) => soundness === 'complete');
}

/** What makes the interval as wide as it is. The number that it begins with opens these devices. */
function renderCertainty({ unproven }: ReportDocument, all: Figures): Html {
  const [count, ...words] = explainInterval(unproven, all)?.split(' ') ?? [];
  const rows = toRows('all-devices', { counted: listTexts.yes, proven: listTexts.provenNo });
  return count === undefined ? html`` : html`${renderRowsLink(rows, count, 'unproven')} ${words.join(' ')}`;
}

/** A plain sentence, with the reason when the run was not complete and sound. */
function renderVerdict(document: ReportDocument, all: Figures): Html {
  const { low } = all;
  const unsoundSources = document.sources.filter(({ soundness }) => soundness !== 'complete');
  const { minimumCoverage } = document.policy;
  const isBelow = minimumCoverage !== undefined && low !== undefined && low < minimumCoverage;
  const below = isBelow ? html`<p>${fillText(overviewTexts.below, { minimum: minimumCoverage })}</p>` : undefined;
  const isFirst = document.sources.every((source) => source.first);
  const sound = isNarrow(all)
    ? html`<p><a href="#data-quality">${isFirst ? overviewTexts.firstRun : overviewTexts.complete}</a></p>`
    : html`<p><a href="#data-quality">${overviewTexts.wide}</a> ${renderCertainty(document, all)}</p>`;
  const first =
    unsoundSources.length > 0 ? unsoundSources.map((source) => renderSourceSentence(source, document)) : sound;
  const kind = unsoundSources.length > 0 || isBelow || !isNarrow(all) ? ' trouble' : '';
  return html`<div class="verdict${kind}" id="verdict">${first}${renderUnreadSentence(document)}${below}${renderAccepted(document)}</div>`;
}

/** Said on the first screen only where it adds to what the sources say of themselves. */
function renderUnreadSentence(document: ReportDocument): Html | undefined {
  const count = listUnread(document).length;
  const values = { count: html`${count}`, what: html`<a href="#unread">${dataQualityTexts.unread}</a>` };
  return count === 0 ? undefined : html`<p>${fillWithHtml(chooseForms(overviewTexts.unread, { count }), values)}</p>`;
}

function renderAccepted({ accepted }: ReportDocument): Html | undefined {
  const { by, sources = [], lists = [] } = accepted ?? {};
  const all = [...sources, ...lists.map((name) => `lists.${name}`)];
  const values = { by: renderIsolatedText(by), sources: renderIsolatedText(all.join(', ')) };
  return by === undefined ? undefined : html`<p>${fillWithHtml(overviewTexts.accepted, values)}</p>`;
}

function renderSourceSentence({ name, soundness, baseline, problem }: SourceReport, document: ReportDocument): Html {
  if (soundness === 'complete') {
    return html``;
  }
  const devices = renderIsolatedText(nameUnread(document.devices, name));
  const values = { source: html`<b>${renderIsolatedText(name)}</b>`, slot: html`${baseline}`, devices };
  const why = problem && html` <span class="why">${renderIsolatedText(problem.message)}</span>`;
  return html`<p>${fillWithHtml(overviewTexts[soundness], values)}${why}</p>`;
}
