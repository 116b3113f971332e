/** Decides which serial numbers identify a machine: firmware holds placeholders in hundreds of spellings. */
import type { DeviceFacts } from '../facts/facts.ts';

/**
 * Placeholders as firmware and inventory tools hold them, folded. GLPI and OCS Inventory ship lists of them; Intune
 * delivers them without their blanks.
 */
const placeholders: ReadonlySet<string> = new Set([
  'ASSETTAG',
  'BASEBOARDSERIALNUMBER',
  'CHASSISSERIALNUMBER',
  'DEFAULT',
  'DEFAULTSTRING',
  'EMPTY',
  'IATPASS',
  'INVALID',
  'MB1234567890',
  'NOASSETTAG',
  'NOSERIALNUMBER',
  'NOTAPPLICABLE',
  'NOTAVAILABLE',
  'NOTKNOWN',
  'NOTSPECIFIED',
  'NULLSTRING',
  'OEMSERIAL',
  'OEMSERIALNUMBER',
  'SERIAL',
  'SERIALNUMBER',
  'SERIALNUMBERXXXXXX',
  'SN12345',
  'SN1234567890',
  'SSN12345678901234567',
  'SYS1234567890',
  'SYS9876543210',
  'SYSTEMSERIALNUMB',
  'SYSTEMSERIALNUMBER',
  'TOBEDEFINED',
  'TOBEFILLEDBYOEM',
  'TULIPCOMPUTERS',
  'UNDEFINED',
  'UNKNOWN',
]);

const shortestSerialNumber = 5;

/** Operating systems of PCs, where every real serial number has a digit; a few of Apple's random ones have none. */
const operatingSystemsWithDigits: ReadonlySet<string> = new Set(['windows', 'linux']);

/** Letters and digits in upper case, so that every spelling of one serial number is the same text. */
export function foldSerialNumber(serialNumber: string): string {
  // Skips the work for nearly all serial numbers.
  if (/^[A-Z0-9]*$/.test(serialNumber)) {
    return serialNumber;
  }
  return serialNumber
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{Nd}]/gu, '');
}

/** The folded serial number, or undefined where it identifies no machine. */
export function readRealSerialNumber(
  device: Pick<DeviceFacts, 'serialNumber' | 'operatingSystem'>,
): string | undefined {
  const folded = foldSerialNumber(device.serialNumber ?? '');
  const isReal =
    folded.length >= shortestSerialNumber &&
    !placeholders.has(folded) &&
    !isRun(folded) &&
    (!operatingSystemsWithDigits.has(device.operatingSystem) || /\p{Nd}/u.test(folded));
  return isReal ? folded : undefined;
}

/** Whether one character repeats, or digits count up or down (0123456789, 1234567890, 987654321). */
function isRun(text: string): boolean {
  const first = measureStep(text, 1);
  if (first !== 0 && first !== 1 && first !== 9) {
    return false;
  }
  for (let index = 2; index < text.length; index += 1) {
    if (measureStep(text, index) !== first) {
      return false;
    }
  }
  return true;
}

/** The step from the character before: 0 where it is the same, otherwise the upward distance between two digits. */
function measureStep(text: string, index: number): number | undefined {
  const [before, here] = [text.charCodeAt(index - 1), text.charCodeAt(index)];
  if (before === here) {
    return 0;
  }
  return isDigit(before) && isDigit(here) ? (here - before + 10) % 10 : undefined;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
