/** Renders the first screen: coverage and its interval, its soundness, the changes, and a line for each source. */

import { type Html, html } from '../../../base/html.ts';
import { explainInterval, isNarrow } from '../../../core/source/certainty.ts';
import { formatMoves } from '../../../core/source/difference.ts';
import { splitFirstSentence } from '../../../core/text/first-sentence.ts';
import { nameUnread } from '../../document/devices.ts';
import type { ReportDocument } from '../../document/report-document.ts';
import type { SourceReport } from '../../document/sources.ts';
import type { Figures } from '../../document/trend.ts';
import { chooseForms, fillText, formatNumber, formatPercent } from '../shared/format.ts';
import { toRows } from '../shared/list.ts';
import { changeTexts, columnTitles, listTexts } from '../shared/list-texts.ts';
import { limitSentences, overviewTexts, sectionTitles } from '../shared/texts.ts';
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
<header class="title"><h1 id="agent">${renderIsolatedText(document.agent)}</h1><p>${fillText(overviewTexts.run, { slot: document.slot })}<span class="quiet">, ${overviewTexts.judged} ${renderTime(document.moment)}</span></p><span id="nights"></span></header>
${renderVerdict(document, all)}
<div class="hero">
<div class="headline"><p class="number"><span id="coverage">${formatPercent(all.coverage)}</span>${all.coverage === undefined ? '' : html`<span class="unit">%</span>`}</p>
<p class="quiet">${all.coverage === undefined ? overviewTexts.empty : fillWithHtml(chooseForms(overviewTexts.have, { counted: all.counted }), { counted: renderRowsLink('all-devices.counted=yes', all.counted, 'counted') })}</p></div>
${renderInterval(all, document.policy.minimumCoverage)}
</div>
<dl class="sayings">
${renderSaying('certainty', overviewTexts.certainty, renderCertainty(document, all))}
${renderSaying('changed', overviewTexts.changed, renderChanged(document, all))}
${renderSaying('first-step', overviewTexts.doFirst, renderFirstStep(document, kinds))}
${renderSaying('lists', overviewTexts.lists, renderLists(document, all))}
</dl>
<dl class="facts">
${renderFact(columnTitles.devices, renderRowsLink('all-devices', all.devices, 'devices'), all.excluded === 0 ? overviewTexts.allCounted : renderRowsLink('excluded', fillText(overviewTexts.notCounted, { count: formatNumber(all.excluded) })))}
${renderFact(sectionTitles['needs-action'], renderRowsLink('needs-action', all.notInstalled, 'needs-action-count'), renderNeedsActionCounts(document, all.provenNotInstalled), 'strong')}
${renderFact(overviewTexts.stale, renderRowsLink('all-devices.counted=yes&all-devices.stale=yes', all.stale, 'stale'), fillText(overviewTexts.ofCounted, { counted: formatNumber(all.counted) }))}
</dl>
<ul class="limits">${limitSentences.map((limit) => html`<li>${limit}</li>`)}</ul>
</section>`;
}

function renderSaying(id: string, name: string, said: Html | undefined): Html {
  return said === undefined ? html`` : html`<div id="${id}"><dt>${name}</dt><dd>${said}</dd></div>`;
}

/** Why the number is not that of the last run, where that is known, and the machines that changed. */
function renderChanged(document: ReportDocument, all: Figures): Html {
  const { difference, sources } = document;
  if (sources.every(({ baseline }) => baseline === undefined)) {
    return html`<p>${overviewTexts.noChanges}</p>`;
  }
  const why = difference && html`<p id="why">${overviewTexts.coverage} ${formatMoves(difference, all)}</p> `;
  const since = difference === undefined ? html` ${renderRowsLink('changes', formatSince(document))}` : '';
  return html`${why}<p>${renderChangeCounts(all, sources)}${since}</p>`;
}

function renderFact(name: string, value: Html, under: Html | string, kind = ''): Html {
  return html`<div class="fact ${kind}"><dt>${name}</dt><dd class="value">${value}</dd><dd class="under">${under}</dd></div>`;
}

function renderNeedsActionCounts(document: ReportDocument, proven: number): Html {
  const overdue = fillText(overviewTexts.overdue, { count: formatNumber(countOverdue(document)) });
  return html`${renderRowsLink('needs-action.on=overdue', overdue, 'overdue')} ${renderRowsLink('needs-action.proven=proven', fillText(overviewTexts.proven, { count: formatNumber(proven) }))}`;
}

function renderChangeCounts(all: Figures, sources: ReportDocument['sources']): Html {
  const parts = [
    ['lost', 'change'],
    ['recovered', 'change'],
    ['joined', 'flow'],
    ['left', 'flow'],
  ] as const;
  // A doubtful source shows its changes, and nothing joins or leaves its count until it is whole.
  const isDoubtful = sources.some(({ soundness }) => soundness === 'suspect' || soundness === 'untrusted');
  const known = parts.filter(([, filter]) => filter === 'change' || !isDoubtful);
  return html`${known.map(([part, filter], at) => html`${at === 0 ? '' : ', '}${renderRowsLink(`changes.${filter}=${part}`, fillText(changeTexts.counts, { count: formatNumber(all[part]), word: changeTexts[part] }), part)}`)}`;
}

function formatSince({ sources }: ReportDocument): string {
  const slots = sources.flatMap(({ baseline, soundness }) => (soundness === 'carried' ? [] : (baseline ?? [])));
  const [slot, ...others] = new Set(slots);
  if (slot === undefined) {
    return overviewTexts.noChanges;
  }
  return others.length === 0 ? fillText(overviewTexts.since, { slot }) : overviewTexts.sinceBaselines;
}

/** Causes of the interval's width. Their number is a link to these devices. */
function renderCertainty({ unproven }: ReportDocument, all: Figures): Html | undefined {
  const [count, ...words] = explainInterval(unproven, all)?.split(' ') ?? [];
  const rows = toRows('all-devices', { counted: listTexts.yes, proven: listTexts.provenNo });
  if (count !== undefined) {
    return html`<p>${renderRowsLink(rows, count, 'unproven')} ${words.join(' ')}</p>`;
  }
  return all.counted === 0 ? undefined : html`<p>${overviewTexts.allProven}</p>`;
}

/** A plain sentence, with the reason when the run was not complete and sound. */
function renderVerdict(document: ReportDocument, all: Figures): Html {
  const { low } = all;
  const unsoundSources = document.sources.filter(({ soundness }) => soundness !== 'complete');
  const { minimumCoverage } = document.policy;
  const isBelow = minimumCoverage !== undefined && low !== undefined && low < minimumCoverage;
  const values = { low: formatPercent(low), minimum: minimumCoverage ?? '' };
  const below = isBelow ? html`<p>${fillText(overviewTexts.below, values)}</p>` : undefined;
  const isFirst = document.sources.every((source) => source.first);
  const text = isNarrow(all) ? (isFirst ? 'firstRun' : 'complete') : 'wide';
  const isSound = unsoundSources.length === 0;
  const first = isSound
    ? html`<p><a href="#data-quality">${overviewTexts[text]}</a></p>${renderUnreadSentence(document)}`
    : unsoundSources.map((source) => renderSourceSentence(source, document));
  const kind = !isSound || isBelow || !isNarrow(all) ? ' trouble' : '';
  return html`<div class="verdict${kind}" id="verdict">${first}${below}${renderAccepted(document)}</div>`;
}

/** Groups and checks that could not be read, where every source is sound; elsewhere its own sentence comes first. */
function renderUnreadSentence(document: ReportDocument): Html | undefined {
  const count = listUnread(document).length;
  return count === 0 ? undefined : html`<p><a href="#unread">${fillText(overviewTexts.unread, { count })}</a></p>`;
}

function renderAccepted({ accepted }: ReportDocument): Html | undefined {
  const { by, sources = [], lists = [] } = accepted ?? {};
  const all = [...sources, ...lists.map((name) => `lists.${name}`)];
  const values = { by: renderIsolatedText(by), sources: renderIsolatedText(all.join(', ')) };
  return by === undefined ? undefined : html`<p>${fillWithHtml(overviewTexts.accepted, values)}</p>`;
}

/** With the cause; what to do about it is the first step. A source that is partial names its cause, the devices, itself. */
function renderSourceSentence({ name, soundness, baseline, problem }: SourceReport, document: ReportDocument): Html {
  if (soundness === 'complete') {
    return html``;
  }
  const devices = renderIsolatedText(nameUnread(document.devices, name));
  const values = { source: html`<b>${renderIsolatedText(name)}</b>`, slot: html`${baseline}`, devices };
  const [cause] = soundness === 'partial' ? [] : splitFirstSentence(problem?.message ?? '');
  const why = cause && html` <span class="why">${renderIsolatedText(cause)}</span>`;
  return html`<p>${fillWithHtml(overviewTexts[soundness], values)}${why}</p>`;
}
