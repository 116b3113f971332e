/** Serial numbers as they are compared: folded, and only where they can name a machine. */
import type { Platform } from './facts.ts';

/** What firmware says when nobody filled the serial number in, folded: as GLPI, OCS Inventory and Intune show it. */
const placeholders: ReadonlySet<string> = new Set([
  'ASSETTAG',
  'CHASSISSERIALNUMBER',
  'DEFAULT',
  'DEFAULTSTRING',
  'EMPTY',
  'INVALID',
  'NOTAPPLICABLE',
  'NOTAVAILABLE',
  'NOTSPECIFIED',
  'OEM',
  'SERIALNUMBER',
  'SYSTEMSERIALNUMBER',
  'TOBEFILLEDBYOEM',
  'UNKNOWN',
  'UNSPECIFIED',
]);

const shortest = 5;
const counting = '01234567890123456789';

/** Upper-case letters and digits alone. */
export function foldSerialNumber(serial: string): string {
  return serial.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** Whether a folded serial number can name one machine; a few of Apple's have no digit. */
export function isRealSerialNumber(folded: string, platform: Platform): boolean {
  return (
    folded.length >= shortest &&
    !placeholders.has(folded) &&
    !/^(.)\1*$/u.test(folded) &&
    !counting.includes(folded) &&
    (platform !== 'windows' || /\p{N}/u.test(folded))
  );
}
