/**
 * How OpenCSVSerDe takes a line apart, written after the behaviour of the library inside it (opencsv 2): a quote
 * doubled within quotes is one, the escape character swallows itself before a quote or another escape and is dropped
 * before anything else, a quote in the middle of a plain cell stays. Cells come out as text, empty where there is none.
 */
export function openCsv(line: string, swallowing: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let inQuotes = false;
  let inField = false;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] ?? '';
    const next = line[at + 1];
    const isWithin = inQuotes || inField;
    if (character === swallowing) {
      if (isWithin && (next === '"' || next === swallowing)) {
        cell += next;
        at += 1;
      }
    } else if (character === '"') {
      if (isWithin && next === '"') {
        cell += '"';
        at += 1;
      } else {
        inQuotes = !inQuotes;
        const isInside = at > 2 && line[at - 1] !== ',' && next !== undefined && next !== ',';
        if (isInside) {
          cell = cell.trim() === '' ? '' : `${cell}"`;
        }
      }
      inField = !inField;
    } else if (character === ',' && !inQuotes) {
      cells.push(cell);
      cell = '';
      inField = false;
    } else {
      cell += character;
      inField = true;
    }
  }
  return [...cells, cell].map((text) => text.replace(/^[ \t]+/, ''));
}
