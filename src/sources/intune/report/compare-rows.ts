/** Decides whether an app's report can be complete, from its size and from a second answer. Pure. */
import { foldDeviceId } from '../parse.ts';
import type { ReportRow } from './rows.ts';

/** Rows change while a report is exported; a difference counts when it exceeds both limits. */
const toleratedRows = 5;
const toleratedShare = 0.005;

/**
 * Whether a number of rows is believable. `total` is that of the second answer; `baseline` is that of the last good run
 * with the same apps. A tenant may shrink, so that the baseline only rules out an empty report.
 */
export function isPlausibleCount(rows: number, total: number, baseline: number | undefined): boolean {
  const isEmpty = rows === 0 && (total > 0 || (baseline ?? 0) > 0);
  return !isEmpty && !exceedsTolerance(Math.abs(rows - total), total);
}

/** Whether two answers name the same devices and users, apart from a few that come and go between them. */
export function isSameReport(one: readonly ReportRow[], other: readonly ReportRow[]): boolean {
  const [left, right] = [toRowKeys(one), toRowKeys(other)];
  const differences = Math.max(countMissing(left, right), countMissing(right, left));
  return !exceedsTolerance(differences, Math.max(left.size, right.size));
}

function toRowKeys(rows: readonly ReportRow[]): Set<string> {
  return new Set(rows.map(({ deviceId, userId }) => `${foldDeviceId(deviceId)} ${userId.toLowerCase()}`));
}

function countMissing(keys: ReadonlySet<string>, from: ReadonlySet<string>): number {
  return [...keys].filter((key) => !from.has(key)).length;
}

function exceedsTolerance(differences: number, rows: number): boolean {
  return differences > toleratedRows && differences > rows * toleratedShare;
}
