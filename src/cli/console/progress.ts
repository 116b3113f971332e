/** Progress of a run on a terminal: a live line for each source. */

import { formatCount } from '../../core/text/format-count.ts';
import { pluralize } from '../../core/text/pluralize.ts';
import type { ProgressListener, ProgressStep } from '../../run/gather.ts';
import { formatWaiting } from '../../run/reporting/log-progress.ts';

interface Terminal {
  write(text: string): unknown;
  readonly columns?: number;
}

/** Milliseconds between two updates. */
const redrawInterval = 100;

export function createProgressView(terminal: Terminal, elapsed: () => number) {
  const lines = new Map<string, string>();
  const began = elapsed();
  let drawn = 0;
  let last = Number.NEGATIVE_INFINITY;
  const draw = () => {
    const up = drawn > 0 ? `\u001b[${drawn}A` : '';
    const width = (terminal.columns ?? 100) - 1;
    terminal.write(up + [...lines.values()].map((line) => `\u001b[2K${line.slice(0, width)}\n`).join(''));
    drawn = lines.size;
    last = elapsed();
  };
  const watch: ProgressListener = (source, step) => {
    lines.set(source, formatProgressLine(source, step, (elapsed() - began) / 1000));
    // Draws states that stay on the screen for a while at once.
    if ('reading' in step || 'nextTryAt' in step || elapsed() - last >= redrawInterval) {
      draw();
    }
  };
  // Closing keeps the last state of every line on the screen.
  return { watch, close: draw };
}

function formatProgressLine(source: string, step: ProgressStep, seconds: number): string {
  const name = `  ${source.padEnd(12)}`;
  if ('reading' in step) {
    const { received, pages, retries, readings } = step.receipt;
    const word = step.reading === 'complete' ? 'complete' : `not complete: ${step.problem?.code}`;
    const twice = readings === undefined ? '' : ', at the second reading';
    return `${name} ${word}${twice}, ${formatCount(received)} ${pluralize(received, 'row')} in ${formatCount(pages)} ${pluralize(pages, 'page')}${formatRetries(retries)}`;
  }
  if ('nextTryAt' in step) {
    return `${name} waiting: ${formatWaiting(step)}`;
  }
  if ('after' in step) {
    return `${name} reading once more after ${step.after.code}`;
  }
  const rate = seconds > 0.5 && step.rows > 0 ? `, ${formatCount(Math.round(step.rows / seconds))}/s` : '';
  const counts = `${formatCount(step.rows)} ${pluralize(step.rows, 'row')}, ${formatCount(step.pages)} ${pluralize(step.pages, 'page')}`;
  return `${name} ${step.doing}: ${counts}${rate}${formatRetries(step.retries)}`;
}

function formatRetries(retries: number): string {
  return retries === 0 ? '' : `, ${formatCount(retries)} ${pluralize(retries, 'retry', 'retries')}`;
}
