/** Parses a page of computers-inventory (v1 to v4) into facts: strict with the fields that it uses, ignoring all others. */

import { isRecord } from '../../base/is-record.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { Answer, DeviceFacts } from '../../core/facts/facts.ts';
import { createUnreadableAnswerError } from '../../http/body.ts';
import { boundText, readId, readList, readRecord, readText, readTime } from '../reading/fields.ts';

/** Identifies the attribute on a device: by definition id, or by name where the definition cannot be read. */
export interface AttributeKey {
  readonly id?: string;
  readonly name: string;
}

export interface InventoryRow {
  readonly id: string;
  /** Undefined for a record that is not a Mac: it counts as received, but not as a device. */
  readonly device?: DeviceFacts;
  /** Definition ids of the entries that matched the attribute. */
  readonly definitions: readonly string[];
  /** Ids whose names come from another request. */
  readonly departmentId?: string;
  readonly buildingId?: string;
}

export interface InventoryPage<Row = InventoryRow> {
  readonly total: number;
  readonly rows: readonly Row[];
}

export function parseInventoryPage(body: unknown, who: string, attribute: AttributeKey): InventoryPage {
  return parsePage(body, who, (row, id) => parseInventoryRow(row, id, attribute));
}

/** Parses the ids alone, whatever sections the rows have. */
export function parseIdPage(body: unknown, who: string): InventoryPage<{ readonly id: string }> {
  return parsePage(body, who, (_, id) => ({ id }));
}

function parsePage<Row>(
  body: unknown,
  who: string,
  parseRow: (row: Readonly<Record<string, unknown>>, id: string) => Row,
): InventoryPage<Row> {
  const page = readRecord(body);
  if (!page || !Array.isArray(page.results)) {
    throw createUnreadableAnswerError(who, 'an inventory page without results');
  }
  const total = page.totalCount;
  if (typeof total !== 'number' || !Number.isSafeInteger(total) || total < 0) {
    throw createUnreadableAnswerError(who, 'an inventory page without a total');
  }
  const rows = page.results.map((entry: unknown) => {
    const row = readRecord(entry);
    const id = readId(row?.id);
    if (!row || id === undefined) {
      throw createUnreadableAnswerError(who, 'a computer without an id');
    }
    return parseRow(row, id);
  });
  return { total, rows };
}

function parseInventoryRow(row: Readonly<Record<string, unknown>>, id: string, attribute: AttributeKey): InventoryRow {
  const general = readRecord(row.general) ?? {};
  const platform = general.platform;
  if (typeof platform === 'string' && platform !== 'Mac') {
    return { id, definitions: [] };
  }
  const entries = listAttributeEntries(row).filter((entry) => isAttribute(entry, attribute));
  const definitions = entries.map((entry) => readId(entry.definitionId) ?? '');
  const { departmentId, buildingId } = readRecord(row.userAndLocation) ?? {};
  return {
    id,
    definitions,
    ...omitUndefined({ departmentId: readId(departmentId), buildingId: readId(buildingId) }),
    device: parseComputer(id, row, general, entries),
  };
}

function parseComputer(
  id: string,
  row: Readonly<Record<string, unknown>>,
  general: Readonly<Record<string, unknown>>,
  entries: readonly Readonly<Record<string, unknown>>[],
): DeviceFacts {
  const hardware = readRecord(row.hardware);
  const owner = readRecord(row.userAndLocation);
  const reportedAt = readTime(general.reportDate);
  return {
    id,
    operatingSystem: 'macos',
    ...omitUndefined({
      name: readText(general.name),
      serialNumber: readText(hardware?.serialNumber),
      user: readText(owner?.username) ?? readText(owner?.email),
      osVersion: readText(readRecord(row.operatingSystem)?.version),
      model: readText(hardware?.model),
      // Before v4 the field is named lastContactTime.
      lastSeenAt: readTime(general.lastContact) ?? readTime(general.lastContactTime),
      reportedAt,
      enrolledAt: readTime(general.lastEnrolledDate) ?? readTime(general.initialEntryDate),
      site: readSite(general.site),
    }),
    managementState: readRecord(general.remoteManagement)?.managed === false ? 'unmanaged' : 'managed',
    answers: parseAttributeAnswers(entries, reportedAt),
  };
}

/** The site's name; undefined for the site "None" with the id -1. */
function readSite(value: unknown): string | undefined {
  const site = readRecord(value);
  return readId(site?.id) === '-1' ? undefined : readText(site?.name);
}

/** Entries of the attribute in all six sections, since it appears in the section that displays it. */
export function listAttributeEntries(row: Readonly<Record<string, unknown>>) {
  const sections = [row, ...attributeSections.map((name) => readRecord(row[name]))];
  return sections.flatMap((section) => readList(section?.extensionAttributes).filter(isRecord));
}

const attributeSections = ['general', 'hardware', 'operatingSystem', 'userAndLocation', 'purchasing'];

function isAttribute(entry: Readonly<Record<string, unknown>>, { id, name }: AttributeKey): boolean {
  return id === undefined ? entry.name === name : readId(entry.definitionId) === id;
}

function parseAttributeAnswers(
  entries: readonly Readonly<Record<string, unknown>>[],
  at: string | undefined,
): Answer[] {
  const values = entries
    .map((entry) => readList(entry.values).filter((value) => ['string', 'number', 'boolean'].includes(typeof value)))
    .filter((entryValues) => entryValues.length > 0)
    .map((entryValues) => entryValues.map(String).join(', '));
  // An attribute that was moved to another section can be in both.
  const distinct = [...new Set(values)];
  return distinct.length === 0 ? [] : [omitUndefined({ value: boundText(distinct.join(', ')), at })];
}
