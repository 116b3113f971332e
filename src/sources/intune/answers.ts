/** Reads the answers of the devices: the rows of all apps' reports, each proved complete on its own. */
import { MusterError } from '../../base/errors.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { DeviceFacts } from '../../core/facts/facts.ts';
import { type AnswersProof, answersProofs } from '../../core/facts/vocabulary.ts';
import type { ReadContext, SourceReading } from '../source.ts';
import type { AppDefinition } from './apps.ts';
import type { Graph } from './client.ts';
import { foldDeviceId, type ListedDevice, parseReportAnswers, type RowsByDevice } from './parse.ts';
import { readAppReport } from './report/proof.ts';
import { createReportUnreadableError, type ReportRow } from './report/rows.ts';
import type { OnCounted } from './report/synchronous.ts';
import { intuneRules } from './rules.ts';

export async function readAppReports(
  graph: Graph,
  apps: readonly AppDefinition[],
  context: ReadContext,
  reading: SourceReading,
): Promise<ReportRow[]> {
  const { instrument, answers } = context.remembered;
  // Numbers of another selection of apps cannot be compared.
  const remembered = instrument?.id === undefined || instrument.id === reading.instrument.id ? (answers ?? 0) : 0;
  const counts = new Map<string, Parameters<OnCounted>[0]>();
  const reports = await Promise.all(
    apps.map(({ id: appId }) =>
      readAppReport(graph, {
        appId,
        baseline: apps.length === 1 ? remembered : undefined,
        onCounted: (count) => {
          counts.set(appId, count);
          recordCounts(reading.receipt, [...counts.values()]);
        },
      }),
    ),
  );
  const rows = reports.flatMap((report, index) => {
    const { id = '' } = apps[index] ?? {};
    checkStates(report.rows, graph.who, id);
    return apps.length === 1 ? report.rows : report.rows.map((row) => ({ ...row, app: id }));
  });
  const proofs = reports.map(({ proof }) => proof);
  const answersProof = proofsWeakestFirst.find((proof) => proofs.includes(proof));
  Object.assign(reading.receipt, omitUndefined({ answersProof }));
  if (rows.length > 0 || remembered === 0) {
    return rows;
  }
  throw new MusterError(
    'rows-missing',
    `${graph.who} returned no row in any app's report, where the last good run had ${remembered}. ` +
      'Check in the admin centre that the apps are still assigned.',
  );
}

/** Throws where no row has a known state: the format must have changed, and every device would be Not Installed. */
function checkStates(rows: readonly ReportRow[], who: string, appId: string): void {
  const states = new Set(rows.map(({ state }) => state.trim()));
  states.delete('');
  if (states.size > 0 && ![...states].some((state) => intuneRules.words.has(state))) {
    throw createReportUnreadableError(who, `has no known InstallState in any row (app ${appId})`);
  }
}

const proofsWeakestFirst = Object.keys(answersProofs) as readonly AnswersProof[];

function recordCounts(receipt: SourceReading['receipt'], counts: readonly Parameters<OnCounted>[0][]): void {
  receipt.answersReceived = sum(counts.map(({ rows }) => rows));
  const totals = counts.flatMap(({ total }) => total ?? []);
  if (totals.length === counts.length) {
    receipt.answersClaimed = sum(totals);
  } else {
    delete receipt.answersClaimed;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Whether the assignments have filters; undefined where no row says it. */
export function findFilters(rows: readonly ReportRow[]): boolean | undefined {
  const known = rows.flatMap(({ hasFilter }) => hasFilter ?? []);
  return known.length === 0 ? undefined : known.includes(true);
}

/** Returns the Windows devices, each with its rows, which it takes out of `rows`. */
export function addAnswers(listed: readonly ListedDevice[], rows: RowsByDevice): DeviceFacts[] {
  const devices: DeviceFacts[] = [];
  for (const { id, facts } of listed) {
    if (facts !== undefined) {
      const key = foldDeviceId(id);
      devices.push({ ...facts, answers: parseReportAnswers(rows.get(key) ?? []) });
      // Frees the memory of the rows, which the device replaces.
      rows.delete(key);
    }
  }
  return devices;
}
