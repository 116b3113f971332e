/**
 * Parses the binary form of a property list. Its objects are numbered and may be named more than once, so that a few
 * hundred bytes can stand for billions of objects: what it stands for is measured before it is built.
 * https://opensource.apple.com/source/CF/CF-1153.18/CFBinaryPList.c
 */
import { type PlistValue, parseBinary } from 'plist';

/** Throws where the bytes are no binary property list, or stand for more than `longest` bytes and objects. */
export function parseBinaryPropertyList(bytes: Uint8Array, longest: number): PlistValue {
  if (measureTopObject(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), longest) > longest) {
    throw new RangeError('a property list that stands for more than a profile holds');
  }
  return parseBinary(bytes);
}

const trailerBytes = 32;
const array = 0xa;
const dictionary = 0xd;
const textOfTwoBytes = 0x6;
const contents: readonly number[] = [0x4, 0x5, textOfTwoBytes];

function measureTopObject(view: DataView, longest: number): number {
  const trailer = view.byteLength - trailerBytes;
  const offsetBytes = view.getUint8(trailer + 6);
  const referenceBytes = view.getUint8(trailer + 7);
  const offsetTable = readInteger(view, trailer + 24, 8);
  const sizes = new Map<number, number>();
  let references = 0;

  function measure(index: number): number {
    const known = sizes.get(index);
    if (known !== undefined) {
      return known;
    }
    // Until it is measured: an object within itself never ends.
    sizes.set(index, Number.POSITIVE_INFINITY);
    const { type, count, at } = readMarker(view, readInteger(view, offsetTable + index * offsetBytes, offsetBytes));
    let size = contents.includes(type) ? 1 + count * (type === textOfTwoBytes ? 2 : 1) : 1;
    const children = type === array ? count : type === dictionary ? 2 * count : 0;
    for (let child = 0; child < children && size <= longest; child += 1) {
      references += 1;
      size += references > longest ? longest : measure(readInteger(view, at + child * referenceBytes, referenceBytes));
    }
    sizes.set(index, size);
    return size;
  }

  return measure(readInteger(view, trailer + 16, 8));
}

/** The type of an object, how many bytes, characters or entries it has, and where they begin. */
function readMarker(view: DataView, offset: number): { type: number; count: number; at: number } {
  const marker = view.getUint8(offset);
  const type = marker >> 4;
  const count = marker & 0xf;
  const isCountedBehind = count === 0xf && type !== 0 && type !== 8;
  if (!isCountedBehind) {
    return { type, count, at: offset + 1 };
  }
  const bytes = 1 << (view.getUint8(offset + 1) & 0xf);
  return { type, count: readInteger(view, offset + 2, bytes), at: offset + 2 + bytes };
}

function readInteger(view: DataView, offset: number, bytes: number): number {
  let value = 0;
  for (let at = 0; at < bytes; at += 1) {
    value = value * 256 + view.getUint8(offset + at);
  }
  return value;
}
