/**
 * A night as metrics, written as log lines in CloudWatch's embedded metric format, which needs no permission:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 *
 * The only dimensions are the service and the names of sources, which the settings give; never a device's text.
 */

import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { computeInterval } from '../core/coverage.ts';
import type { Receipt } from '../core/facts.ts';
import type { Coverage } from '../core/figures.ts';
import { soundnesses } from '../core/vocabulary.ts';
import type { RunOutcome } from '../night.ts';

interface MetricsNaming {
  readonly namespace: string;
  readonly serviceName: string;
}

/** The whole night first, then each source. A night that was superseded knows nothing of what stands. */
export function emitMetrics({ did, exit, night }: RunOutcome, milliseconds: number, naming: MetricsNaming): void {
  const all = new Metrics(naming);
  all.addMetric('Duration', MetricUnit.Milliseconds, Math.round(milliseconds));
  if (did === 'published' || did === 'unchanged') {
    all.addMetric('Published', MetricUnit.Count, did === 'published' ? 1 : 0);
    all.addMetric('Incomplete', MetricUnit.Count, exit === 3 ? 1 : 0);
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
  const metrics = new Metrics(naming);
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
  if (coverage === '') {
    return;
  }
  metrics.addMetric('Coverage', MetricUnit.Percent, Number(coverage));
  metrics.addMetric('CoverageLow', MetricUnit.Percent, Number(low));
  metrics.addMetric('CoverageHigh', MetricUnit.Percent, Number(high));
}
