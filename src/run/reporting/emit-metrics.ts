/**
 * A run as metrics, written as log lines in CloudWatch's embedded metric format, which needs no permission:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 *
 * The only dimensions are the service and the names of tenants and sources, which are in the settings; never text from
 * a device. What a tenant's run measures is not under the service alone: its alarms are about the deployment's own runs.
 */

import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
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

/** Where the environment asks for metrics: a function or a task that the stack starts. */
export function readMetricsNaming(environment: Environment): MetricsNaming | undefined {
  const { POWERTOOLS_METRICS_NAMESPACE: namespace, POWERTOOLS_SERVICE_NAME: serviceName } = environment;
  return namespace && serviceName ? { namespace, serviceName } : undefined;
}

interface StartFacts {
  readonly milliseconds: number;
  /** No later start heals this slot by itself. */
  readonly isLastStart: boolean;
}

/** The whole run first, then each source. A superseded run does not know the figures of the published one. */
export function emitMetrics(
  { did, exit, night }: RunOutcome,
  { milliseconds, isLastStart }: StartFacts,
  naming: MetricsNaming,
): void {
  const all = createMetrics(naming);
  all.addMetric('Duration', MetricUnit.Milliseconds, Math.round(milliseconds));
  if (did === 'published' || did === 'unchanged') {
    all.addMetric('Published', MetricUnit.Count, did === 'published' ? 1 : 0);
    all.addMetric('Incomplete', MetricUnit.Count, exit === 3 ? 1 : 0);
    // Nothing yet where a later start may complete the slot: an alarm then waits for that start.
    if (exit !== 3 || isLastStart) {
      all.addMetric('StillIncomplete', MetricUnit.Count, exit === 3 ? 1 : 0);
    }
  }
  for (const row of night?.coverage ?? []) {
    const receipt = night?.sources.find(({ name }) => name === row.source)?.receipt;
    if (receipt === undefined) {
      addFigures(all, row);
    } else {
      emitSourceMetrics(row, receipt, naming);
    }
  }
  all.publishStoredMetrics();
}

function emitSourceMetrics(row: Coverage, receipt: Receipt, naming: MetricsNaming): void {
  const metrics = createMetrics(naming);
  metrics.addDimension('source', row.source);
  addFigures(metrics, row);
  if (receipt.claimed !== undefined) {
    metrics.addMetric('RowsClaimed', MetricUnit.Count, receipt.claimed);
  }
  metrics.addMetric('RowsReceived', MetricUnit.Count, receipt.received);
  metrics.publishStoredMetrics();
}

function addFigures(metrics: Metrics, row: Coverage): void {
  metrics.addMetric('Devices', MetricUnit.Count, row.devices);
  metrics.addMetric('Counted', MetricUnit.Count, row.counted);
  metrics.addMetric('NotInstalled', MetricUnit.Count, row.notInstalled);
  metrics.addMetric('Lost', MetricUnit.Count, row.lost);
  metrics.addMetric('Recovered', MetricUnit.Count, row.recovered);
  // 4 complete, 3 suspect, 2 untrusted, 1 carried, 0 missing.
  metrics.addMetric('Soundness', MetricUnit.Count, soundnesses.indexOf(row.soundness));
  const { coverage, low, high } = computeInterval(row);
  if (coverage !== '') {
    metrics.addMetric('Coverage', MetricUnit.Percent, Number(coverage));
    metrics.addMetric('CoverageLow', MetricUnit.Percent, Number(low));
    metrics.addMetric('CoverageHigh', MetricUnit.Percent, Number(high));
  }
}

function createMetrics({ namespace, serviceName, tenant }: MetricsNaming): Metrics {
  const metrics = new Metrics({ namespace, serviceName });
  if (tenant !== undefined) {
    metrics.addDimension('tenant', tenant);
  }
  return metrics;
}

/** How much of its memory the process has used at most so far, whosever run it was. Also for a run that failed. */
export function emitMemory(usedBytes: number, limitBytes: number, naming: MetricsNaming): void {
  const { tenant: _, ...ofService } = naming;
  const metrics = createMetrics(ofService);
  metrics.addMetric('MemoryUsed', MetricUnit.Percent, Math.round((usedBytes / limitBytes) * 1000) / 10);
  metrics.publishStoredMetrics();
}

/** What a verification found. */
export function emitVerification(damage: number, naming: MetricsNaming): void {
  const metrics = createMetrics(naming);
  metrics.addMetric('Damaged', MetricUnit.Count, damage);
  metrics.publishStoredMetrics();
}
