/** Suggests the known name that a person may have meant. */

/** The known name that differs by a few letters, if there is one. */
export function findNearest(name: string, names: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of names) {
    const distance = computeEditDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance && distance <= Math.max(2, candidate.length / 3)) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Number of letters to change, add or drop (Levenshtein), computed one row at a time. */
function computeEditDistance(left: string, right: string): number {
  let above = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const change = (above[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(change, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    above = current;
  }
  return above[right.length] ?? 0;
}
