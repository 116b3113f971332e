/** The first sheet, for whoever answers for the number: what it is, what it is worth, and what is to be done. */

import { listDevicesNeedingAction } from '../../core/device/needs-action.ts';
import type { Night } from '../../core/facts/judged.ts';
import { getReportDocument } from '../document/document.ts';
import type { ReportDocument } from '../document/report-document.ts';
import { nameUnread } from '../document/unread-devices.ts';
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
import type { FreeSheet, StyledCell } from './worksheet.ts';

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
            devices: nameUnread(document, name),
          }),
          ...(problem === undefined ? [] : [problem.message]),
        ],
  );
  return unsound.length === 0 ? [overviewTexts.complete] : unsound;
}

function listHeadline({ coverage, policy, forecast, openFor }: ReportDocument): StyledCell[][] {
  const all = coverage.at(-1);
  const figure = (name: string, value: number | undefined): StyledCell[] => [[name], [value, 'number']];
  return [
    [
      [texts.coverage, 'title'],
      [all?.coverage, 'headline'],
    ],
    [[texts.low], [all?.low, 'percent']],
    [[texts.high], [all?.high, 'percent']],
    ...(policy.minimumCoverage === undefined ? [] : [figure(texts.target, policy.minimumCoverage)]),
    ...(forecast === undefined ? [] : [[[fillText(overviewTexts.forecast, { ...forecast })]] as StyledCell[]]),
    figure(texts.counted, all?.counted),
    figure(texts.notCounted, all?.excluded),
    figure(sectionTitles['needs-action'], all?.notInstalled),
    ...openFor.map(({ days, devices }) => figure(fillText(texts.openFor, { days }), devices)),
  ];
}

function listReasons({ coverageBy }: ReportDocument): StyledCell[][] {
  const rows = coverageBy
    .filter(({ field, notInstalled }) => field === 'reason' && notInstalled > 0)
    .sort((left, right) => right.notInstalled - left.notInstalled);
  return [
    toHead([printTexts.reasons, columnTitles.devices, columnTitles.proven]),
    ...rows.map(({ value, notInstalled, provenNotInstalled }): StyledCell[] => [
      [value],
      [notInstalled, 'number'],
      [provenNotInstalled, 'number'],
    ]),
  ];
}

function listOperatingSystems({ coverageBy, platformTitles }: ReportDocument): StyledCell[][] {
  const titles = [
    columnTitles.platform,
    columnTitles.counted,
    sectionTitles['needs-action'],
    sourceTexts.coverage,
    texts.low,
    texts.high,
  ];
  return [
    toHead(titles),
    ...coverageBy
      .filter(({ field }) => field === 'platform')
      .map(({ value, counted, notInstalled, coverage, low, high }): StyledCell[] => [
        [formatOperatingSystem(platformTitles, value)],
        [counted, 'number'],
        [notInstalled, 'number'],
        [coverage, 'percent'],
        [low, 'percent'],
        [high, 'percent'],
      ]),
  ];
}

function listLongestMissing({ devices, platformTitles }: ReportDocument): StyledCell[][] {
  const rows = listDevicesNeedingAction(devices, (device) => device).slice(0, longestMissingShown);
  const titles = [
    columnTitles.name,
    columnTitles.notInstalledSince,
    columnTitles.serialNumber,
    columnTitles.user,
    columnTitles.platform,
    columnTitles.reason,
  ];
  return [
    toHead([fillText(texts.longestMissing, { count: rows.length })]),
    toHead(titles),
    ...rows.map((device): StyledCell[] => [
      [device.name],
      [device.notInstalledSince, 'date'],
      [device.serialNumber],
      [device.user],
      [formatOperatingSystem(platformTitles, device.platform)],
      [device.reason],
    ]),
  ];
}

function toHead(titles: readonly string[]): StyledCell[] {
  return titles.map((title) => [title, 'head']);
}
