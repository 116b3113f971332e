/** Where the company's devices belong: departments and buildings of Macs, categories of Windows devices. */
import { drawBelow, drawChoice, purpose } from './random.ts';
import locations from './templates/locations.json' with { type: 'json' };

export interface NamedLocation {
  readonly id: number;
  readonly name: string;
}

export const departments: readonly NamedLocation[] = locations.departments;

export const buildings: readonly NamedLocation[] = locations.buildings;

/** Undefined where nobody has entered one. */
export function drawDepartment(seed: number, ordinal: number): NamedLocation | undefined {
  return departments[drawBelow(departments.length + 1, seed, ordinal, purpose.place, 1)];
}

export function drawBuilding(seed: number, ordinal: number): NamedLocation | undefined {
  return buildings[drawBelow(buildings.length + 1, seed, ordinal, purpose.place, 2)];
}

/** Intune calls a device without a category "Unknown". */
export function drawCategory(seed: number, ordinal: number): string {
  return drawChoice(locations.categories, seed, ordinal, purpose.place, 3);
}
