/** Compares the tables that a run wrote with the model's run, line by line. */
import { expect } from 'vitest';
import { findWhyUnproven, isProven } from '../model/proof.ts';
import { type CoverageRow, isCounted, type ModelNight, type Row as ModelRow } from '../model/rows.ts';
import { type Row, readTableRows } from './simulator-runs.ts';

const comparedTables = ['devices', 'not-installed', 'changes', 'groups', 'coverage'] as const;
type ComparedTable = (typeof comparedTables)[number];

interface Choice {
  /** One source alone. */
  readonly source?: string;
  readonly tables?: readonly ComparedTable[];
}

type Cells = Readonly<Record<string, string | number | boolean | undefined>>;

/** Each table's rows by the model, under the names of the table's columns. */
const modelRows: Readonly<Record<ComparedTable, (run: ModelNight) => Cells[]>> = {
  devices: ({ rows }) => rows.map(toDevice),
  'not-installed': ({ rows }) =>
    rows.filter((row) => isCounted(row) && row.status === 'Not Installed').map((row) => toDevice(row)),
  changes: ({ changes }) =>
    changes.map(({ source, id, kind, from, to, reason }) => ({
      ...{ source, device_id: id, change: kind, from_status: from, to_status: to, reason },
    })),
  groups: ({ groups }) =>
    groups.map(({ source, group, id, inPlatformGroup, inPicture, verdict, change }) => ({
      ...{ source, group, device_id: id, in_platform_group: inPlatformGroup, in_picture: inPicture, verdict, change },
    })),
  coverage: ({ coverage }) => coverage.map(toFigures),
};

export async function expectTables(
  folder: string,
  slot: string,
  run: ModelNight,
  { source, tables = comparedTables }: Choice = {},
): Promise<void> {
  for (const table of tables) {
    const wanted = modelRows[table](run).filter((row) => source === undefined || row.source === source);
    const written = await readTableRows(folder, slot, table);
    const shown = written.filter((row) => source === undefined || row.source === source);
    const columns = Object.keys(modelRows[table](run)[0] ?? {});
    expect([table, ...shown.map((row) => toLine(row, columns)).sort()]).toEqual([
      table,
      ...wanted.map((row) => toLine(row, columns)).sort(),
    ]);
  }
}

function toLine(row: Row | Cells, columns: readonly string[]): string {
  return columns.map((column) => `${column} ${row[column] ?? ''}`).join(' | ');
}

function toDevice(row: ModelRow): Cells {
  const { source, facts, status, reason, valueAt, stale, excludedBecause, since, answeredOn } = row;
  return {
    ...{ source, device_id: facts.id, status, reason, proven: isProven(row), stale, counted: isCounted(row) },
    ...{ excluded_because: excludedBecause, last_seen_at: facts.lastSeenAt, enrolled_at: facts.enrolledAt },
    ...{ value_at: valueAt, not_installed_since: since, answered_on: answeredOn },
    ...{ unproven_because: findWhyUnproven(row) },
  };
}

function toFigures(row: CoverageRow): Cells {
  const { source, soundness, devices, counted, excluded, exempt, stale, installed, lost, recovered, joined, left } =
    row;
  return {
    ...{ source, soundness, devices, counted, excluded, exempt, stale, installed, not_installed: row.notInstalled },
    ...{ proven_installed: row.provenInstalled, proven_not_installed: row.provenNotInstalled },
    ...{ lost, recovered, joined, left },
  };
}
