/** The first screen: coverage and its interval, whether it is sound, what changed, and a line for each source. */

import { type Html, html } from '../../../base/html.ts';
import { formatDifference } from '../../../core/source/difference.ts';
import { countDaysBetween } from '../../../core/time/calendar.ts';
import { nameUnread } from '../../document/devices.ts';
import type { ReportDocument } from '../../document/report-document.ts';
import type { SourceReport } from '../../document/sources.ts';
import type { Figures } from '../../document/trend.ts';
import { formatInterval } from '../shared/breakdown-list.ts';
import { chooseForms, fillText, formatNumber, formatPercent } from '../shared/format.ts';
import { toRows } from '../shared/list.ts';
import { changeTexts, columnTitles } from '../shared/list-texts.ts';
import {
  dataQualityTexts,
  limitSentences,
  overviewTexts,
  sectionTitles,
  sourceTexts as texts,
} from '../shared/texts.ts';
import { describeSourceColumns, listUnread, renderReceipt } from './data-quality.ts';
import { countOverdue, renderFirstStep } from './first-step.ts';
import {
  fillWithHtml,
  type HtmlColumn,
  renderIsolatedText,
  renderRowsLink,
  renderSourceRows,
  renderTable,
  renderTime,
} from './html.ts';
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
${renderDifference(document, all)}
${renderLists(document, all)}
<dl class="facts">
${renderFact(columnTitles.devices, renderRowsLink('all-devices', all.devices, 'devices'), all.excluded === 0 ? overviewTexts.allCounted : renderRowsLink('excluded', fillText(overviewTexts.notCounted, { count: formatNumber(all.excluded) })))}
${renderFact(sectionTitles['needs-action'], renderRowsLink('needs-action', all.notInstalled, 'needs-action-count'), renderNeedsActionCounts(document, all.provenNotInstalled), 'strong')}
${renderFact(overviewTexts.changed, renderChangeCounts(document, all), renderRowsLink('changes', formatSince(document)), 'wide')}
${renderFact(overviewTexts.stale, renderRowsLink('all-devices.counted=yes&all-devices.stale=yes', all.stale, 'stale'), fillText(overviewTexts.ofCounted, { counted: formatNumber(all.counted) }))}
</dl>
${renderFirstStep(document, kinds)}
${renderOpen(document)}
${renderSourceTable(document)}
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

/** How long they have been open, as far back as there are records, and when the target is reached at this pace. */
function renderOpen({ openFor, forecast, trend, slot }: ReportDocument): Html {
  const recorded = countDaysBetween(trend[0]?.nights[0]?.slot ?? slot, slot) + 1;
  const known = openFor.filter(({ days, devices }) => devices > 0 || days <= recorded);
  const parts = known.map(
    ({ days, devices }) =>
      html`<span class="part">${fillText(overviewTexts.openFor, { days })} <a href="#needs-action" data-rows="needs-action.since=${days}"><b id="open-${days}">${formatNumber(devices)}</b></a></span> `,
  );
  const pace =
    forecast === undefined ? '' : html`<span id="forecast">${fillText(overviewTexts.forecast, { ...forecast })}</span>`;
  return known.length === 0 ? html`` : html`<p class="open">${overviewTexts.open} ${parts}${pace}</p>`;
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

/** A plain sentence, with the reason when the run was not complete and sound. */
function renderVerdict(document: ReportDocument, { low }: Figures): Html {
  const unsoundSources = document.sources.filter(({ soundness }) => soundness !== 'complete');
  const { minimumCoverage } = document.policy;
  const isBelow = minimumCoverage !== undefined && low !== undefined && low < minimumCoverage;
  const below = isBelow ? html`<p>${fillText(overviewTexts.below, { minimum: minimumCoverage })}</p>` : undefined;
  const isFirst = document.sources.every((source) => source.first);
  const sound = html`<p><a href="#data-quality">${isFirst ? overviewTexts.firstRun : overviewTexts.complete}</a></p>`;
  const first =
    unsoundSources.length > 0 ? unsoundSources.map((source) => renderSourceSentence(source, document)) : sound;
  const kind = unsoundSources.length > 0 || isBelow ? ' trouble' : '';
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

function renderSourceTable(document: ReportDocument): Html {
  const findFigures = ({ name }: SourceReport) => document.coverage.find(({ source }) => source === name);
  const columns: readonly HtmlColumn<SourceReport>[] = [
    ...describeSourceColumns(document),
    {
      title: texts.coverage,
      kind: 'figure',
      cell: (source) => {
        const coverage = formatPercent(findFigures(source)?.coverage);
        return renderSourceRows(source.name, coverage, { counted: 'yes', status: 'Installed' });
      },
    },
    { title: texts.interval, kind: 'figure quiet', cell: (source) => formatInterval(findFigures(source) ?? {}) },
    {
      title: sectionTitles['needs-action'],
      kind: 'figure',
      cell: (source) =>
        renderRowsLink(toRows('needs-action', { source: source.name }), findFigures(source)?.notInstalled ?? 0),
    },
    { title: texts.rows, cell: (source) => renderReceipt(source, document) },
    { title: texts.newest, cell: ({ values }) => renderTime(values.newest) },
    { title: texts.oldest, cell: ({ values }) => renderTime(values.oldest) },
    { title: texts.instrument, cell: renderInstrument },
  ];
  return renderTable(texts.caption, columns, document.sources, 'sources');
}

function renderInstrument({ name, instrument, values }: SourceReport): Html {
  const { since: slot, changed: isChanged, repairedAt } = instrument;
  if (slot === undefined) {
    return html`${texts.instrumentUnknown}`;
  }
  const measured = fillText(texts.measured, {
    count: formatNumber(values.byPresentInstrument),
    all: formatNumber(values.count),
  });
  // A change and a repair both leave values behind that the current method has not measured.
  const repaired = repairedAt === undefined ? '' : repairedAt.slice(0, 10);
  const text = repaired > slot ? texts.repairedOn : isChanged ? texts.changedOn : texts.unchanged;
  const since = fillWithHtml(text, { slot: html`<span class="day">${repaired > slot ? repaired : slot}</span>` });
  return html`${renderSourceRows(name, measured, { measured: 'current' })}<span class="quiet below">${since}</span>`;
}
