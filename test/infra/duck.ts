/**
 * Athena's stand-in: DuckDB over the same files, with the stack's own views and queries, unchanged. What it lacks of
 * Athena's dialect is given to it here, and is all that differs:
 *  - `from_iso8601_timestamp` is a macro;
 *  - cells that are empty stay empty text and do not become NULL, as under OpenCSVSerDe.
 */
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance, type DuckDBValue } from '@duckdb/node-api';
import { tables } from '../../src/reports/tables.ts';

export type Row = Readonly<Record<string, string>>;

interface View {
  readonly name: string;
  readonly sql: string;
}

export interface Duck {
  /** Every value as text, empty for NULL. */
  ask(sql: string, values?: readonly DuckDBValue[]): Promise<Row[]>;
  /** DuckDB's name of each column's type. */
  typesOf(table: string): Promise<ReadonlyMap<string, string>>;
  close(): void;
}

/** `over` are the tables that the folder has files of. */
export async function openDuck(folder: string, views: readonly View[], over = tables): Promise<Duck> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  const connection = await instance.connect();
  await connection.run('CREATE MACRO from_iso8601_timestamp(moment) AS CAST(moment AS TIMESTAMP)');
  for (const { name, columns } of over) {
    const types = columns.map(({ name: column }) => `'${column}': 'VARCHAR'`).join(', ');
    await connection.run(`CREATE VIEW ${name.replaceAll('-', '_')} AS
      SELECT * FROM read_csv('${join(folder, name)}/date=*/${name}.csv', header = true, delim = ',', quote = '"',
        escape = '"', columns = {${types}}, nullstr = 'never written', auto_detect = false,
        hive_partitioning = true, hive_types_autocast = false)`);
  }
  for (const { name, sql } of views) {
    await connection.run(`CREATE VIEW ${name} AS ${sql}`);
  }
  return {
    ask: (sql, values = []) => rowsOf(connection, sql, values),
    async typesOf(table) {
      const rows = await rowsOf(connection, `DESCRIBE ${table}`, []);
      return new Map(rows.map(({ column_name = '', column_type = '' }) => [column_name, column_type]));
    },
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

async function rowsOf(connection: DuckDBConnection, sql: string, values: readonly DuckDBValue[]): Promise<Row[]> {
  const reader = await connection.runAndReadAll(sql, [...values]);
  const names = reader.columnNames();
  return reader
    .getRows()
    .map((row) =>
      Object.fromEntries(names.map((name, index) => [name, row[index] === null ? '' : String(row[index])])),
    );
}
