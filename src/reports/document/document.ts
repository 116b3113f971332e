/** A judged run → the contents of `report.json`: the document that the page and the workbook's summary show. */
import type { Night } from '../../core/judged.ts';
import { omitUndefined } from '../../omit-undefined.ts';
import { listBreakdown } from './coverage-by.ts';
import { buildDeviceReports, toChangeReport } from './devices.ts';
import { countOpenFor, forecastTarget } from './forecast.ts';
import { buildGroupReports } from './groups.ts';
import type { ReportDocument } from './report-document.ts';
import { buildSourceReport } from './sources.ts';
import { listTransitions } from './transitions.ts';
import { buildTrends, selectNotes, toFigures, toIntervalFigures } from './trend.ts';

const documentCache = new WeakMap<Night, ReportDocument>();

/** Made once for each run, since three reports read it. */
export function getReportDocument(night: Night): ReportDocument {
  const known = documentCache.get(night) ?? buildReportDocument(night);
  documentCache.set(night, known);
  return known;
}

function buildReportDocument(night: Night): ReportDocument {
  const trend = buildTrends(night.state.history, night.slot);
  const { muster, agent, slot, moment, policy, platformTitles, accepted, exemptions, acknowledgements } = night;
  return {
    schema: 1,
    kind: 'muster-report',
    muster,
    agent,
    slot,
    moment,
    policy,
    platformTitles,
    ...omitUndefined({ accepted }),
    coverage: night.coverage.map(toFigures),
    coverageBy: listBreakdown(night).map((row) => ({ ...row, ...toIntervalFigures(row) })),
    sources: night.sources.map((source) => buildSourceReport(source, night)),
    trend,
    notes: selectNotes(night.notes, trend, slot),
    ...omitUndefined({ forecast: forecastTarget(trend[0]?.nights ?? [], slot, policy.minimumCoverage) }),
    openFor: countOpenFor(night),
    exemptions,
    ...(acknowledgements.length === 0 ? {} : { acknowledgements }),
    groups: buildGroupReports(night.groups),
    changes: night.changes.map(toChangeReport),
    transitions: listTransitions(night),
    devices: buildDeviceReports(night),
  };
}
