/** Adjusts the rows of a page: fewer after slow failures and large answers, down to one, and more again after successes. */
import type { ErrorCode } from '../../base/errors.ts';
import type { WalkPage } from './received-pages.ts';

interface PaceOptions {
  /** Rows of the first page, and of the largest. */
  readonly size: number;
  /** Idle timeout of a page, in milliseconds. */
  readonly idle: number;
}

/** Bytes of a good page: rows can have 5 kB or, with many extension attributes, 150 kB. */
const targetBytes = 4 * 1024 * 1024;
/** Bytes of the largest page that is read; the next page is then an eighth of it. */
export const maximumPageBytes = 8 * targetBytes;
/** Shares of the idle timeout: a page above the first is not made larger, above the second it is made smaller. */
const comfortableShare = 1 / 6;
const slowShare = 1 / 2;
/** Pages that must succeed before the size doubles; twice as many after each failure. */
const firstGrowthAfter = 8;
const longestGrowthAfter = 512;

export class Pace {
  readonly #idle: number;
  #size: number;
  #ceiling: number;
  /** Rows that have the bytes of a good page, as estimated from the last page. */
  #byteLimit = Number.POSITIVE_INFINITY;
  #goodPages = 0;
  #growthAfter = firstGrowthAfter;

  constructor({ size, idle }: PaceOptions) {
    this.#idle = idle;
    this.#size = size;
    this.#ceiling = size;
  }

  get size(): number {
    return this.#size;
  }

  onPage({ rows: { length: rows }, bytes, milliseconds }: Omit<WalkPage<unknown>, 'total'>): void {
    const limit = rows === 0 || bytes === 0 ? this.#ceiling : Math.floor((targetBytes * rows) / bytes);
    this.#byteLimit = limit;
    if (this.#size > limit) {
      this.#shrinkTo(limit);
    } else if (milliseconds > this.#idle * slowShare && rows >= this.#size) {
      this.#shrinkTo(this.#size / 2);
    } else if (milliseconds <= this.#idle * comfortableShare) {
      this.#goodPages += 1;
      const next = Math.min(this.#ceiling, limit, this.#size * 2);
      if (this.#goodPages >= this.#growthAfter && next > this.#size) {
        this.#size = next;
        this.#goodPages = 0;
      }
    }
  }

  /** Reacts to a page that failed: its answer was larger than Muster accepts, or the server needed too long. */
  onFailure(code: ErrorCode, failed: number): void {
    // Several pages fail at the same time; only the first of them counts.
    if (failed > this.#size) {
      return;
    }
    if (code === 'answer-too-large') {
      this.#shrinkTo((failed * targetBytes) / maximumPageBytes);
    } else if (failed >= this.#size / 2) {
      this.#shrinkTo(failed / 2);
      this.#growthAfter = Math.min(longestGrowthAfter, this.#growthAfter * 2);
    }
  }

  /** Restores the size after a single row failed, which was not due to the size of its pages. */
  onFailedRow(): void {
    this.#size = Math.max(1, Math.min(this.#ceiling, this.#byteLimit));
    this.#growthAfter = firstGrowthAfter;
  }

  /** Limits the size to the rows that the server returns at most, however many are requested. */
  onServerLimit(limit: number): void {
    this.#ceiling = Math.max(1, Math.min(this.#ceiling, limit));
    this.#size = Math.min(this.#size, this.#ceiling);
  }

  #shrinkTo(smaller: number): void {
    this.#size = Math.max(1, Math.floor(smaller));
    this.#goodPages = 0;
  }
}
