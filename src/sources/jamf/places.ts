/**
 * Names of departments and buildings: an inventory row has their ids only. The names are only shown, so without the
 * permission to read them they are missing and the run goes on.
 */

import { omitUndefined } from '../../base/omit-undefined.ts';
import type { DeviceFacts } from '../../core/facts/facts.ts';
import { readId, readRecord, readText } from '../reading/fields.ts';
import type { JamfClient } from './client.ts';
import type { ParsedRow } from './parse.ts';

export interface PlaceNames {
  readonly departments: ReadonlyMap<string, unknown>;
  readonly buildings: ReadonlyMap<string, unknown>;
}

export async function readPlaceNames(jamf: JamfClient): Promise<PlaceNames> {
  const [departments, buildings] = await Promise.all([
    readNamesById(jamf, '/api/v1/departments'),
    readNamesById(jamf, '/api/v1/buildings'),
  ]);
  return { departments, buildings };
}

/** The device of a row; undefined where the row is none. */
export function addPlaceNames(
  { device, departmentId, buildingId }: ParsedRow,
  names: PlaceNames,
): DeviceFacts | undefined {
  const department = findPlaceName(names.departments, departmentId);
  const building = findPlaceName(names.buildings, buildingId);
  return device && { ...device, ...omitUndefined({ department, building }) };
}

async function readNamesById(jamf: JamfClient, path: string): Promise<ReadonlyMap<string, unknown>> {
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

function findPlaceName(names: ReadonlyMap<string, unknown>, id: string | undefined): string | undefined {
  return id === undefined ? undefined : readText(names.get(id));
}
