/** Decides from the numbers alone whether an app's report can be complete: pure. */

/** Rows change while a report is exported; a difference counts when it exceeds both limits. */
const toleratedRows = 5;
const toleratedShare = 0.005;

type Completeness = 'fits' | 'off' | 'empty';

/** `total` is the service's own `TotalRowCount`; `baseline` is the number of rows of the last good run with the same apps. */
export function compareRows(rows: number, total: number, baseline: number | undefined): Completeness {
  if (rows === 0 && (total > 0 || (baseline ?? 0) > 0)) {
    return 'empty';
  }
  const difference = Math.abs(rows - total);
  return difference > toleratedRows && difference > total * toleratedShare ? 'off' : 'fits';
}
