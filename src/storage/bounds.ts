/**
 * Bounds of reading from a store, by the kind of file. Whoever can write there may put any file at any key, so that
 * nothing is read without one. Muster writes no larger files.
 */

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
const gibibyte = 1024 * mebibyte;

/** Forms of keys with their bounds; the first that fits decides. */
const bounds: readonly (readonly [form: RegExp, maximumBytes: number])[] = [
  [/^commits\//, 16 * mebibyte],
  [/^latest\.json$/, 64 * kibibyte],
  // Claims and marks, and reports of runs that failed.
  [/^deliveries\//, 64 * kibibyte],
  [/\/readings-\d+\.json$/, 4 * mebibyte],
  // The head of a state, and of the one before.
  [/\/(state|before)\.json\.gz$/, 64 * mebibyte],
  [/\/facts\/night\.json\.gz$/, 64 * mebibyte],
  [/\/events\.json$/, 256 * mebibyte],
  // The ledger, facts and lists, a line for each of four million devices.
  [/\.ndjson\.gz$/, gibibyte],
];
/** The bound of reports, their copies, and files of unknown kind. */
const otherwise = 4 * gibibyte;

/** The bound of reading a body at once, into memory; longer bodies are streamed. */
const longestRead = gibibyte;

/** The most bytes that a file at this key may have. */
export function findMaximumBytes(key: string): number {
  const [, maximum] = bounds.find(([form]) => form.test(key)) ?? [undefined, otherwise];
  return maximum;
}

/** The most bytes that are read at once; a caller who knows the file's size can only ask for fewer. */
export function findLongestRead(key: string, wanted = longestRead): number {
  return Math.min(findMaximumBytes(key), wanted, longestRead);
}

/** The reason why a body of this size must not be read, as half a sentence; undefined where there is none. */
export function findSizeProblem(key: string, found: number, bytes: number | undefined): string | undefined {
  if (bytes !== undefined && found !== bytes) {
    return `it has ${found} bytes where ${bytes} were published`;
  }
  const maximum = findMaximumBytes(key);
  return found > maximum ? describeTooLarge(maximum) : undefined;
}

/** Result in place of the digest of a key that was not read, because it is no file or has another size. No SHA-256 equals it. */
export const foreignDigest = 'foreign';

/** Half a sentence about the size of a file. */
export function describeTooLarge(maximumBytes: number): string {
  return `it is larger than ${maximumBytes} bytes`;
}
