/** Makes `report.json`, version 1, from a judged run; the page and the workbook's summary are made from it: docs/report.md. */

import { omitUndefined } from '../../base/omit-undefined.ts';
import type { Night } from '../../core/facts/judged.ts';
import { listUnprovenCauses } from '../../core/source/certainty.ts';
import { listBreakdown } from './coverage-by.ts';
import { listReportedDevices, listTransitions, toChangeReport } from './devices.ts';
import { buildGroupReports } from './groups.ts';
import { buildSourceReport } from './sources.ts';
import { buildTrends, countOpenFor, forecastTarget, listIgnoredNotes, selectNotes, toFigures } from './trend.ts';

export type ReportDocument = Readonly<ReturnType<typeof buildReportDocument>>;

export function buildReportDocument(night: Night) {
  const trend = buildTrends(night.state.history, night.slot);
  const { muster, agent, slot, moment, policy, operatingSystemTitles, accepted, exemptions, acknowledgements, lists } =
    night;
  return {
    schema: 1 as const,
    kind: 'muster-report' as const,
    muster,
    agent,
    slot,
    moment,
    policy,
    platformTitles: operatingSystemTitles,
    ...omitUndefined({ accepted }),
    /** One for each source, then one for all. */
    coverage: night.coverage.map(toFigures),
    /** Causes of the interval's width for all devices, largest first. */
    unproven: listUnprovenCauses(night.devices, night),
    coverageBy: listBreakdown(night),
    sources: night.sources.map((source) => buildSourceReport(source, night)),
    /** One for all, then one for each platform. */
    trend,
    /** Notes about the days of the trend, oldest first. */
    notes: selectNotes(night.notes, trend, slot),
    /** Rows of the notes file that are not understood, by line and with the reason. */
    ...omitUndefined({ ignoredNotes: listIgnoredNotes(night.notes) }),
    ...omitUndefined({ forecast: forecastTarget(trend[0]?.nights ?? [], slot, policy.minimumCoverage) }),
    openFor: countOpenFor(night),
    exemptions,
    ...omitUndefined({ acknowledgements: acknowledgements.length === 0 ? undefined : acknowledgements }),
    /** Missing where the settings name none. */
    ...omitUndefined({ lists: Object.keys(lists).length === 0 ? undefined : lists }),
    groups: buildGroupReports(night.groups),
    changes: night.changes.map(toChangeReport),
    /** Differences between coverage and the baselines'; absent where a source cannot be compared with one. */
    ...omitUndefined({ difference: night.difference }),
    transitions: listTransitions(night),
    devices: listReportedDevices(night),
  };
}
