/**
 * Writes a run's metrics as log lines in CloudWatch's embedded metric format, which needs no permission:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 *
 * The only dimensions are the service and the names of tenants and sources, which are in the settings; never text from
 * a device. A tenant's metrics are not repeated under the service alone, whose alarms are about the deployment's own
 * runs.
 */

import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { Receipt } from '../../core/facts/facts.ts';
import type { Coverage } from '../../core/facts/state.ts';
import { soundnesses } from '../../core/facts/vocabulary.ts';
import { computeInterval } from '../../core/source/coverage.ts';
import type { Environment } from '../../settings/tenants.ts';
import type { RunOutcome } from '../outcome.ts';

export interface MetricsNaming {
  readonly namespace: string;
  readonly serviceName: string;
  /** A deployment can have many tenants. */
  readonly tenant?: string;
}

/** Names from the environment of a function or task of the stack; undefined where it asks for no metrics. */
export function readMetricsNaming(environment: Environment): MetricsNaming | undefined {
  const { POWERTOOLS_METRICS_NAMESPACE: namespace, POWERTOOLS_SERVICE_NAME: serviceName } = environment;
  return namespace && serviceName ? { namespace, serviceName } : undefined;
}

interface StartFacts {
  readonly milliseconds: number;
  /** True where no later start heals this slot by itself. */
  readonly isLastStart: boolean;
}

/** A figure, which counts unless a unit is given. */
type Figure = readonly [name: string, value: number, unit?: (typeof MetricUnit)[keyof typeof MetricUnit]];

/** Emits the figures of each source, then of the whole run. A superseded run does not know those of the published one. */
export function emitMetrics(
  { did, exit, night }: RunOutcome,
  { milliseconds, isLastStart }: StartFacts,
  naming: MetricsNaming,
): void {
  const all: Figure[] = [['Duration', Math.round(milliseconds), MetricUnit.Milliseconds]];
  if (did === 'published' || did === 'unchanged') {
    all.push(['Published', did === 'published' ? 1 : 0], ['Incomplete', exit === 3 ? 1 : 0]);
    // Left out while a later start may complete the slot: an alarm then waits for that start.
    if (exit !== 3 || isLastStart) {
      all.push(['StillIncomplete', exit === 3 ? 1 : 0]);
    }
  }
  for (const row of night?.coverage ?? []) {
    const receipt = night?.sources.find(({ name }) => name === row.source)?.receipt;
    if (receipt === undefined) {
      all.push(...listFigures(row));
    } else {
      emit([...listFigures(row), ...listRows(receipt)], naming, row.source);
    }
  }
  emit(all, naming);
}

function listFigures(row: Coverage): Figure[] {
  const { coverage, low, high } = computeInterval(row);
  const interval = { Coverage: coverage, CoverageLow: low, CoverageHigh: high };
  return [
    ['Devices', row.devices],
    ['Counted', row.counted],
    ['NotInstalled', row.notInstalled],
    ['Lost', row.lost],
    ['Recovered', row.recovered],
    // Index in the list of words, worst first: 0 is missing.
    ['Soundness', soundnesses.indexOf(row.soundness)],
    ...Object.entries(interval)
      .filter(([, percent]) => percent !== '')
      .map(([name, percent]): Figure => [name, Number(percent), MetricUnit.Percent]),
  ];
}

function listRows({ claimed, received }: Receipt): Figure[] {
  return [...(claimed === undefined ? [] : [['RowsClaimed', claimed] as const]), ['RowsReceived', received]];
}

/** Emits the largest share of memory that the process has used, in percent over all its runs, also after a failed run. */
export function emitMemory(usedBytes: number, limitBytes: number, naming: MetricsNaming): void {
  const { tenant: _, ...ofService } = naming;
  const percent = Math.round((usedBytes / limitBytes) * 1000) / 10;
  emit([['MemoryUsed', percent, MetricUnit.Percent]], ofService);
}

export function emitVerification(damage: number, naming: MetricsNaming): void {
  emit([['Damaged', damage]], naming);
}

function emit(figures: readonly Figure[], { namespace, serviceName, tenant }: MetricsNaming, source?: string): void {
  const metrics = new Metrics({ namespace, serviceName });
  for (const [name, value] of Object.entries(omitUndefined({ tenant, source }))) {
    metrics.addDimension(name, value);
  }
  for (const [name, value, unit = MetricUnit.Count] of figures) {
    metrics.addMetric(name, unit, value);
  }
  metrics.publishStoredMetrics();
}
