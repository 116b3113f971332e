/**
 * Draws the number's interval: low, headline, high and the target on one scale. Horizontal places are percent of the
 * drawing's width, so that its text keeps its size on every screen.
 */

import { type Html, html } from '../../../base/html.ts';
import type { Figures } from '../../document/trend.ts';
import { fillText, formatPercent } from '../shared/format.ts';
import { intervalTexts, overviewTexts } from '../shared/texts.ts';

/** A target is written below the axis. */
const drawingSize = { height: 96, heightWithTarget: 116, axis: 72 } as const;
/** Percent of the width that a label needs beside its end of the interval, also on a phone. */
const roomForLabel = 40;
/** Percent of the line that leads from a label outside to its end of the interval. */
const leader = 24;

export function renderInterval({ coverage, low, high }: Figures, target: number | undefined): Html {
  if (coverage === undefined || low === undefined || high === undefined) {
    return html``;
  }
  const scale = computeScaleAround(Math.min(low, target ?? low), Math.max(high, target ?? high));
  const x = (value: number) => Math.round(((value - scale.from) / (scale.to - scale.from)) * 10_000) / 100;
  const label = fillText(target === undefined ? overviewTexts.interval : overviewTexts.intervalAndTarget, {
    low: formatPercent(low),
    high: formatPercent(high),
    coverage: formatPercent(coverage),
    target: target ?? '',
  });
  const { axis, height, heightWithTarget } = drawingSize;
  const width = Math.max(0.4, x(high) - x(low));
  return html`<svg class="interval" height="${target === undefined ? height : heightWithTarget}" role="img" aria-label="${label}">
<line class="axis" x1="0" x2="100%" y1="${axis}" y2="${axis}"/>
${computeTicks(scale).map((tick) => html`<line class="axis" x1="${x(tick)}%" x2="${x(tick)}%" y1="${axis}" y2="${axis + 5}"/><text class="tick" x="${x(tick)}%" y="${axis + 20}" text-anchor="middle">${tick}</text>`)}
<rect class="reach" x="${x(low)}%" y="${axis - 26}" width="${width}%" height="26"/>
<line class="end" x1="${x(low)}%" x2="${x(low)}%" y1="${axis - 30}" y2="${axis + 1}"/><line class="end" x1="${x(high)}%" x2="${x(high)}%" y1="${axis - 30}" y2="${axis + 1}"/>
<line class="head" x1="${x(coverage)}%" x2="${x(coverage)}%" y1="${axis - 36}" y2="${axis + 1}"/>
${renderLabel('low', low, x(low))}
${renderLabel('high', high, x(high))}
${target === undefined ? '' : renderTargetMark(target, x(target))}
</svg>`;
}

function renderLabel(id: 'low' | 'high', value: number, end: number): Html {
  const isLow = id === 'low';
  const isBeside = (isLow ? end : 100 - end) > roomForLabel;
  const anchor = isBeside === isLow ? 'end' : 'start';
  const outer = isLow ? '0' : '100%';
  const place = isBeside ? `${end}%` : outer;
  const shift = isBeside ? (isLow ? -6 : 6) : 0;
  const { axis } = drawingSize;
  const lead = html`<line class="end" x1="${end}%" x2="${outer}" y1="${leader}" y2="${leader}"/><line class="end" x1="${end}%" x2="${end}%" y1="${leader}" y2="${axis - 30}"/>`;
  return html`${isBeside ? '' : lead}<text class="label" x="${place}" dx="${shift}" y="${isBeside ? axis - 8 : leader - 6}" text-anchor="${anchor}">${intervalTexts[id]} <tspan class="strong" id="coverage-${id}">${formatPercent(value)}</tspan> %</text>`;
}

function renderTargetMark(target: number, x: number): Html {
  const { axis } = drawingSize;
  const anchor = x > 75 ? 'end' : x < 25 ? 'start' : 'middle';
  return html`<line class="target" x1="${x}%" x2="${x}%" y1="${axis - 34}" y2="${axis + 6}"/><text class="tick" x="${x}%" y="${axis + 38}" text-anchor="${anchor}">${fillText(overviewTexts.target, { target })}</text>`;
}

/** The scale from a round number below the interval to one above, with room for the labels and both ends. */
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
