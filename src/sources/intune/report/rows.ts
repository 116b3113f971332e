/** Parses an app's installation report, in either of its two forms, into rows. Columns are found by header name. Pure. */
import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { MusterError } from '../../../base/errors.ts';
import { isRecord } from '../../../base/is-record.ts';
import { createInterner } from '../../../core/facts/device-fields.ts';
import { isRefusedRequest } from '../../reading/attempt.ts';

export interface ReportRow {
  readonly deviceId: string;
  readonly userId: string;
  /** InstallState exactly as received. */
  readonly state: string;
  readonly stateDetail: string;
  readonly errorCode: string;
  readonly hexErrorCode: string;
  readonly modifiedAt: string;
  /** Whether the assignment that reached the device has a filter; undefined where the report does not say it. */
  readonly hasFilter: boolean | undefined;
  /** The id of the app whose report has the row; missing where there is only one app. */
  readonly app?: string;
}

type TextField = Exclude<keyof ReportRow, 'hasFilter' | 'app'>;

/**
 * Columns to request by name, because the default columns have changed before:
 * https://learn.microsoft.com/intune/intune-service/fundamentals/reports-export-graph-apis
 */
const reportColumnNames = {
  deviceId: 'DeviceId',
  userId: 'UserId',
  state: 'InstallState',
  stateDetail: 'InstallStateDetail',
  errorCode: 'ErrorCode',
  hexErrorCode: 'HexErrorCode',
  modifiedAt: 'LastModifiedDateTime',
} as const satisfies Record<TextField, string>;

/** Documented columns with the same content, where the page omits ours. User columns only distinguish a device's rows. */
const documentedNames: Partial<Record<TextField, string>> = {
  userId: 'UserPrincipalName',
  state: 'AppInstallState',
  stateDetail: 'AppInstallStateDetails',
};

const reportColumns: readonly string[] = Object.values(reportColumnNames);
const documentedColumns = [
  reportColumnNames.deviceId,
  ...Object.values(documentedNames),
  reportColumnNames.hexErrorCode,
  reportColumnNames.modifiedAt,
];
/** The column of assignment filters, which no v1.0 answer about assignments has. Optional: some services refuse it. */
const filterColumn = 'AssignmentFilterIdsExist';
const requiredFields: readonly string[] = ['deviceId', 'state'] satisfies TextField[];

/** Sets of columns to request in turn: fewer where a service refuses one, at last only documented ones. */
const columnSets = [[...reportColumns, filterColumn], reportColumns, documentedColumns] as const;

/** Asks with the first columns that nothing on the way to the service refuses, and then always with those. */
export function createColumnChoice(): <T>(ask: (columns: readonly string[]) => Promise<T>) => Promise<T> {
  let refused = 0;
  return async function choose(ask) {
    try {
      return await ask(columnSets[refused] ?? documentedColumns);
    } catch (error) {
      if (!isRefusedRequest(error) || refused === columnSets.length - 1) {
        throw error;
      }
      refused += 1;
      return choose(ask);
    }
  };
}

const textFields = Object.keys(reportColumnNames) as readonly TextField[];

const largestRecord = 1024 * 1024;

/** A body in pieces; a large tenant's as a whole would need much of a run's memory. */
type Pieces = Iterable<Buffer> | AsyncIterable<Buffer>;

export async function parseReportCsv(pieces: Pieces, who: string): Promise<ReportRow[]> {
  let read: ReturnType<typeof createRowReader> | undefined;
  // Converts each record at once; keeping all records of a large tenant would double the memory.
  const rows: ReportRow[] = [];
  await parseRecords(checkEncoding(pieces, who), who, (record) => {
    if (read === undefined) {
      read = createRowReader(record, who);
    } else {
      rows.push(read(record));
    }
  });
  if (read === undefined) {
    throw createReportUnreadableError(who, 'is empty and has no header');
  }
  return rows;
}

async function* checkEncoding(pieces: Pieces, who: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (piece: Buffer, stream: boolean) => {
    try {
      decoder.decode(piece, { stream });
    } catch {
      throw createReportUnreadableError(who, 'is not UTF-8 text');
    }
  };
  for await (const piece of pieces) {
    decode(piece, true);
    yield piece;
  }
  decode(Buffer.alloc(0), false);
}

async function parseRecords(
  pieces: AsyncIterable<Buffer>,
  who: string,
  onRecord: (record: readonly string[]) => void,
): Promise<void> {
  // Returning null lets the parser keep no record.
  const takeRecord = (record: string[]) => {
    onRecord(record);
    return null;
  };
  try {
    const options = { bom: true, skip_empty_lines: true, max_record_size: largestRecord, on_record: takeRecord };
    await pipeline(pieces, parse(options).resume());
  } catch (error) {
    if (error instanceof MusterError) {
      throw error;
    }
    // The parser's message may quote a record, so that only its code and line are shown.
    const why = error instanceof CsvError ? `${error.code} in line ${String(error.lines)}` : 'not CSV';
    throw createReportUnreadableError(who, `is broken (${why})`);
  }
}

/** Parses the synchronous action's `{TotalRowCount, Schema: [{Column, PropertyType}], Values: [[…]]}`. */
export function parseReportPage(body: unknown, who: string): { total: number; rows: readonly ReportRow[] } {
  if (!isRecord(body)) {
    throw createReportUnreadableError(who, 'is not an object');
  }
  const { TotalRowCount: total, Schema: schema, Values: values } = body;
  if (typeof total !== 'number' || !Number.isSafeInteger(total) || total < 0) {
    throw createReportUnreadableError(who, 'has no TotalRowCount');
  }
  if (!Array.isArray(values)) {
    throw createReportUnreadableError(who, 'has no Values');
  }
  if (values.length === 0) {
    return { total, rows: [] };
  }
  if (!Array.isArray(schema)) {
    throw createReportUnreadableError(who, 'has no Schema');
  }
  const header = schema.map((column: unknown) => (isRecord(column) ? String(column.Column) : ''));
  const read = createRowReader(header, who);
  return {
    total,
    rows: values.map((row: unknown) => {
      if (!Array.isArray(row) || row.length !== header.length) {
        throw createReportUnreadableError(who, 'has a row of another length');
      }
      return read(row);
    }),
  };
}

function createRowReader(header: readonly string[], who: string): (record: readonly unknown[]) => ReportRow {
  const names = header.map((name) => name.trim());
  const used = textFields.map((field) => {
    const { [field]: name } = reportColumnNames;
    const { [field]: documented = name } = documentedNames;
    const column = names.includes(name) ? name : documented;
    const times = names.filter((other) => other === column).length;
    if (times > 1) {
      throw createReportUnreadableError(who, `has the column ${column} ${times} times`);
    }
    if (times === 0 && requiredFields.includes(field)) {
      throw createReportUnreadableError(who, `lacks the column ${name}`);
    }
    return [field, names.indexOf(column)];
  });
  const filterIndex = names.indexOf(filterColumn);
  const indexes = Object.fromEntries(used) as Readonly<Record<TextField, number>>;
  const share = createInterner<string>((text) => text);
  const cell = (record: readonly unknown[], field: TextField): string => {
    const value = record[indexes[field]];
    if (value === null || value === undefined) {
      return '';
    }
    if (typeof value === 'string' || typeof value === 'number') {
      const text = String(value);
      return text.length > longestWord ? text : share(text);
    }
    throw createReportUnreadableError(who, `has something other than text or a number in ${reportColumnNames[field]}`);
  };
  return (record) => ({
    deviceId: cell(record, 'deviceId'),
    userId: cell(record, 'userId'),
    state: cell(record, 'state'),
    stateDetail: cell(record, 'stateDetail'),
    errorCode: cell(record, 'errorCode'),
    hexErrorCode: cell(record, 'hexErrorCode'),
    modifiedAt: cell(record, 'modifiedAt'),
    hasFilter: parseFilterFlag(record[filterIndex]),
  });
}

/** Characters of texts that many rows share, such as state and error codes; ids and dates are longer. */
const longestWord = 16;

const flagWords: Readonly<Record<string, boolean>> = { 1: true, true: true, 0: false, false: false };

/** Parses the flag in any plausible form, since its format is not documented. */
function parseFilterFlag(value: unknown): boolean | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    return undefined;
  }
  const word = String(value).trim().toLowerCase();
  return Object.hasOwn(flagWords, word) ? flagWords[word] : undefined;
}

export function createReportUnreadableError(who: string, what: string): MusterError {
  return new MusterError(
    'answer-unreadable',
    `The app report of ${who} ${what}. Its format may have changed; update Muster.`,
  );
}
