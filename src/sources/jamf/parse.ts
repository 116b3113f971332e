/** From a page of computers-inventory (v1 to v4) to facts: tolerant of what is not used, strict on what is. */
import type { Answer, DeviceFacts } from '../../core/facts.ts';
import { unreadable } from '../../http/body.ts';
import { boundedText, fieldOf, idOf, known, listOf, recordOf } from '../read.ts';
import { timeOf } from './times.ts';

/** How the attribute is found on a device: by definition id, or by name where the definition cannot be read. */
export interface AttributeKey {
  readonly id?: string;
  readonly name: string;
}

export interface Row {
  readonly id: string;
  /** Undefined for a record that is not a Mac: it counts as received, and is no device of ours. */
  readonly device?: DeviceFacts;
  /** Ids, which stand for names that another request tells. */
  readonly departmentId?: string;
  readonly buildingId?: string;
  /** Definition ids of the entries that matched the attribute. */
  readonly definitions: readonly string[];
}

export interface Page {
  readonly total: number;
  readonly rows: readonly Row[];
}

export function parsePage(body: unknown, who: string, attribute: AttributeKey): Page {
  const page = recordOf(body);
  if (!page || !Array.isArray(page.results)) throw unreadable(who, 'an inventory page without results');
  const total = page.totalCount;
  if (typeof total !== 'number' || !Number.isSafeInteger(total) || total < 0) {
    throw unreadable(who, 'an inventory page without a total');
  }
  return { total, rows: page.results.map((row: unknown) => parseRow(row, who, attribute)) };
}

function parseRow(body: unknown, who: string, attribute: AttributeKey): Row {
  const row = recordOf(body);
  const id = idOf(row?.id);
  if (!row || id === undefined) throw unreadable(who, 'a computer without an id');
  const general = recordOf(row.general) ?? {};
  const platform = general.platform;
  if (typeof platform === 'string' && platform !== 'Mac') return { id, definitions: [] };
  const entries = entriesOf(row, attribute);
  const definitions = entries.map((entry) => idOf(entry.definitionId) ?? '');
  const { departmentId, buildingId } = recordOf(row.userAndLocation) ?? {};
  return {
    id,
    definitions,
    ...known({ departmentId: idOf(departmentId), buildingId: idOf(buildingId) }),
    device: deviceOf(id, row, general, entries),
  };
}

function deviceOf(
  id: string,
  row: Readonly<Record<string, unknown>>,
  general: Readonly<Record<string, unknown>>,
  entries: readonly Readonly<Record<string, unknown>>[],
): DeviceFacts {
  const hardware = recordOf(row.hardware);
  const owner = recordOf(row.userAndLocation);
  const reportedAt = timeOf(general.reportDate);
  return {
    id,
    platform: 'macos',
    ...known({
      name: fieldOf(general.name),
      serialNumber: fieldOf(hardware?.serialNumber),
      user: fieldOf(owner?.username) ?? fieldOf(owner?.email),
      osVersion: fieldOf(recordOf(row.operatingSystem)?.version),
      model: fieldOf(hardware?.model),
      // Called lastContactTime before v4.
      lastSeenAt: timeOf(general.lastContact) ?? timeOf(general.lastContactTime),
      reportedAt,
      enrolledAt: timeOf(general.lastEnrolledDate) ?? timeOf(general.initialEntryDate),
      site: siteOf(general.site),
    }),
    managementState: recordOf(general.remoteManagement)?.managed === false ? 'unmanaged' : 'managed',
    answers: answersOf(entries, reportedAt),
  };
}

/** A device of no site has the site with the id -1, called "None". */
function siteOf(value: unknown): string | undefined {
  const site = recordOf(value);
  return idOf(site?.id) === '-1' ? undefined : fieldOf(site?.name);
}

/** An attribute appears in the section in which it is displayed, so all six places are searched. */
function entriesOf(row: Readonly<Record<string, unknown>>, attribute: AttributeKey) {
  const sections = ['general', 'hardware', 'operatingSystem', 'userAndLocation', 'purchasing'];
  return [row, ...sections.map((section) => recordOf(row[section]))]
    .flatMap((place) => listOf(place?.extensionAttributes))
    .map(recordOf)
    .filter((entry) => entry !== undefined)
    .filter((entry) =>
      attribute.id === undefined ? entry.name === attribute.name : idOf(entry.definitionId) === attribute.id,
    );
}

function answersOf(entries: readonly Readonly<Record<string, unknown>>[], at: string | undefined): Answer[] {
  const values = entries
    .flatMap((entry) => listOf(entry.values))
    .filter((value) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(String);
  return values.length === 0 ? [] : [{ value: boundedText(values.join(', ')), ...known({ at }) }];
}
