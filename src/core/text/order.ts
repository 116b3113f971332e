/** One order for everything that is printed: by Unicode code point, the same on every machine and in every locale. */

/** UTF-16 units differ from code points only in that surrogates (above U+FFFF) sort below U+E000–U+FFFF. */
function rankCodeUnit(unit: number): number {
  if (unit < 0xd800) {
    return unit;
  }
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}

export function compareCodePoints(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  for (let index = 0; index < shorter; index += 1) {
    const difference = rankCodeUnit(left.charCodeAt(index)) - rankCodeUnit(right.charCodeAt(index));
    if (difference !== 0) {
      return difference;
    }
  }
  return left.length - right.length;
}

/** Sorts devices by id, the order of facts. */
export function sortDevicesById<Device extends { readonly id: string }>(devices: readonly Device[]): readonly Device[] {
  return devices.toSorted((left, right) => compareCodePoints(left.id, right.id));
}

/** Orders ids of one platform: numbers by size and below all text, text by code point. */
export function compareIds(left: string, right: string): number {
  const [one, other] = [parseDigits(left), parseDigits(right)];
  if (one === undefined || other === undefined) {
    return Number(one === undefined) - Number(other === undefined) || compareCodePoints(left, right);
  }
  return one.length - other.length || compareCodePoints(one, other) || compareCodePoints(left, right);
}

/** The significant digits, as a string, because an id may be longer than a number is exact. */
function parseDigits(id: string): string | undefined {
  return /^\d+$/.test(id) ? id.replace(/^0+/, '') : undefined;
}
