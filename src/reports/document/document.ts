/** A judged run → the contents of `report.json`: the document that the page and the workbook's summary show. */
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { Night } from '../../core/facts/judged.ts';
import { type Report, toBuffers } from '../report.ts';
import { listBreakdown } from './coverage-by.ts';
import { listReportedDevices, listTransitions, toChangeReport } from './devices.ts';
import { buildGroupReports } from './groups.ts';
import type { ReportDocument } from './report-document.ts';
import { buildSourceReport } from './sources.ts';
import { buildTrends, countOpenFor, forecastTarget, selectNotes, toFigures } from './trend.ts';

const documentCache = new WeakMap<Night, ReportDocument>();

/** Made once for each run, since three reports read it. */
export function getReportDocument(night: Night): ReportDocument {
  const known = documentCache.get(night) ?? buildReportDocument(night);
  documentCache.set(night, known);
  return known;
}

function buildReportDocument(night: Night): ReportDocument {
  const trend = buildTrends(night.state.history, night.slot);
  const { muster, agent, slot, moment, policy, operatingSystemTitles, accepted, exemptions, acknowledgements, lists } =
    night;
  return {
    schema: 1,
    kind: 'muster-report',
    muster,
    agent,
    slot,
    moment,
    policy,
    platformTitles: operatingSystemTitles,
    ...omitUndefined({ accepted }),
    coverage: night.coverage.map(toFigures),
    coverageBy: listBreakdown(night),
    sources: night.sources.map((source) => buildSourceReport(source, night)),
    trend,
    notes: selectNotes(night.notes, trend, slot),
    ...omitUndefined({ forecast: forecastTarget(trend[0]?.nights ?? [], slot, policy.minimumCoverage) }),
    openFor: countOpenFor(night),
    exemptions,
    ...(acknowledgements.length === 0 ? {} : { acknowledgements }),
    ...(Object.keys(lists).length === 0 ? {} : { lists }),
    groups: buildGroupReports(night.groups),
    changes: night.changes.map(toChangeReport),
    ...omitUndefined({ difference: night.difference }),
    transitions: listTransitions(night),
    devices: listReportedDevices(night),
  };
}

/** `report.json`: the document, with one line for each element of a list. */
export const jsonReport: Report = {
  file: 'report.json',
  render: (night) => toBuffers(renderJsonLines(getReportDocument(night))),
};

function* renderJsonLines(document: object): Generator<string> {
  let before = '{\n';
  for (const [name, value] of Object.entries(document)) {
    yield `${before}${JSON.stringify(name)}: `;
    if (Array.isArray(value)) {
      yield* renderJsonArray(value);
    } else {
      yield JSON.stringify(value);
    }
    before = ',\n';
  }
  yield '\n}\n';
}

function* renderJsonArray(values: readonly unknown[]): Generator<string> {
  let before = '[\n';
  for (const value of values) {
    yield `${before}${JSON.stringify(value)}`;
    before = ',\n';
  }
  yield values.length === 0 ? '[]' : '\n]';
}
