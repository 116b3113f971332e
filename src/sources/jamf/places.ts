/** Names of departments and buildings, whose ids alone are in a row of the inventory. */
import { omitUndefined } from '../../base/omit-undefined.ts';
import { readId, readRecord, readText } from '../reading/fields.ts';
import type { JamfClient } from './client.ts';
import type { InventoryRow } from './parse.ts';

/** Reads the names; an empty result after a failure, since names are only displayed. */
export async function readPlaceNames(jamf: JamfClient) {
  const [departments, buildings] = await Promise.all([
    readNamesById(jamf, '/api/v1/departments'),
    readNamesById(jamf, '/api/v1/buildings'),
  ]);
  return { departments, buildings };
}

/** Adds names to the devices in place, without copying each. */
export function addPlaceNames(
  rows: Iterable<InventoryRow>,
  { departments, buildings }: Awaited<ReturnType<typeof readPlaceNames>>,
): void {
  for (const { device, departmentId = '', buildingId = '' } of rows) {
    const names = { department: departments.get(departmentId), building: buildings.get(buildingId) };
    if (device !== undefined) {
      Object.assign(device, omitUndefined(names));
    }
  }
}

async function readNamesById(jamf: JamfClient, path: string): Promise<ReadonlyMap<string, string>> {
  try {
    const entries = await jamf.entries({ path }, (entry) => {
      const { id, name } = readRecord(entry) ?? {};
      return [readId(id) ?? '', readText(name) ?? ''] as const;
    });
    return new Map(entries.filter(([, name]) => name !== ''));
  } catch {
    // A stop of the run is thrown by the inventory, which is read in parallel.
    return new Map();
  }
}
