/** One order for everything that is printed: by Unicode code point, the same on every machine and in every locale. */

/** UTF-16 units differ from code points only in that surrogates (above U+FFFF) sort below U+E000–U+FFFF. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}

export function byCodePoint(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  for (let index = 0; index < shorter; index += 1) {
    const difference = rank(left.charCodeAt(index)) - rank(right.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Numbers by size, everything else by code point: "is this platform id higher". */
export function byId(left: string, right: string): number {
  const numeric = /^\d+$/;
  if (numeric.test(left) && numeric.test(right)) {
    const difference = left.replace(/^0+/, '').length - right.replace(/^0+/, '').length;
    if (difference !== 0) return difference;
  }
  return byCodePoint(left, right);
}
