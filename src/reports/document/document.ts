/** A judged night → `report.json`'s contents: the one document that the page and the workbook's summary show. */
import type { Night } from '../../core/judged.ts';
import { changeOf, devicesOf } from './devices.ts';
import { groupsOf } from './groups.ts';
import type { ReportDocument } from './shape.ts';
import { sourceOf } from './sources.ts';
import { figuresOf, trendOf } from './trend.ts';

const made = new WeakMap<Night, ReportDocument>();

/** Made once a night: three reports read it. */
export function documentOf(night: Night): ReportDocument {
  const known = made.get(night) ?? makeDocument(night);
  made.set(night, known);
  return known;
}

function makeDocument(night: Night): ReportDocument {
  const { muster, agent, slot, moment, policy, platformTitles, accepted, exemptions } = night;
  return {
    ...{ schema: 1, kind: 'muster-report', muster, agent, slot, moment, policy, platformTitles },
    ...(accepted === undefined ? {} : { accepted }),
    coverage: night.coverage.map(figuresOf),
    sources: night.sources.map((source) => sourceOf(source, night)),
    trend: trendOf(night.state.history, slot),
    exemptions,
    groups: groupsOf(night.groups),
    changes: night.changes.map(changeOf),
    devices: devicesOf(night),
  };
}
