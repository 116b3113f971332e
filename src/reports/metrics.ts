/**
 * `metrics.prom`: the figures of a run as OpenMetrics text for Prometheus, whose node exporter collects the file, or
 * for any web server: https://prometheus.io/docs/specs/om/open_metrics_spec/. Every metric is a gauge, and no label
 * contains text from a device.
 */

import type { JudgedSource, Night } from '../core/facts/judged.ts';
import type { Coverage, CoverageFigures, ListFigures } from '../core/facts/state.ts';
import { soundnesses } from '../core/facts/vocabulary.ts';
import { readAnswerAge } from '../core/record/judge-record.ts';
import { computeInterval, computeReportingInterval } from '../core/source/coverage.ts';
import { type Report, toBuffers } from './report.ts';

export const metricsReport: Report = {
  file: 'metrics.prom',
  render: (night) => toBuffers(renderMetrics(night)),
};

interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  /** Undefined where it is not known; then there is no line. */
  readonly value: number | undefined;
}

interface MetricFamily {
  /** Name without `muster_`; a unit is its last word, as OpenMetrics requires. */
  readonly name: string;
  readonly help: string;
  readonly list: (night: Night) => readonly Sample[];
}

const families: readonly MetricFamily[] = [
  {
    name: 'run_timestamp_seconds',
    help: 'The scheduled moment of the run.',
    list: ({ moment }) => [{ labels: {}, value: toSeconds(moment) }],
  },
  defineRatio(
    'coverage_ratio',
    'Share of the counted devices that are Installed.',
    (row) => computeInterval(row).coverage,
  ),
  defineRatio('coverage_low_ratio', 'Certainly at least this share has the agent.', (row) => computeInterval(row).low),
  defineRatio('coverage_high_ratio', 'At most this share can have the agent.', (row) => computeInterval(row).high),
  defineCount('devices', 'Devices that the platform lists.', 'devices'),
  defineCount('counted_devices', 'Devices in scope.', 'counted'),
  defineCount('excluded_devices', 'Devices that are not counted.', 'excluded'),
  defineCount('installed_devices', 'Counted devices that are Installed.', 'installed'),
  defineCount('not_installed_devices', 'Counted devices that are Not Installed: they need action.', 'notInstalled'),
  defineCount('proven_installed_devices', 'Installed by a clear, recent answer.', 'provenInstalled'),
  defineCount('proven_not_installed_devices', 'Not Installed by a clear, recent answer.', 'provenNotInstalled'),
  defineCount('stale_devices', 'Counted devices whose answer is old or of unknown age.', 'stale'),
  defineCount('lost_devices', 'Devices that lost the agent since the baseline.', 'lost'),
  defineCount('recovered_devices', 'Devices that got the agent back since the baseline.', 'recovered'),
  defineCount('joined_devices', 'Devices that were added to scope since the baseline.', 'joined'),
  defineCount('left_devices', 'Devices that were removed from scope since the baseline.', 'left'),
  defineCount('silent_devices', 'Installed devices that their console has not seen.', 'silent'),
  defineCount('not_expected_devices', 'Counted devices that are not on the list of machines.', 'notExpected'),
  defineCount('expected_machines', 'Machines on the list of expected ones.', 'expected'),
  defineCount('unenrolled_machines', 'Machines on that list that are enrolled nowhere.', 'enrolledNowhere'),
  defineRatio('reporting_ratio', 'Share that have it and report.', (row) => computeReportingInterval(row).coverage),
  defineRatio(
    'reporting_low_ratio',
    'Certainly at least this share reports.',
    (row) => computeReportingInterval(row).low,
  ),
  defineRatio('reporting_high_ratio', 'At most this share can report.', (row) => computeReportingInterval(row).high),
  {
    name: 'soundness',
    help: 'Data quality: 1 for the word that holds, 0 for the others.',
    list: ({ coverage }) =>
      coverage.flatMap((row) =>
        soundnesses.map((soundness) => ({
          labels: { ...toLabels(row), soundness },
          value: Number(row.soundness === soundness),
        })),
      ),
  },
  {
    name: 'answer_age_seconds',
    help: 'Age of the answers of counted devices at the scheduled moment, so many percent are younger.',
    list: listAnswerAges,
  },
  defineReading('failed_checks', 'Checks of the deployment that do not pass.', ({ findings }) => {
    return findings.filter(({ result }) => result === 'fail' || result === 'unknown').length;
  }),
  defineReading('received_rows', 'Devices received from the platform.', ({ receipt }) => receipt.received),
  defineReading('claimed_rows', 'Devices that the platform says it has.', ({ receipt }) => receipt.claimed),
  defineReading('retries', 'Requests that were repeated.', ({ receipt }) => receipt.retries),
  defineReading('reading_seconds', 'How long the source was read.', ({ receipt: { started, ended } }) => {
    return (Date.parse(ended) - Date.parse(started)) / 1000;
  }),
];

function* renderMetrics(night: Night): Generator<string> {
  for (const { name, help, list } of families) {
    const family = `muster_${name}`;
    const unit = /_(ratio|seconds)$/.exec(name)?.[1];
    yield `# HELP ${family} ${help}\n# TYPE ${family} gauge\n`;
    yield unit === undefined ? '' : `# UNIT ${family} ${unit}\n`;
    for (const { labels, value } of list(night)) {
      yield value === undefined ? '' : `${family}${formatLabels(labels)} ${value}\n`;
    }
  }
  yield '# EOF\n';
}

function formatLabels(labels: Sample['labels']): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value.replace(/["\\]/g, '\\$&')}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function toLabels({ source, operatingSystem: platform }: Coverage) {
  return { source, platform };
}

function toSeconds(moment: string): number {
  return Date.parse(moment) / 1000;
}

/** Defines a ratio from figures in percent with two decimals; no value where no device is counted. */
function defineRatio(name: string, help: string, compute: (row: Coverage) => string): MetricFamily {
  const read = (row: Coverage) => {
    const percent = compute(row);
    return percent === '' ? undefined : Number((Number(percent) / 100).toFixed(4));
  };
  return { name, help, list: ({ coverage }) => listFigures(coverage, read) };
}

function defineCount(name: string, help: string, figure: keyof CoverageFigures | keyof ListFigures): MetricFamily {
  return { name, help, list: ({ coverage }) => listFigures(coverage, (row) => row[figure]) };
}

function listFigures(rows: readonly Coverage[], read: (row: Coverage) => number | undefined): Sample[] {
  return rows.map((row) => ({ labels: toLabels(row), value: read(row) }));
}

function defineReading(name: string, help: string, read: (source: JudgedSource) => number | undefined): MetricFamily {
  return {
    name,
    help,
    list: ({ sources }) => sources.map((source) => ({ labels: { source: source.name }, value: read(source) })),
  };
}

const agePercents = [50, 90];

function listAnswerAges({ moment, sources, devices }: Night): Sample[] {
  return sources.flatMap(({ name }) => {
    const counted = devices.filter(({ source, judgement }) => source === name && judgement.counted);
    const ages = counted
      .flatMap((device) => readAnswerAge(device) ?? [])
      .map((time) => Math.max(0, toSeconds(moment) - time / 1000))
      .sort((one, other) => one - other);
    return agePercents.map((percent) => ({
      labels: { source: name, percent: String(percent) },
      value: ages[Math.ceil((ages.length * percent) / 100) - 1],
    }));
  });
}
