/** Names of departments and buildings, of which a row of the inventory has only the ids. */
import { omitUndefined } from '../../base/omit-undefined.ts';
import { readId, readRecord, readText } from '../reading/fields.ts';
import type { JamfClient } from './client.ts';
import type { InventoryRow } from './parse.ts';

/** The names are only shown, so they may be missing. */
export async function readPlaceNames(jamf: JamfClient) {
  const [departments, buildings] = await Promise.all([
    readNamesById(jamf, '/api/v1/departments'),
    readNamesById(jamf, '/api/v1/buildings'),
  ]);
  return { departments, buildings };
}

/** In the devices themselves: a copy of each would be alive beside them. */
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
    // If the run is stopped, the inventory, which is read in parallel, throws.
    return new Map();
  }
}
