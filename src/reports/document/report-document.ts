/** `report.json`, version 1, from which the page and the workbook's summary are made. Described in docs/report.md. */

import type { DefinedFields } from '../../base/omit-undefined.ts';
import type { Difference } from '../../core/facts/difference.ts';
import type { Facts, Note, Policy } from '../../core/facts/facts.ts';
import type { JudgedAcknowledgement, JudgedExemption } from '../../core/facts/judged.ts';
import type { JudgedLists } from '../../core/facts/lists.ts';
import type { BreakdownRow } from './coverage-by.ts';
import type { ChangeReport, ReportedDevice, TransitionReport } from './devices.ts';
import type { GroupReport } from './groups.ts';
import type { SourceReport } from './sources.ts';
import type { Figures, Forecast, OpenFor, Trend } from './trend.ts';

export interface ReportDocument {
  readonly schema: 1;
  readonly kind: 'muster-report';
  /** Muster's version. */
  readonly muster: string;
  readonly agent: string;
  readonly slot: string;
  readonly moment: string;
  readonly policy: Policy;
  /** Names that people read, by platform. */
  readonly platformTitles: Readonly<Record<string, string>>;
  readonly accepted?: Facts['accepted'];
  /** The rows of coverage.csv: one for each source, then one for all. */
  readonly coverage: readonly Figures[];
  /** The rows of coverage-by.csv. */
  readonly coverageBy: readonly BreakdownRow[];
  readonly sources: readonly SourceReport[];
  /** One for all, then one for each platform. */
  readonly trend: readonly Trend[];
  /** The days of the trend, oldest first. */
  readonly notes: readonly Note[];
  /** When the low figure reaches `policy.minimumCoverage`, where the last 14 sound runs say so. */
  readonly forecast?: Forecast;
  /** How many of the devices that need action have been missing for at least so many days. */
  readonly openFor: readonly OpenFor[];
  readonly exemptions: readonly JudgedExemption[];
  /** The rows of the acknowledgements file; missing where there are none. */
  readonly acknowledgements?: readonly JudgedAcknowledgement[];
  /** What the lists of machines say; missing where the settings name none. */
  readonly lists?: DefinedFields<JudgedLists>;
  readonly groups: readonly GroupReport[];
  /** The rows of changes.csv. */
  readonly changes: readonly ChangeReport[];
  /** Why coverage is not that of the baselines, in points; absent where a source cannot be compared with one. */
  readonly difference?: Difference;
  /** Every device's transitions of the last 30 runs after the first of them, oldest first; `to` is absent of one that left. */
  readonly transitions: readonly TransitionReport[];
  /** Devices that need action, have an old answer, are not counted, changed, or are in a group's differences. */
  readonly devices: readonly ReportedDevice[];
}
