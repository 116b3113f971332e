/** Stateless random draws: the same numbers always give the same result, so that no draw depends on an earlier one. */

/** Purposes of draws: numbers that distinguish two draws about one device on one night. */
export const purpose = {
  event: 1,
  eventKind: 2,
  agent: 3,
  second: 4,
  reportPeriod: 5,
  name: 6,
  user: 7,
  serialNumber: 8,
  windowsDeviceId: 9,
  enrollment: 10,
  silence: 11,
  model: 12,
  arrivals: 13,
  appRequest: 14,
  fraction: 15,
  share: 16,
  secret: 17,
  macIdGap: 18,
  place: 19,
  record: 20,
  machineLists: 21,
  otherDeviceId: 303,
  udid: 404,
  managementId: 405,
  macAddress: 406,
  userId: 501,
  directoryDeviceId: 502,
  otherUserId: 503,
  otherDirectoryDeviceId: 504,
  overviewId: 505,
  signatureStart: 601,
  signatureEnd: 602,
  exportFolder: 603,
  exportJobId: 604,
  requestId: 701,
} as const;

/** Numbers that make draws about the two platforms' devices differ. */
export const salt = { macEnrollment: 101, windowsEnrollment: 202, macNight: 11, windowsNight: 22 } as const;

export function drawChance(probability: number, ...numbers: number[]): boolean {
  return drawFraction(...numbers) < probability;
}

export function drawChoice<Choice>(choices: readonly Choice[], ...numbers: number[]): Choice {
  const drawn = choices[drawBelow(choices.length, ...numbers)];
  if (drawn === undefined) {
    throw new Error('there is nothing to choose from');
  }
  return drawn;
}

export function drawBelow(limit: number, ...numbers: number[]): number {
  return Math.floor(drawFraction(...numbers) * limit);
}

/** A number from 0 (included) to 1 (excluded). */
export function drawFraction(...numbers: number[]): number {
  return drawNumber(...numbers) / 4294967296;
}

export function drawGuid(...numbers: number[]): string {
  const digits = drawHex(32, ...numbers);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `a${digits.slice(17, 20)}`,
    digits.slice(20),
  ].join('-');
}

/** A hardware address: twelve hexadecimal digits in pairs. */
export function drawMacAddress(...numbers: number[]): string {
  return drawHex(12, ...numbers, purpose.macAddress)
    .toUpperCase()
    .replace(/(..)(?=.)/g, '$1:');
}

function drawHex(length: number, ...numbers: number[]): string {
  let text = '';
  for (let part = 0; text.length < length; part += 1) {
    text += drawNumber(...numbers, part)
      .toString(16)
      .padStart(8, '0');
  }
  return text.slice(0, length);
}

/** The unsigned 32-bit number for these numbers. */
export function drawNumber(...numbers: number[]): number {
  let state = 0x2545f491;
  for (const value of numbers) {
    state = mixBits(state, value);
  }
  return state >>> 0;
}

function mixBits(state: number, value: number): number {
  let mixed = (state ^ Math.imul(value | 0, 0x9e3779b1)) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) | 0;
}
