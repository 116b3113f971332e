/** Made-up people, places, devices and serial numbers, and the hostile names that real companies also have. */
import { probability } from './probabilities.ts';
import { drawBelow, drawChance, drawChoice, drawNumber, purpose } from './random.ts';
import names from './templates/names.json' with { type: 'json' };

export interface Person {
  readonly realName: string;
  readonly userName: string;
  readonly email: string;
}

/** Names that break careless reports: formulas, markup, line breaks, bidirectional text, mentions, forged log lines. */
export const hostileNames: readonly string[] = names.hostileNames;

const serialNumberCharacters = 'BCDFGHJKLMNPQRSTVWXYZ0123456789';

export function createMacName(seed: number, ordinal: number): string {
  if (drawChance(probability.macNamedAfterUser, seed, ordinal, purpose.name)) {
    return `${createPerson(seed, ordinal).realName.split(' ')[0]}’s MacBook Pro`;
  }
  return `MAC-${String(ordinal).padStart(5, '0')}`;
}

export function createPerson(seed: number, ordinal: number): Person {
  const first = drawChoice(names.givenNames, seed, ordinal, purpose.user, 1);
  const last = drawChoice(names.familyNames, seed, ordinal, purpose.user, 2);
  const userName = `${first}.${last}${ordinal}`.toLowerCase();
  return { realName: `${first} ${last}`, userName, email: `${userName}@example.com` };
}

export function createWindowsName(seed: number, ordinal: number): string {
  const prefix = drawChoice(['DESKTOP', 'LAPTOP', 'WS'], seed, ordinal, purpose.name);
  return `${prefix}-${String(ordinal).padStart(5, '0')}`;
}

/** Makes a serial number with the ordinal in it, so that no two devices share one by chance. */
export function createSerialNumber(seed: number, ordinal: number, prefix: string): string {
  let value = drawNumber(seed, ordinal, purpose.serialNumber);
  let text = '';
  for (let place = 0; place < 4; place += 1) {
    text += serialNumberCharacters[value % serialNumberCharacters.length] ?? 'X';
    value = Math.floor(value / serialNumberCharacters.length);
  }
  return `${prefix}${text}${ordinal.toString(36).toUpperCase().padStart(5, '0')}`;
}

export interface NamedLocation {
  readonly id: number;
  readonly name: string;
}

export const departments: readonly NamedLocation[] = names.departments;

export const buildings: readonly NamedLocation[] = names.buildings;

/** Draws a department; undefined where none was entered. */
export function drawDepartment(seed: number, ordinal: number): NamedLocation | undefined {
  return departments[drawBelow(departments.length + 1, seed, ordinal, purpose.place, 1)];
}

export function drawBuilding(seed: number, ordinal: number): NamedLocation | undefined {
  return buildings[drawBelow(buildings.length + 1, seed, ordinal, purpose.place, 2)];
}

/** Draws a category; "Unknown" is Intune's word for none. */
export function drawCategory(seed: number, ordinal: number): string {
  return drawChoice(names.categories, seed, ordinal, purpose.place, 3);
}
