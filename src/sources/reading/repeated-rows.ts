/** Finds rows of a list that have the same id: equal ones are one device, different ones are an error. */

interface Row {
  readonly id: string;
}

/** Ids with several rows, all of them equal. */
export function listRepeated(rows: readonly Row[]): string[] {
  return [...new Set(listCopies(rows))];
}

/** The id of each further row, where all rows of that id are equal. */
export function listCopies(rows: readonly Row[]): string[] {
  return [...Map.groupBy(rows, ({ id }) => id)].flatMap(([id, of]) =>
    of.length > 1 && areEqual(of) ? of.slice(1).map(() => id) : [],
  );
}

function areEqual(rows: readonly Row[]): boolean {
  return new Set(rows.map((row) => JSON.stringify(row))).size === 1;
}
