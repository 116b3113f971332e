/** Alerts about rows of a file that people keep: each row has its own key, and one that goes takes its alert with it. */
import type { AlertLog } from './alert-log.ts';
import type { EventKind } from './event-kinds.ts';

export interface RowAlert {
  /** What tells the row from others, so that a new date is a new row. */
  readonly identity: readonly string[];
  /** Whether tonight's answers say what became of the row. */
  readonly isKnown: boolean;
  /** What needs a person; undefined where the row holds, or another one renews it. */
  readonly problem: { readonly kind: EventKind; readonly text: string } | undefined;
}

export interface RowFile {
  readonly keyPrefix: string;
  /** The row in words, and the source that it is limited to, from what tells it from others. */
  describe(identity: readonly string[]): { readonly row: string; readonly source?: string };
}

export function decideRowAlerts(
  { keyPrefix, describe }: RowFile,
  alerts: readonly RowAlert[],
  alertLog: AlertLog,
): void {
  // A row that stands twice is reported once.
  const rows = new Map<string, RowAlert>();
  for (const alert of alerts) {
    const key = keyPrefix + JSON.stringify(alert.identity);
    rows.set(key, rows.get(key) ?? alert);
  }
  for (const [key, { identity, isKnown, problem }] of rows) {
    if (!isKnown) {
      continue;
    }
    const { row, ...where } = describe(identity);
    if (problem === undefined) {
      alertLog.close(key, { ...where, text: `${row} holds, or another row renews it.` });
    } else {
      alertLog.raise(key, problem.kind, { text: problem.text, ...where });
    }
  }
  for (const key of alertLog.keys(keyPrefix)) {
    if (!rows.has(key)) {
      const { row, ...where } = describe(JSON.parse(key.slice(keyPrefix.length)) as readonly string[]);
      alertLog.close(key, { text: `${row} was changed or removed.`, ...where });
    }
  }
}
