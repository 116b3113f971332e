/**
 * Names of departments and buildings: an inventory row holds their ids alone. Shown beside a device and no more, so an
 * account that may not read them costs their names and never the night.
 */
import type { DeviceFacts } from '../../core/facts.ts';
import { omitUndefined } from '../../omit-undefined.ts';
import { fieldOf, idOf, recordOf } from '../read.ts';
import { everyEntry, type Jamf } from './client.ts';
import type { Row } from './parse.ts';

export interface PlaceNames {
  readonly departments: ReadonlyMap<string, unknown>;
  readonly buildings: ReadonlyMap<string, unknown>;
}

export async function readPlaceNames(jamf: Jamf): Promise<PlaceNames> {
  const [departments, buildings] = await Promise.all([
    readNames(jamf, '/api/v1/departments', 'Read Departments'),
    readNames(jamf, '/api/v1/buildings', 'Read Buildings'),
  ]);
  return { departments, buildings };
}

export function withPlaces(device: DeviceFacts, row: Row | undefined, names: PlaceNames): DeviceFacts {
  const department = nameIn(names.departments, row?.departmentId);
  const building = nameIn(names.buildings, row?.buildingId);
  return { ...device, ...omitUndefined({ department, building }) };
}

async function readNames(jamf: Jamf, path: string, permission: string): Promise<ReadonlyMap<string, unknown>> {
  try {
    const entries = await everyEntry(jamf, { path, permission }, (entry) => {
      const { id, name } = recordOf(entry) ?? {};
      return [idOf(id) ?? '', name] as const;
    });
    return new Map(entries);
  } catch {
    // A run that is stopped ends by the inventory, which is read beside this.
    return new Map();
  }
}

function nameIn(names: ReadonlyMap<string, unknown>, id: string | undefined): string | undefined {
  return id === undefined ? undefined : fieldOf(names.get(id));
}
