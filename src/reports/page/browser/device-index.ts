/** All devices as one text, in which 100,000 are searched within milliseconds. Made once, while the browser is idle. */
import type { PageData } from '../page-data.ts';
import { foldForSearch, splitQuery } from './fold.ts';

export interface DeviceIndex {
  /** For every row whether it has all words; undefined where nothing is searched. */
  match(query: string): Uint8Array | undefined;
  /** The best rows first: an equal field, then one that begins alike. */
  find(query: string, most: number): { readonly rows: readonly number[]; readonly count: number };
}

const rowsAtOnce = 4_000;

export function createDeviceIndex({ devices }: PageData): DeviceIndex {
  const count = devices.id.length;
  const starts = new Uint32Array(count + 1);
  const folded: string[] = [];
  let length = 0;
  let whole: string | undefined;
  const foldUntil = (until: number) => {
    while (folded.length < until) {
      const row = folded.length;
      const fields = [devices.name[row], devices.serialNumber[row], devices.user[row], devices.id[row]];
      const text = `\t${fields.map((field) => foldForSearch(field ?? '')).join('\t')}\t\n`;
      starts[row] = length;
      length += text.length;
      folded.push(text);
    }
  };
  const foldNext = () => {
    foldUntil(Math.min(count, folded.length + rowsAtOnce));
    if (folded.length < count) {
      setTimeout(foldNext);
    } else {
      readWhole();
    }
  };
  const readWhole = () => {
    if (whole === undefined) {
      foldUntil(count);
      starts[count] = length;
      whole = folded.join('');
      folded.length = 0;
    }
    return whole;
  };
  setTimeout(foldNext);

  function match(query: string): Uint8Array | undefined {
    const words = splitQuery(query).sort((left, right) => right.length - left.length);
    const [longest, ...others] = words;
    if (longest === undefined) {
      return undefined;
    }
    const text = readWhole();
    const found = new Uint8Array(count);
    let row = 0;
    for (let at = text.indexOf(longest); at !== -1; at = text.indexOf(longest, starts[row + 1])) {
      while ((starts[row + 1] ?? 0) <= at) {
        row += 1;
      }
      const line = others.length === 0 ? '' : text.slice(starts[row], starts[row + 1]);
      found[row] = others.every((word) => line.includes(word)) ? 1 : 0;
    }
    return found;
  }

  /** The first rows that have a text, of those that fit. */
  function listRowsWith(text: string, sought: string, found: Uint8Array, most: number): number[] {
    const rows: number[] = [];
    let row = 0;
    for (let at = text.indexOf(sought); at !== -1 && rows.length < most; at = text.indexOf(sought, starts[row + 1])) {
      while ((starts[row + 1] ?? 0) <= at) {
        row += 1;
      }
      if (found[row] === 1) {
        rows.push(row);
      }
    }
    return rows;
  }

  function find(query: string, most: number) {
    const found = match(query);
    if (found === undefined) {
      return { rows: [], count: 0 };
    }
    const text = readWhole();
    const sought = foldForSearch(query).trim();
    const equal = listRowsWith(text, `\t${sought}\t`, found, most);
    const alike = listRowsWith(text, `\t${sought}`, found, most * 2);
    const others: number[] = [];
    for (let row = found.indexOf(1); row !== -1 && others.length < most * 3; row = found.indexOf(1, row + 1)) {
      others.push(row);
    }
    const count = found.reduce((sum, one) => sum + one, 0);
    return { rows: [...new Set([...equal, ...alike, ...others])].slice(0, most), count };
  }
  return { match, find };
}
