/** Unpacks the page's data and reads it row by row. It stays in columns: there is no object for each of 100,000 devices. */
import { decodeDigits, decodeIndex, splitTexts } from '../pack-columns.ts';
import { joinedKeys, type PackedPageData, type PackedTimes, type PackedWords, type PageData } from '../page-data.ts';
import { requireElement } from './dom.ts';

export async function loadPageData(): Promise<PageData> {
  const packed = requireElement('#data').textContent ?? '';
  const stream = new Blob([decodeBase64(packed)]).stream().pipeThrough(new DecompressionStream('gzip'));
  const data: PackedPageData = JSON.parse(await new Response(stream).text());
  const joined = joinedKeys.map((key) => [key, splitTexts(data.devices[key])]);
  return { ...data, devices: { ...data.devices, ...Object.fromEntries(joined) } };
}

function decodeBase64(packed: string): Uint8Array<ArrayBuffer> {
  const bytesType: { fromBase64?(text: string): Uint8Array<ArrayBuffer> } = Uint8Array as never;
  if (bytesType.fromBase64) {
    return bytesType.fromBase64(packed);
  }
  const text = atob(packed);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) {
    bytes[index] = text.charCodeAt(index);
  }
  return bytes;
}

export function readWord({ words, at }: PackedWords, row: number): string | undefined {
  if (typeof at !== 'string') {
    return words[at[row] ?? -1];
  }
  return row < at.length ? words[decodeIndex(at.charCodeAt(row))] : undefined;
}

/** Milliseconds since 1970. */
export function readTime(times: PackedTimes, row: number): number | undefined {
  const at = decodeDigits(times.at, row, times.width);
  return at === undefined ? undefined : (at + times.base) * times.unit;
}

export function readFlag(flags: string, row: number): boolean | undefined {
  const flag = flags[row];
  return flag === '-' || flag === undefined ? undefined : flag === '1';
}
