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

/** The order in which facts keep devices. */
export function sortDevicesById<Device extends { readonly id: string }>(devices: readonly Device[]): readonly Device[] {
  return sortById(devices, ({ id }) => id);
}

/** Finds a device by its id, without an index of texts: of a large fleet it would take much memory. */
export interface IdFinder<Device> {
  find(id: string): Device | undefined;
}

/** Quick where the ids are asked for in their order, as nearly all lists have them. Of equal ids the last is found. */
export function createIdFinder<Device>(devices: readonly Device[], idOf: (device: Device) => string): IdFinder<Device> {
  const sorted = sortById(devices, idOf);
  const idAt = (index: number) => idOf(sorted[index] as Device);
  let next = 0;
  return {
    find(id) {
      const isNext = next < sorted.length && idAt(next) === id;
      let index = isNext ? next + 1 : countNotAbove(id, sorted.length, idAt);
      while (isNext && index < sorted.length && idAt(index) === id) {
        index += 1;
      }
      next = index;
      return index > 0 && idAt(index - 1) === id ? sorted[index - 1] : undefined;
    },
  };
}

/** How many of the ids, which are in order, are the given one or come before it. */
function countNotAbove(id: string, length: number, idAt: (index: number) => string): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareCodePoints(idAt(middle), id) > 0) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/** The list itself where it is in order. */
function sortById<Device>(devices: readonly Device[], idOf: (device: Device) => string): readonly Device[] {
  const compare = (left: Device, right: Device) => compareCodePoints(idOf(left), idOf(right));
  const isSorted = devices.every((device, index) => index === 0 || compare(devices[index - 1] as Device, device) <= 0);
  return isSorted ? devices : devices.toSorted(compare);
}

/** "Is this platform id higher": numbers by size and below all text, text by code point. */
export function compareIds(left: string, right: string): number {
  const [one, other] = [parseDigits(left), parseDigits(right)];
  if (one === undefined || other === undefined) {
    return Number(one === undefined) - Number(other === undefined) || compareCodePoints(left, right);
  }
  return one.length - other.length || compareCodePoints(one, other) || compareCodePoints(left, right);
}

/** The digits that count; a string, because an id may be longer than a number is exact. */
function parseDigits(id: string): string | undefined {
  return /^\d+$/.test(id) ? id.replace(/^0+/, '') : undefined;
}
