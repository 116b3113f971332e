/**
 * The contract of a store, where runs are kept; a folder and an S3 bucket both meet it.
 *
 * To add a store: one file that returns this object, its test (the shared suite in `test/contracts/store.ts`) and one
 * line in `compose/parts.ts`. Keys are relative, use `/`, and never hold text from a device.
 *
 * Nothing here locks or compares: what must not change is created once or already there; copies are put.
 *
 * Others can put files here, so that nothing is read without a bound: `bounds.ts` has one for each kind of file, and a
 * caller may give a lower one. A larger file, or a key that is no file (a pipe, a socket), is reported as damage.
 */

/** A body, whole or in pieces; large tables come in pieces. */
export type Body = Buffer | AsyncIterable<Buffer>;

/** Size and SHA-256 (lower-case hex) of exactly the bytes that a reader will get. */
export interface BodyDigest {
  readonly bytes: number;
  readonly sha256: string;
}

export interface Store {
  /** The store's name for people: a folder's path or an `s3://` address. */
  readonly name: string;
  /** Throws `store-unsuited` for a place that cannot keep these promises, `store-unreachable` for one that does not answer. */
  probe(): Promise<void>;
  /** Reads a body, or undefined without such a key. Throws `store-damaged` for more than `maximumBytes`, without reading. */
  read(key: string, maximumBytes?: number): Promise<Buffer | undefined>;
  /**
   * Streams a body. Throws `store-damaged` when there is no such key, or, before reading anything, when its size is not
   * `bytes`.
   */
  stream(key: string, bytes?: number): AsyncIterable<Buffer>;
  /**
   * SHA-256 (lower-case hex) of the body, or undefined when there is no such key. Returns `foreignDigest`, without
   * reading, where its size is not `bytes` or out of bounds, or where it is no file.
   */
  digest(key: string, bytes?: number): Promise<string | undefined>;
  /** Lists keys below a prefix that ends in `/`, by code point; with `after`, only those behind that key. */
  list(prefix: string, after?: string): AsyncIterable<string>;
  /**
   * Creates a key; throws `key-taken` when it exists. All of the body appears, or nothing. Our own creation whose
   * answer was lost still succeeds.
   */
  create(key: string, body: Body): Promise<BodyDigest>;
  /** Creates or replaces a key. All of the body appears, or the earlier one stays. */
  put(key: string, body: Body): Promise<BodyDigest>;
  /** Copies one key's body to another key of the store. */
  copy(from: string, to: string): Promise<void>;
  /** Removes a key; succeeds when it is gone already. */
  remove(key: string): Promise<void>;
}
