/**
 * The CSV copies as tables that Athena queries in place, each with a typed view; made from the product's own tables, so
 * that a new column needs no line here.
 *
 * Partitions are computed from the date, so that a run can be queried as soon as it is written, and no crawler runs.
 * Every column of a table is text, as in the files. OpenCSVSerDe's own escape character is the backslash, which would
 * remove that of CORP\alice; a tab cannot occur in a cell (`src/reports/cell.ts` turns controls into spaces).
 */
import type { ColumnType, Table, TableColumn } from '../../../src/reports/table.ts';
import { tables } from '../../../src/reports/tables.ts';
import { tenantStoresFolder } from '../../../src/settings/tenants.ts';
import { type Resources, ref, sub, type TemplatePart } from '../intrinsics.ts';
import { nameDatabase, type StackSettings } from '../stack-settings.ts';

export function renderQueryTables(stack: StackSettings): TemplatePart {
  return {
    Resources: { ReportDatabase: reportDatabase(nameDatabase(stack)), ...renderTables(stack, ownStore(stack)) },
  };
}

/** The same tables over the stores of all tenants, with the tenant as a partition. */
export function renderTenantTables(stack: StackSettings, tenants: readonly string[]): Resources {
  return renderTables(stack, {
    resource: 'Tenant',
    name: 'tenants_',
    folder: tenantStoresFolder,
    path: '${!tenant}/',
    partitions: [{ name: 'tenant', description: 'The name of its settings file' }],
    projection: { 'projection.tenant.type': 'enum', 'projection.tenant.values': tenants.join(',') },
  });
}

/** The stores over whose runs a set of tables is. */
interface Stores {
  /** Prefix of resource names; `name` is that of table names. */
  readonly resource: string;
  readonly name: string;
  /** Prefix of every key. */
  readonly folder: string;
  /** Path between the folder and the table's own. */
  readonly path: string;
  /** Partitions before the date. */
  readonly partitions: readonly { readonly name: string; readonly description: string }[];
  readonly projection: Readonly<Record<string, string>>;
}

function ownStore({ reports }: StackSettings): Stores {
  return { resource: '', name: '', folder: reports.prefix, path: '', partitions: [], projection: {} };
}

function renderTables(stack: StackSettings, stores: Stores): Resources {
  const resources = tables.flatMap((table) => [
    [`${stores.resource}${resourceName(table)}Table`, fileTable(table, stack, stores)],
    [`Typed${stores.resource}${resourceName(table)}View`, typedView(table, nameDatabase(stack), stores)],
  ]);
  return Object.fromEntries(resources);
}

function reportDatabase(name: string): object {
  return {
    Type: 'AWS::Glue::Database',
    Properties: {
      CatalogId: accountId,
      DatabaseInput: { Name: name, Description: 'The runs that Muster published' },
    },
  };
}

const accountId = ref('AWS::AccountId');

function fileTable(table: Table, { reports, tableDays }: StackSettings, stores: Stores): object {
  const { name, folder, path, partitions, projection } = stores;
  const place = `s3://${reports.bucket}/${folder}`;
  return glueTable({
    Name: `${name}${queryName(table)}`,
    Description: `${table.description}; one partition a run`,
    TableType: 'EXTERNAL_TABLE',
    PartitionKeys: [...partitions, datePartition].map((one) => ({
      Name: one.name,
      Type: 'string',
      Comment: one.description,
    })),
    Parameters: {
      classification: 'csv',
      'skip.header.line.count': '1',
      'projection.enabled': 'true',
      'projection.date.type': 'date',
      'projection.date.format': 'yyyy-MM-dd',
      'projection.date.interval': '1',
      'projection.date.interval.unit': 'DAYS',
      // A slot may be a day ahead of UTC.
      'projection.date.range': `NOW-${tableDays}DAYS,NOW+1DAYS`,
      ...projection,
      'storage.location.template': sub(`${place}${path}${table.name}/date=\${!date}`),
    },
    StorageDescriptor: {
      // The folder of all stores, where the table's own folder is below each tenant's.
      Location: sub(partitions.length === 0 ? `${place}${table.name}/` : place),
      InputFormat: 'org.apache.hadoop.mapred.TextInputFormat',
      OutputFormat: 'org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat',
      SerdeInfo: {
        SerializationLibrary: 'org.apache.hadoop.hive.serde2.OpenCSVSerde',
        Parameters: { separatorChar: ',', quoteChar: '"', escapeChar: '\t' },
      },
      Columns: table.columns.map(({ name, description }) => ({ Name: name, Type: 'string', Comment: description })),
    },
  });
}

interface QueryType {
  readonly hive: string;
  readonly presto: string;
  /** Casts the file's text, already null where it is empty, to the type. */
  readonly cast?: (text: string) => string;
}

const varchar: QueryType = { hive: 'string', presto: 'varchar' };

const queryTypes: Readonly<Record<ColumnType, QueryType>> = {
  text: varchar,
  word: varchar,
  time: {
    hive: 'timestamp',
    presto: 'timestamp(3)',
    cast: (text) => `CAST(from_iso8601_timestamp(${text}) AS timestamp)`,
  },
  slot: { hive: 'date', presto: 'date', cast: (text) => `CAST(${text} AS date)` },
  flag: { hive: 'boolean', presto: 'boolean', cast: (text) => `${text} = 'true'` },
  count: { hive: 'bigint', presto: 'bigint', cast: (text) => `CAST(${text} AS bigint)` },
  percent: { hive: 'decimal(5,2)', presto: 'decimal(5,2)', cast: (text) => `CAST(${text} AS decimal(5,2))` },
};

/**
 * Renders a view in the form in which Athena stores its own: SQL and column types as JSON in base 64, after "Presto
 * View". "date" stays text, so that a condition on it selects nights without reading the others.
 */
function typedView(table: Table, database: string, { name: prefix, partitions }: Stores): object {
  const partitioned = [...partitions, datePartition].map((one) => ({ ...one, type: 'text' as const }));
  const columns: TableColumn[] = [...table.columns, ...partitioned];
  const source = `${prefix}${queryName(table)}`;
  const selected = columns.map(({ name, type }) => {
    const { cast } = queryTypes[type];
    return cast === undefined ? `"${name}"` : `${cast(`NULLIF("${name}", '')`)} AS "${name}"`;
  });
  const view = {
    catalog: 'awsdatacatalog',
    schema: database,
    originalSql: `SELECT ${selected.join(', ')} FROM ${source}`,
    columns: columns.map(({ name, type }) => ({ name, type: queryTypes[type].presto })),
  };
  return glueTable({
    Name: `typed_${source}`,
    Description: `${source}, with types`,
    TableType: 'VIRTUAL_VIEW',
    PartitionKeys: [],
    Parameters: { presto_view: 'true', comment: 'Presto View' },
    ViewExpandedText: '/* Presto View */',
    ViewOriginalText: `/* Presto View: ${Buffer.from(JSON.stringify(view)).toString('base64')} */`,
    StorageDescriptor: {
      SerdeInfo: {},
      Columns: columns.map(({ name, type }) => ({ Name: name, Type: queryTypes[type].hive })),
    },
  });
}

const datePartition = { name: 'date', description: 'The date of the run' };

function glueTable(input: object): object {
  return {
    Type: 'AWS::Glue::Table',
    Properties: { CatalogId: accountId, DatabaseName: ref('ReportDatabase'), TableInput: input },
  };
}

/** The table's name in queries: `not-installed` → `not_installed`. */
function queryName({ name }: Table): string {
  return name.replaceAll('-', '_');
}

/** The table's name in resources: `not-installed` → `NotInstalled`. */
function resourceName({ name }: Table): string {
  return name.replace(/(?:^|-)(\w)/g, (_whole, letter: string) => letter.toUpperCase());
}
