/** Draws without state: the same numbers always give the same answer, so that no draw depends on an earlier one. */

/** What a draw is for; two draws of one device on one night differ by it. */
export const purpose = {
  event: 1,
  kind: 2,
  agent: 3,
  second: 4,
  period: 5,
  name: 6,
  user: 7,
  serial: 8,
  guid: 9,
  enrolment: 10,
  silence: 11,
  model: 12,
  arrivals: 13,
  asked: 14,
  fraction: 15,
  outage: 16,
  secret: 17,
  gap: 18,
} as const;

export function drawChoice<T>(choices: readonly [T, ...T[]], ...numbers: number[]): T {
  return choices[drawBelow(choices.length, ...numbers)] ?? choices[0];
}

export function drawBelow(limit: number, ...numbers: number[]): number {
  return Math.floor(drawFraction(...numbers) * limit);
}

/** A number from 0 (included) to 1 (excluded). */
export function drawFraction(...numbers: number[]): number {
  return drawNumber(...numbers) / 4294967296;
}

/** An unsigned 32-bit number that belongs to these numbers. */
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

export function drawHex(length: number, ...numbers: number[]): string {
  let text = '';
  for (let part = 0; text.length < length; part += 1) {
    text += drawNumber(...numbers, part)
      .toString(16)
      .padStart(8, '0');
  }
  return text.slice(0, length);
}
