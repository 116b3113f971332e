/** The first screen: the number and its interval, how sure we are, what changed, and a line for each source. */
import type { ReportDocument, SourceReport } from '../document/shape.ts';
import { filled, time, word } from './fragments.ts';
import { type Html, html, outside } from './html.ts';
import { intervalDrawing } from './interval.ts';
import { chooseForms, fill, first, limits, number, percent, platformTitle, sources as texts, wordId } from './texts.ts';

export function overview(document: ReportDocument): Html {
  const all = document.coverage.at(-1);
  if (all === undefined) return html``;
  return html`<section id="overview" class="overview" aria-labelledby="agent">
<header class="title"><h1 id="agent">${outside(document.agent)}</h1><p>${fill(first.night, { slot: document.slot })}<span class="quiet">, ${first.judged} ${time(document.moment)}</span></p></header>
${verdict(document)}
<div class="hero">
<div class="headline"><p class="number"><span id="coverage">${percent(all.coverage)}</span>${all.coverage === undefined ? '' : html`<span class="unit">%</span>`}</p>
<p class="quiet">${all.coverage === undefined ? first.empty : filled(chooseForms(first.have, { counted: all.counted }), { counted: html`<span id="counted">${number(all.counted)}</span>` })}</p></div>
${intervalDrawing(all)}
</div>
<dl class="facts">
${fact(first.devices, html`<span id="devices">${number(all.devices)}</span>`, all.excluded === 0 ? html`${first.allCounted}` : html`<a href="#excluded">${fill(first.notCounted, { count: number(all.excluded) })}</a>`)}
${fact(first.toChase, html`<a href="#chase" id="to-chase">${number(all.notInstalled)}</a>`, html`<a href="#${wordId('status', 'proven')}">${fill(first.proven, { count: number(all.provenNotInstalled) })}</a>`, 'strong')}
${fact(first.changed, changed(document), html`<a href="#changes">${since(document)}</a>`, 'wide')}
${fact(first.stale, html`<a href="#silent" id="stale">${number(all.stale)}</a>`, html`${fill(first.ofCounted, { counted: number(all.counted) })}`)}
</dl>
${sourceTable(document)}
<ul class="limits">${limits.map((limit) => html`<li>${limit}</li>`)}</ul>
</section>`;
}

function fact(name: string, value: Html, under: Html, kind = ''): Html {
  return html`<div class="fact ${kind}"><dt>${name}</dt><dd class="value">${value}</dd><dd class="under">${under}</dd></div>`;
}

function changed(document: ReportDocument): Html {
  const all = document.coverage.at(-1);
  if (all === undefined || document.sources.every((source) => source.baseline === undefined)) return html`–`;
  const parts = ['lost', 'recovered', 'joined', 'left'] as const;
  return html`${parts.map((part) => html`<span class="part"><b id="${part}">${number(all[part])}</b> ${first[part]}</span> `)}`;
}

function since({ sources }: ReportDocument): string {
  const slots = [
    ...new Set(sources.flatMap(({ baseline, soundness }) => (soundness === 'carried' ? [] : (baseline ?? [])))),
  ];
  if (slots.length === 0) return first.noChanges;
  return slots.length === 1 ? fill(first.since, { slot: slots[0] ?? '' }) : first.sinceBaselines;
}

/** A plain sentence, with the reason when the night was not complete and sound. */
function verdict(document: ReportDocument): Html {
  const troubled = document.sources.filter((source) => source.soundness !== 'complete');
  const all = document.coverage.at(-1);
  const { minimumCoverage } = document.policy;
  const isBelow = minimumCoverage !== undefined && all?.low !== undefined && all.low < minimumCoverage;
  const extra = [
    ...(isBelow ? [html`<p>${fill(first.below, { minimum: minimumCoverage })}</p>`] : []),
    ...(document.accepted ? [accepted(document.accepted)] : []),
  ];
  if (troubled.length > 0)
    return html`<div class="verdict trouble" id="verdict">${troubled.map(sentence)}${extra}</div>`;
  const isFirst = document.sources.every((source) => source.first);
  return html`<div class="verdict${isBelow ? ' trouble' : ''}" id="verdict"><p><a href="#sound">${isFirst ? first.firstNight : first.complete}</a></p>${extra}</div>`;
}

function accepted({ by, sources }: NonNullable<ReportDocument['accepted']>): Html {
  return html`<p>${filled(first.accepted, { by: outside(by), sources: outside(sources.join(', ')) })}</p>`;
}

function sentence({ name, soundness, baseline, problem }: SourceReport): Html {
  if (soundness === 'complete') return html``;
  const said = filled(first[soundness], { source: html`<b>${outside(name)}</b>`, slot: html`${baseline ?? ''}` });
  return html`<p>${said}${problem === undefined ? '' : html` <span class="why">${outside(problem.message)}</span>`}</p>`;
}

function sourceTable({ sources, coverage, platformTitles }: ReportDocument): Html {
  const heads = [texts.source, texts.night, texts.coverage, texts.interval, texts.toChase, texts.rows];
  const more = [texts.newest, texts.oldest, texts.instrument];
  return html`<div class="scroll-x" tabindex="0" role="region" aria-label="${texts.caption}"><table class="sources"><caption class="hidden">${texts.caption}</caption><thead><tr>${[...heads, ...more].map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>
${sources.map((source) => {
  const row = coverage.find((figures) => figures.source === source.name);
  const { values } = source;
  return html`<tr data-source="${source.name}"><th scope="row">${outside(source.name)}<span class="quiet below">${platformTitle(platformTitles, source.platform)}</span></th>
<td>${word('soundness', source.soundness)}</td><td class="figure">${percent(row?.coverage)}</td><td class="figure quiet">${row?.low === undefined ? '–' : `${percent(row.low)} – ${percent(row.high)}`}</td>
<td class="figure">${number(row?.notInstalled ?? 0)}</td><td>${receipt(source)}</td><td>${time(values.newest)}</td><td>${time(values.oldest)}</td><td>${instrument(source)}</td></tr>`;
})}
</tbody></table></div>`;
}

function receipt({ receipt: { received, claimed, answersReceived, answersClaimed } }: SourceReport): Html {
  const rows =
    claimed === undefined ? number(received) : fill(texts.of, { received: number(received), claimed: number(claimed) });
  if (answersReceived === undefined || answersClaimed === undefined) return html`${rows}`;
  const answers = fill(texts.answers, { received: number(answersReceived), claimed: number(answersClaimed) });
  return html`${rows}<span class="quiet below">${answers}</span>`;
}

function instrument({ instrument: { since: slot, changed: isChanged }, values }: SourceReport): Html {
  if (slot === undefined) return html`${texts.instrumentUnknown}`;
  const measured = fill(texts.measured, { count: number(values.byPresentInstrument), all: number(values.count) });
  const story = fill(isChanged ? texts.changedOn : texts.unchanged, { slot });
  return html`${measured}<span class="quiet below">${story}</span>`;
}
