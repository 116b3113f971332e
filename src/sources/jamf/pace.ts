/**
 * How many rows a page has and how many pages are requested at once: less after slow failures and large answers, down to
 * one row, and more again after successes.
 */

export interface Pace {
  /** Rows of the next page. */
  readonly size: number;
  /** Pages requested at once. */
  readonly atOnce: number;
  /** A page of this many rows came. */
  onPage(page: PageCost): void;
  /** The server needed too long for so many rows, and failed. */
  onTooSlow(size: number): void;
  /** An answer of so many rows was larger than Muster accepts. */
  onTooLarge(size: number): void;
  /** The server returns at most so many rows, however many are asked for. */
  onServerLimit(size: number): void;
}

export interface PageCost {
  readonly rows: number;
  readonly bytes: number;
  readonly milliseconds: number;
}

interface PaceOptions {
  /** Rows of the first page, and of the largest. */
  readonly size: number;
  readonly atOnce: number;
  /** Idle timeout of a page, in milliseconds. */
  readonly idle: number;
}

/** Bytes of a good page: rows can have 5 kB or, with many extension attributes, 150 kB. */
const targetBytes = 4 * 1024 * 1024;
/** The largest page that is read; the next one is then an eighth. */
export const maximumPageBytes = 8 * targetBytes;
/** Shares of the idle timeout: a page that takes longer is not made larger, or is made smaller before it fails. */
const comfortableShare = 1 / 6;
const slowShare = 1 / 2;
/** Pages that must come before the size doubles; twice as many after each failure. */
const firstGrowthAfter = 8;
const longestGrowthAfter = 512;

export function createPace({ size: largest, atOnce: most, idle }: PaceOptions): Pace {
  let [size, atOnce, ceiling] = [largest, most, largest];
  let goodPages = 0;
  let growthAfter = firstGrowthAfter;

  function shrinkTo(smaller: number): void {
    size = Math.max(1, Math.floor(smaller));
    goodPages = 0;
  }

  function grow(limit: number): void {
    const next = Math.min(ceiling, limit, size * 2);
    if (next > size || atOnce < most) {
      size = Math.max(size, next);
      atOnce = Math.min(most, atOnce * 2);
      goodPages = 0;
    }
  }

  return {
    get size() {
      return size;
    },
    get atOnce() {
      return atOnce;
    },
    onPage({ rows, bytes, milliseconds }) {
      const limit = rows === 0 || bytes === 0 ? ceiling : Math.max(1, Math.floor((targetBytes * rows) / bytes));
      if (size > limit) {
        shrinkTo(limit);
      } else if (milliseconds > idle * slowShare && rows >= size) {
        shrinkTo(size / 2);
      } else if (milliseconds <= idle * comfortableShare) {
        goodPages += 1;
        if (goodPages >= growthAfter) {
          grow(limit);
        }
      }
    },
    onTooSlow(failed) {
      // Several pages fail at the same time, and only the first of them says something new.
      if (failed < size / 2 || failed > size) {
        return;
      }
      shrinkTo(failed / 2);
      atOnce = Math.max(1, Math.floor(atOnce / 2));
      growthAfter = Math.min(longestGrowthAfter, growthAfter * 2);
    },
    onTooLarge(failed) {
      if (failed <= size) {
        shrinkTo((failed * targetBytes) / maximumPageBytes);
      }
    },
    onServerLimit(limit) {
      ceiling = Math.max(1, Math.min(ceiling, limit));
      size = Math.min(size, ceiling);
    },
  };
}
