/** The fault rows-doubled: a list repeats as many of its first devices as its number says. */
import type { Faults } from './faults.ts';
import type { PlatformName } from './platforms.ts';

export function doubleRows<Row>(faults: Faults, platform: PlatformName, rows: readonly Row[]): readonly Row[] {
  const fault = faults.find(platform, 'rows-doubled');
  return fault === undefined ? rows : [...rows.slice(0, fault.number ?? 1), ...rows];
}
