/**
 * Bounds of what is read from a store, by the kind of file: whoever can write there may have put any file at any key, so
 * nothing is read without one. What is larger was not written by Muster.
 */

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
const gibibyte = 1024 * mebibyte;

/** The first that fits decides. */
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
/** Reports, their copies, and what is of no known kind. */
const otherwise = 4 * gibibyte;

/** What is read at once is in memory; longer bodies are streamed. */
const longestRead = gibibyte;

/** The most bytes that a file at this key may have. */
export function findMaximumBytes(key: string): number {
  const [, maximum] = bounds.find(([form]) => form.test(key)) ?? [undefined, otherwise];
  return maximum;
}

/** The same where it is read at once; a caller who knows more of the file can only ask for fewer. */
export function findLongestRead(key: string, wanted = longestRead): number {
  return Math.min(findMaximumBytes(key), wanted, longestRead);
}

/** What keeps a body of this size from being read piece by piece; undefined where nothing does. */
export function findSizeProblem(key: string, found: number, bytes: number | undefined): string | undefined {
  if (bytes !== undefined && found !== bytes) {
    return `it has ${found} bytes where ${bytes} were published`;
  }
  const maximum = findMaximumBytes(key);
  return found > maximum ? describeTooLarge(maximum) : undefined;
}

/** Stands for the digest of what is not read: it is no file, or has another size. It equals no SHA-256. */
export const foreignDigest = 'foreign';

/** A piece of a damage sentence. */
export function describeTooLarge(maximumBytes: number): string {
  return `it is larger than ${maximumBytes} bytes`;
}
