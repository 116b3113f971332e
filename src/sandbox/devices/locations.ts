/** Where the company's devices belong: departments and buildings of Macs, categories of Windows devices. */
import { drawBelow, drawChoice, purpose } from './random.ts';

export interface NamedLocation {
  readonly id: number;
  readonly name: string;
}

export const departments: readonly NamedLocation[] = [
  { id: 4, name: 'Engineering' },
  { id: 7, name: 'Operations' },
  { id: 12, name: 'Sales, Europe' },
];

export const buildings: readonly NamedLocation[] = [
  { id: 1, name: 'Example Street 100' },
  { id: 3, name: 'Harbour' },
];

/** Intune calls a device without a category "Unknown". */
const categories = ['Unknown', 'Office', 'Field service'] as const;

/** Undefined where nobody has entered one. */
export function drawDepartment(seed: number, ordinal: number): NamedLocation | undefined {
  return departments[drawBelow(departments.length + 1, seed, ordinal, purpose.place, 1)];
}

export function drawBuilding(seed: number, ordinal: number): NamedLocation | undefined {
  return buildings[drawBelow(buildings.length + 1, seed, ordinal, purpose.place, 2)];
}

export function drawCategory(seed: number, ordinal: number): string {
  return drawChoice(categories, seed, ordinal, purpose.place, 3);
}
