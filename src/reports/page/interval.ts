/** The number's interval, drawn: low, headline and high on one scale. */
import type { Figures } from '../document/report-document.ts';
import { type Html, html } from './html.ts';
import { fillText, formatPercent, overviewTexts } from './texts.ts';

const drawingSize = { width: 640, height: 104, left: 14, right: 14, axis: 66 } as const;

export function renderInterval({ coverage, low, high }: Figures): Html {
  if (coverage === undefined || low === undefined || high === undefined) {
    return html``;
  }
  const scale = computeScaleAround(low, high);
  const x = (value: number) => {
    const width = drawingSize.width - drawingSize.left - drawingSize.right;
    return Math.round((drawingSize.left + ((value - scale.from) / (scale.to - scale.from)) * width) * 10) / 10;
  };
  const label = fillText(overviewTexts.interval, {
    low: formatPercent(low),
    high: formatPercent(high),
    coverage: formatPercent(coverage),
  });
  const ticks = computeTicks(scale);
  const width = Math.max(2, x(high) - x(low));
  return html`<svg class="interval" viewBox="0 0 ${drawingSize.width} ${drawingSize.height}" role="img" aria-label="${label}">
<line class="axis" x1="${x(scale.from)}" x2="${x(scale.to)}" y1="${drawingSize.axis}" y2="${drawingSize.axis}"/>
${ticks.map((tick) => html`<line class="axis" x1="${x(tick)}" x2="${x(tick)}" y1="${drawingSize.axis}" y2="${drawingSize.axis + 5}"/><text class="tick" x="${x(tick)}" y="${drawingSize.axis + 20}" text-anchor="middle">${tick}</text>`)}
<rect class="reach" x="${x(low)}" y="${drawingSize.axis - 26}" width="${width}" height="26"/>
<line class="end" x1="${x(low)}" x2="${x(low)}" y1="${drawingSize.axis - 30}" y2="${drawingSize.axis + 1}"/><line class="end" x1="${x(high)}" x2="${x(high)}" y1="${drawingSize.axis - 30}" y2="${drawingSize.axis + 1}"/>
<line class="head" x1="${x(coverage)}" x2="${x(coverage)}" y1="${drawingSize.axis - 36}" y2="${drawingSize.axis + 1}"/>
${renderLabel(overviewTexts.certainly, 'low', low, Math.min(x(low) - 6, drawingSize.width / 2), 'end', x(low))}
${renderLabel(overviewTexts.most, 'high', high, x(high) + 6, 'start', x(high))}
</svg>`;
}

/** The label is beside its end of the interval, or above it where there is no room at the outer side. */
function renderLabel(name: string, id: string, value: number, x: number, anchor: 'start' | 'end', end: number): Html {
  const room = anchor === 'end' ? end : drawingSize.width - end;
  const isInside = room > 130;
  const [labelX, y] = isInside
    ? [x, drawingSize.axis - 8]
    : [anchor === 'end' ? drawingSize.left : drawingSize.width - drawingSize.right, 16];
  const turned = isInside ? anchor : anchor === 'end' ? 'start' : 'end';
  return html`<text class="label" x="${labelX}" y="${y}" text-anchor="${turned}">${name} <tspan class="strong" id="coverage-${id}">${formatPercent(value)}</tspan> %</text>`;
}

/** From a round number below the interval to one above, with room for the labels; both ends are always shown. */
function computeScaleAround(low: number, high: number): { from: number; to: number } {
  const pad = Math.max(3, (high - low) * 0.8);
  const from = Math.max(0, Math.floor((low - pad) / 5) * 5);
  const to = Math.min(100, Math.ceil((high + pad) / 5) * 5);
  return to - from > 60 ? { from: 0, to: 100 } : { from, to };
}

function computeTicks({ from, to }: { from: number; to: number }): number[] {
  const step = to - from > 50 ? 25 : to - from > 25 ? 10 : 5;
  const ticks = [from];
  for (let tick = Math.ceil((from + 1) / step) * step; tick < to; tick += step) {
    ticks.push(tick);
  }
  return [...ticks, to];
}
