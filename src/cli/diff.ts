/** `muster diff DATE DATE`: what changed between two kept runs, judged again from their facts. */
import { omitUndefined } from '../base/omit-undefined.ts';
import { openKeptStores } from '../compose/parts.ts';
import { sourceRules } from '../compose/source-kinds.ts';
import type { Change, Night } from '../core/facts/judged.ts';
import type { Coverage } from '../core/facts/state.ts';
import { type DifferenceKind, shareKinds } from '../core/facts/vocabulary.ts';
import { listUnprovenCauses } from '../core/source/certainty.ts';
import { computeInterval } from '../core/source/coverage.ts';
import { formatDifference } from '../core/source/difference.ts';
import { formatCount } from '../core/text/format-count.ts';
import { showWord } from '../core/text/shown-words.ts';
import { toPrintableText } from '../reports/cell.ts';
import { compareRuns } from '../reports/compare-runs.ts';
import { toChangeReport } from '../reports/document/devices.ts';
import { toFigures } from '../reports/document/trend.ts';
import { judgeKeptRun } from '../run/rebuild.ts';
import { type JsonOptions, printJson, printLines } from './console/session.ts';
import { formatCertainty } from './console/summary.ts';

export interface DiffOptions extends JsonOptions {
  /** Two slots, in any order. */
  readonly slots: readonly [string, string];
}

export async function printDifference({ settings, slots, json }: DiffOptions): Promise<number> {
  const { store } = await openKeptStores(settings, process.env);
  const [earlier, later] = [...slots].sort() as [string, string];
  const { night: before } = await judgeKeptRun(store, earlier, sourceRules);
  const { night: after } = await judgeKeptRun(store, later, sourceRules);
  return json ? printJson(describeDifference(before, after)) : printLines(formatComparison(before, after));
}

/** The difference for programs, with the names and words of report.json. */
function describeDifference(before: Night, after: Night) {
  const describe = ({ slot, coverage }: Night) => ({ slot, coverage: coverage.map(toFigures) });
  const { changes, difference } = compareRuns(before, after);
  const figures = { before: describe(before), after: describe(after), ...omitUndefined({ difference }) };
  return { agent: after.agent, ...figures, changes: changes.map(toChangeReport) };
}

export function formatComparison(before: Night, after: Night): string[] {
  const { changes, difference } = compareRuns(before, after);
  const total = after.coverage.at(-1);
  return [
    `${toPrintableText(after.agent)} – from the run of ${before.slot} to the run of ${after.slot}`,
    ...(difference && total ? [formatDifference(difference, total)] : []),
    '',
    ...formatBothFigures(before, after),
    ...(total ? formatCertainty(total, listUnprovenCauses(after.devices, after)) : []),
    ...listUnsound(before),
    ...listUnsound(after),
    '',
    ...formatChanges(changes),
  ];
}

/** Lines with the number of devices for each change, and the first of them by name. */
export function formatChanges(changes: readonly Change<DifferenceKind>[], most = changes.length): string[] {
  const more = changes.length - most;
  return [
    formatCounts(changes),
    ...changes.slice(0, most).map(formatChangedDevice),
    ...(more > 0 ? [`  and ${formatCount(more)} more`] : []),
  ];
}

const figureLines: readonly (readonly [name: string, read: (row: Coverage) => string])[] = [
  ['coverage', (row) => toPercent(computeInterval(row).coverage)],
  ['certainly', (row) => toPercent(computeInterval(row).low)],
  ['at most', (row) => toPercent(computeInterval(row).high)],
  ['counted', ({ counted }) => formatCount(counted)],
  ['needs action', ({ notInstalled }) => formatCount(notInstalled)],
];

/** The figures of two runs beside each other. */
export function formatBothFigures(
  before: Night,
  after: Night,
  heads: readonly [string, string] = [before.slot, after.slot],
): string[] {
  const [left, right] = [before.coverage.at(-1), after.coverage.at(-1)];
  if (left === undefined || right === undefined) {
    return [];
  }
  const rows = figureLines.map(([name, read]) => [name, read(left), read(right)]);
  return [['', ...heads], ...rows].map(
    ([name = '', one = '', other = '']) => `  ${name.padEnd(14)}${one.padStart(12)}${other.padStart(14)}`,
  );
}

function toPercent(figure: string): string {
  return figure === '' ? '–' : `${figure} %`;
}

/** Sources whose answers were old or untrusted, so that differences between them are not the devices'. */
function listUnsound({ slot, sources }: Night): string[] {
  return sources
    .filter(({ soundness }) => soundness !== 'complete')
    .map(({ name, soundness, baseline }) => {
      const shown = soundness === 'carried' ? `, shown as of ${baseline}` : '';
      return `  ${name}: ${showWord(soundness)} in the run of ${slot}${shown}`;
    });
}

function formatCounts(differences: readonly Change<DifferenceKind>[]): string {
  const counts = Object.entries(countChanges(differences)).map(([kind, count]) => `${formatCount(count)} ${kind}`);
  return counts.length === 0 ? '  No device changed.' : `  ${counts.join(', ')}`;
}

/** Numbers of changed devices by kind, the most important kinds first. */
export function countChanges(changes: readonly Change<DifferenceKind>[]): Readonly<Record<string, number>> {
  const counts = shareKinds.map((kind) => [kind, changes.filter((change) => change.kind === kind).length] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

function formatChangedDevice({ kind, source, device, reason }: Change<DifferenceKind>): string {
  const { name, serialNumber, id } = device;
  const parts = [name ?? '–', serialNumber ?? '–', `${source}/${id}`, reason].map(toPrintableText);
  return `  ${kind.padEnd(18)}${parts.join('  ')}`;
}
