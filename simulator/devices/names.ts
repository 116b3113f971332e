/** Made-up people, devices and serial numbers, and the hostile names that real companies also have. */
import { probability } from './probabilities.ts';
import { drawChance, drawChoice, drawNumber, purpose } from './random.ts';
import people from './templates/people.json' with { type: 'json' };

export interface Person {
  readonly realName: string;
  readonly userName: string;
  readonly email: string;
}

/** Names that break careless reports: formulas, markup, line breaks, bidirectional text, mentions, forged log lines. */
export const hostileNames: readonly string[] = people.hostileNames;

const serialNumberCharacters = 'BCDFGHJKLMNPQRSTVWXYZ0123456789';

export function createMacName(seed: number, ordinal: number): string {
  if (drawChance(probability.macNamedAfterUser, seed, ordinal, purpose.name)) {
    return `${createPerson(seed, ordinal).realName.split(' ')[0]}’s MacBook Pro`;
  }
  return `MAC-${String(ordinal).padStart(5, '0')}`;
}

export function createPerson(seed: number, ordinal: number): Person {
  const first = drawChoice(people.givenNames, seed, ordinal, purpose.user, 1);
  const last = drawChoice(people.familyNames, seed, ordinal, purpose.user, 2);
  const userName = `${first}.${last}${ordinal}`.toLowerCase();
  return { realName: `${first} ${last}`, userName, email: `${userName}@example.com` };
}

export function createWindowsName(seed: number, ordinal: number): string {
  const prefix = drawChoice(['DESKTOP', 'LAPTOP', 'WS'], seed, ordinal, purpose.name);
  return `${prefix}-${String(ordinal).padStart(5, '0')}`;
}

/** The ordinal is part of it, so that no two devices share a serial number by chance. */
export function createSerialNumber(seed: number, ordinal: number, prefix: string): string {
  let value = drawNumber(seed, ordinal, purpose.serialNumber);
  let text = '';
  for (let place = 0; place < 4; place += 1) {
    text += serialNumberCharacters[value % serialNumberCharacters.length] ?? 'X';
    value = Math.floor(value / serialNumberCharacters.length);
  }
  return `${prefix}${text}${ordinal.toString(36).toUpperCase().padStart(5, '0')}`;
}
