/** The first sheet, for the person responsible for the number: the number, its certainty, and what to do. */

import type { Night } from '../../core/facts/judged.ts';
import { listDevicesNeedingAction } from '../../core/machine/needs-action.ts';
import { explainInterval, isNarrow } from '../../core/source/certainty.ts';
import type { Cell } from '../cell.ts';
import type { BreakdownRow } from '../document/coverage-by.ts';
import type { ReportedDevice } from '../document/devices.ts';
import { nameUnread } from '../document/devices.ts';
import { getReportDocument } from '../document/document.ts';
import type { ReportDocument } from '../document/report-document.ts';
import { fillText, formatOperatingSystem } from '../page/shared/format.ts';
import { columnTitles } from '../page/shared/list-texts.ts';
import {
  definitionSentences,
  limitSentences,
  overviewTexts,
  printTexts,
  sectionTitles,
  sourceTexts,
  workbookTexts as texts,
} from '../page/shared/texts.ts';
import type { CellStyle, FreeSheet, StyledCell } from './worksheet.ts';

const longestMissingShown = 10;

export function buildOverviewSheet(night: Night): FreeSheet {
  const document = getReportDocument(night);
  return {
    title: 'Overview',
    widths: [30, 16, 22, 30, 16, 22, 14],
    lines: [
      [[`${document.agent} – ${fillText(overviewTexts.run, { slot: document.slot })}`, 'title']],
      [],
      ...listVerdict(document).map((sentence): StyledCell[] => [[sentence]]),
      [],
      ...listHeadline(document),
      [],
      ...listReasons(document),
      [],
      ...listOperatingSystems(document),
      [],
      ...listLongestMissing(document),
      [],
      ...[texts.allDevices, ...definitionSentences, ...limitSentences].map((sentence): StyledCell[] => [[sentence]]),
    ],
  };
}

function listVerdict(document: ReportDocument): string[] {
  const unsound = document.sources.flatMap(({ name, soundness, baseline, problem }) =>
    soundness === 'complete'
      ? []
      : [
          fillText(overviewTexts[soundness], {
            source: name,
            slot: baseline ?? '',
            devices: nameUnread(document.devices, name),
          }),
          ...(problem === undefined ? [] : [problem.message]),
        ],
  );
  const all = document.coverage.at(-1);
  const sound = all && !isNarrow(all) ? overviewTexts.wide : overviewTexts.complete;
  return unsound.length === 0 ? [sound] : unsound;
}

function listHeadline({ coverage, unproven, policy, forecast, openFor }: ReportDocument): StyledCell[][] {
  const all = coverage.at(-1);
  const why = all && explainInterval(unproven, all);
  const figure = (name: string, value: number | undefined): StyledCell[] => [[name], [value, 'number']];
  return [
    [
      [texts.coverage, 'title'],
      [all?.coverage, 'headline'],
    ],
    [[texts.low], [all?.low, 'percent']],
    [[texts.high], [all?.high, 'percent']],
    ...(why === undefined ? [] : [[[why]] as StyledCell[]]),
    ...(policy.minimumCoverage === undefined ? [] : [figure(texts.target, policy.minimumCoverage)]),
    ...(forecast === undefined ? [] : [[[fillText(overviewTexts.forecast, { ...forecast })]] as StyledCell[]]),
    figure(texts.counted, all?.counted),
    figure(texts.notCounted, all?.excluded),
    figure(sectionTitles['needs-action'], all?.notInstalled),
    ...openFor.map(({ days, devices }) => figure(fillText(texts.openFor, { days }), devices)),
  ];
}

type Columns<Row> = readonly (readonly [title: string, read: (row: Row) => Cell, style?: CellStyle])[];

function layOutTable<Row>(columns: Columns<Row>, rows: readonly Row[]): StyledCell[][] {
  const head = columns.map(([title]): StyledCell => [title, 'head']);
  return [head, ...rows.map((row) => columns.map(([, read, style = 'text']): StyledCell => [read(row), style]))];
}

function listReasons({ coverageBy }: ReportDocument): StyledCell[][] {
  const rows = coverageBy.filter(({ field, notInstalled }) => field === 'reason' && notInstalled > 0);
  const columns: Columns<BreakdownRow> = [
    [printTexts.reasons, ({ value }) => value],
    [columnTitles.devices, ({ notInstalled }) => notInstalled, 'number'],
    [columnTitles.proven, ({ provenNotInstalled }) => provenNotInstalled, 'number'],
  ];
  return layOutTable(
    columns,
    rows.toSorted((left, right) => right.notInstalled - left.notInstalled),
  );
}

function listOperatingSystems({ coverageBy, platformTitles }: ReportDocument): StyledCell[][] {
  const columns: Columns<BreakdownRow> = [
    [columnTitles.platform, ({ value }) => formatOperatingSystem(platformTitles, value)],
    [columnTitles.counted, ({ counted }) => counted, 'number'],
    [sectionTitles['needs-action'], ({ notInstalled }) => notInstalled, 'number'],
    [sourceTexts.coverage, ({ coverage }) => coverage, 'percent'],
    [texts.low, ({ low }) => low, 'percent'],
    [texts.high, ({ high }) => high, 'percent'],
  ];
  return layOutTable(
    columns,
    coverageBy.filter(({ field }) => field === 'platform'),
  );
}

function listLongestMissing({ devices, platformTitles }: ReportDocument): StyledCell[][] {
  const rows = listDevicesNeedingAction(devices, (device) => device).slice(0, longestMissingShown);
  const columns: Columns<ReportedDevice> = [
    [columnTitles.name, ({ name }) => name],
    [columnTitles.notInstalledSince, ({ notInstalledSince }) => notInstalledSince, 'date'],
    [columnTitles.serialNumber, ({ serialNumber }) => serialNumber],
    [columnTitles.user, ({ user }) => user],
    [columnTitles.platform, ({ platform }) => formatOperatingSystem(platformTitles, platform)],
    [columnTitles.reason, ({ reason }) => reason],
  ];
  return [[[fillText(texts.longestMissing, { count: rows.length }), 'head']], ...layOutTable(columns, rows)];
}
