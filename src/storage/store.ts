/**
 * The contract of a store: where runs are kept. A folder and an S3 bucket meet it alike.
 *
 * To add a store: one file that returns this object, its test (the shared suite in `test/contracts/store.ts`) and one
 * line in `compose/parts.ts`. Keys are relative, use `/`, and never hold text from a device.
 *
 * Nothing here locks or compares. What must not change is created once, or found to be there; copies are put.
 *
 * Others can put files here, so that nothing is read without a bound: `bounds.ts` has one for each kind of file, and a
 * caller may give a lower one. What exceeds it, or is no file at all (a pipe, a socket), is damage by name.
 */

/** A body, whole or in pieces; large tables come in pieces. */
export type Body = Buffer | AsyncIterable<Buffer>;

/** What was stored: bytes and SHA-256 (lower-case hex) of exactly what a reader will get. */
export interface BodyDigest {
  readonly bytes: number;
  readonly sha256: string;
}

export interface Store {
  /** How people know it: a folder's path or an `s3://` address. */
  readonly name: string;
  /** Refuses a place that cannot keep the promises (`store-unsuited`), or cannot be reached (`store-unreachable`). */
  probe(): Promise<void>;
  /** Undefined when there is no such key; throws `store-damaged` for more than `maximumBytes`, without reading them. */
  read(key: string, maximumBytes?: number): Promise<Buffer | undefined>;
  /**
   * The body piece by piece; throws `store-damaged` when there is no such key, or when its size is not `bytes`, of which
   * nothing is read then.
   */
  stream(key: string, bytes?: number): AsyncIterable<Buffer>;
  /**
   * SHA-256 (lower-case hex) of what is there now, or undefined when there is no such key. Nothing is read where the size
   * is not `bytes`, or out of bounds, or where it is no file: then it is `foreignDigest`.
   */
  digest(key: string, bytes?: number): Promise<string | undefined>;
  /** Keys below a prefix that ends in `/`, by code point; only those after the key `after`, where it is given. */
  list(prefix: string, after?: string): AsyncIterable<string>;
  /**
   * Creates a key that must not exist yet; throws `key-taken` when it does. All of the body appears, or nothing; a
   * creation of ours whose answer got lost is still ours.
   */
  create(key: string, body: Body): Promise<BodyDigest>;
  /** Creates or replaces a key. All of the body appears, or what was there before. */
  put(key: string, body: Body): Promise<BodyDigest>;
  /** Puts a copy of one key's contents at another, inside the store. */
  copy(from: string, to: string): Promise<void>;
  /** Removes a key; no error when it is gone already. */
  remove(key: string): Promise<void>;
}
