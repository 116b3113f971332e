/** Names of departments and buildings, of which a row of the inventory has only the ids. */
import { omitUndefined } from '../../base/omit-undefined.ts';
import { readId, readRecord, readText } from '../reading/fields.ts';
import type { JamfClient } from './client.ts';
import type { ParsedRow } from './parse.ts';

export interface PlaceNames {
  readonly departments: ReadonlyMap<unknown, unknown>;
  readonly buildings: ReadonlyMap<unknown, unknown>;
}

/** The names are only shown, so they may be missing. */
export async function readPlaceNames(jamf: JamfClient): Promise<PlaceNames> {
  const [departments, buildings] = await Promise.all([
    readNamesById(jamf, '/api/v1/departments'),
    readNamesById(jamf, '/api/v1/buildings'),
  ]);
  return { departments, buildings };
}

/** The names of the department and the building of a device. */
export function findPlaceNames(
  { departmentId, buildingId }: Partial<ParsedRow>,
  { departments, buildings }: PlaceNames,
) {
  return omitUndefined({
    department: readText(departments.get(departmentId)),
    building: readText(buildings.get(buildingId)),
  });
}

async function readNamesById(jamf: JamfClient, path: string): Promise<ReadonlyMap<unknown, unknown>> {
  try {
    const entries = await jamf.entries({ path }, (entry) => {
      const { id, name } = readRecord(entry) ?? {};
      return [readId(id) ?? '', name] as const;
    });
    return new Map(entries);
  } catch {
    // If the run is stopped, the inventory, which is read in parallel, throws.
    return new Map();
  }
}
