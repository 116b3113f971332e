/** The trend section: a chart for all devices and one for each platform, on one scale. */
import type { ReportDocument } from '../../document/report-document.ts';
import { fillText, formatPlatform } from '../shared/format.ts';
import { toWordId } from '../shared/glossary.ts';
import { overviewTexts, trendTexts as texts } from '../shared/texts.ts';
import { formatTrendNight } from '../shared/trend-scale.ts';
import { computeScale, isCut, renderChart, renderSign } from './chart.ts';
import { type Html, html, renderIsolatedText } from './html.ts';

export function renderTrends(document: ReportDocument): Html {
  const shown = document.trend.length === 2 ? document.trend.slice(1) : document.trend;
  const target = document.policy.minimumCoverage;
  const scale = computeScale(shown, document.slot, target);
  const nights = shown.flatMap((trend) => trend.nights);
  return html`<section id="trend" aria-labelledby="trend-title"><h2 id="trend-title">${texts.title}</h2><p class="lead">${texts.lead}</p>
<div class="charts">${shown.map((trend) => {
    const name = formatPlatform(document.platformTitles, trend.platform);
    const last = trend.nights.at(-1);
    const label = fillText(texts.chart, { platform: name });
    return html`<figure class="chart" data-platform="${trend.platform}" data-low="${scale.low}" data-high="${scale.high}" data-first="${scale.first}"><figcaption>${name}</figcaption><div class="plot" tabindex="0" role="slider" aria-label="${label}" aria-valuemin="1" aria-valuemax="${Math.max(1, trend.nights.length)}" aria-valuenow="${Math.max(1, trend.nights.length)}" aria-valuetext="${last ? formatTrendNight(last) : texts.empty}">${renderChart(trend, scale, target, document.notes)}</div><p class="readout" aria-hidden="true">${last ? formatTrendNight(last) : texts.empty}</p></figure>`;
  })}</div>
<ul class="legend"><li><svg class="key" viewBox="0 0 22 12" aria-hidden="true"><rect class="band" x="0" y="1" width="22" height="10"/><line class="line" x1="0" x2="22" y1="6" y2="6"/></svg>${texts.line}, ${texts.band}</li>${[
    'carried',
    'suspect',
    'untrusted',
    'missing',
  ]
    .filter((word) => nights.some((night) => night.soundness === word))
    .map((word) => html`<li>${renderKeySign(word)}<a href="#${toWordId('soundness', word)}">${word}</a></li>`)}${
    nights.some((night) => night.instrumentChanged.length > 0)
      ? html`<li>${renderKeySign('instrument')}${texts.instrumentMark}</li>`
      : ''
  }${nights.some((night) => isCut(night, scale)) ? html`<li>${renderKeySign('cut')}${texts.cutMark}</li>` : ''}${
    target === undefined
      ? ''
      : html`<li><svg class="key" viewBox="0 0 22 12" aria-hidden="true"><line class="target" x1="0" x2="22" y1="6" y2="6"/></svg>${fillText(overviewTexts.target, { target })}</li>`
  }</ul>
${document.notes.length === 0 ? '' : html`<h3>${texts.notes}</h3><ol class="notes">${document.notes.map(({ date, text }) => html`<li>${date}: ${renderIsolatedText(text)}</li>`)}</ol>`}
<details class="exact" id="exact"><summary>${texts.table}</summary><div></div></details></section>`;
}

function renderKeySign(word: string): Html {
  return html`<svg class="key" viewBox="0 0 12 12" aria-hidden="true">${renderSign(word, 6, word === 'cut' ? 7 : 6)}</svg>`;
}
